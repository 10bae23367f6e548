"""What comes with the program: rules and scenarios."""
