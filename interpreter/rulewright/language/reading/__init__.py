"""From a forest to a meaning: what the grammar found, built and checked from the smallest part upwards.

Each module holds the callbacks of one layer, as a class that extends the layer below it: ``words``, ``measures``,
``modifiers``, ``nouns``, ``phrases``, ``complements``, ``clauses``, ``effects``, ``conditions``, ``meanings``,
``sentences``, ``paragraphs``. ``parts`` are the values between the layers, ``frames`` reads a clause by the frame of
its verb, and ``fold`` joins each sentence to what it belongs to.
"""
