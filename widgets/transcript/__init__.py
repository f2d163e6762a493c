"""The parts of the transcript view: what stands where, how an entry is drawn, what is found in it."""
