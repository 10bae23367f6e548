"""How people and programs reach the planner: the command line."""
