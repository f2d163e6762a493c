"""What is known of an interactive session, by how it is known: three typed channels and who speaks.

*screen*: what stands on the terminal; *semantic*: what the model is producing now; *committed*: what the
transcript keeps. `ownership` decides who speaks, `hub` makes one stream of events of it.
"""
