"""A stand-in claude that speaks the protocol from a script: the demo and the tests use it."""
