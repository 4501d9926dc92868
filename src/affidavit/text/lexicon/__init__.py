"""The words a text is found by: tokens, stems, stop words, terms. Pure."""
