"""The captured API stream: what an interactive claude asks the model, and what it answers."""
