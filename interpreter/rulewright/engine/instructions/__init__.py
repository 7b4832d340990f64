"""Carrying instructions out: the operations of compiled texts, and what each verb does."""
