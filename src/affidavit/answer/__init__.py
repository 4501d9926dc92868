"""Answer: what may be said for certain about a question, with its citations; or that nothing may be."""
