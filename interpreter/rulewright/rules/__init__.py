"""The numbered rules: load, check, cite, search and compare them."""
