"""A stand-in `claude`: a separate process that speaks the stream-json protocol from a script.

Run it as `python -m core.simulator SCRIPT.toml [the flags of the real claude…]`; `quarterdeck demo` and the
tests do. Only the standard library is used, so that 32 of them start in a moment. It must know nothing of
the rest of Quarterdeck. How a script is written is told in `core.simulator.script`.
"""
