"""The program: composition, actions, screens and the command line."""
