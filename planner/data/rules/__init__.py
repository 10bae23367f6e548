"""The shipped rules files."""
