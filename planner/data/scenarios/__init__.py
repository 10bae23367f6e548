"""The shipped scenarios."""
