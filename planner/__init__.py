"""Plans for tank overruns: positions, legal lines, plans and hints."""
