"""Layouts written by hand: of older releases, after the handed cases and FACTS §5, and what asks for an account.

Lines begin at the screen's left edge.
"""

from pathlib import Path

CASES = Path(__file__).parent.parent / "data" / "cases"


def case(name: str) -> str:
    """A handed screen, as text: it holds no escape sequence."""
    return (CASES / name).read_bytes().decode().replace("\r\n", "\n")


TRUST_BOX = """\
╭──────────────────────────────────────────────────────────╮
│                                                          │
│ Do you trust the files in this folder?                   │
│                                                          │
│ /srv/demo                                                │
│                                                          │
│ ❯ 1. Yes, proceed                                        │
│   2. No, exit                                            │
│                                                          │
╰──────────────────────────────────────────────────────────╯
   Enter to confirm · Esc to exit
"""

PERMISSION = """\
❯ make the file

⏺ I will run it.

⏺ Bash(touch made.txt)
  ⎿  Running…
────────────────────────────────────────────────────────────
 Bash command

   touch made.txt
   Create a file

 Do you want to proceed?
 ❯ 1. Yes
   2. Yes, and don't ask again for touch commands in /srv/demo
   3. No, and tell Claude what to do differently (esc)
"""

PERMISSION_BOX = """\
⏺ Bash(rm -r build)
  ⎿  Running…
╭──────────────────────────────────────────────────────────╮
│ Bash command                                             │
│                                                          │
│   rm -r build                                            │
│                                                          │
│ Do you want to proceed?                                  │
│ ❯ 1. Yes                                                 │
│   2. No, and tell Claude what to do differently (esc)    │
╰──────────────────────────────────────────────────────────╯
"""

FETCH = """\
────────────────────────────────────────────────────────────
 Fetch

   https://example.org/a

 Do you want to allow Claude to fetch this content?
 ❯ 1. Yes
   2. Yes, and don't ask again for example.org
   3. No, and tell Claude what to do differently (esc)
"""

PLAN = """\
────────────────────────────────────────────────────────────
 Ready to code?

 Here is Claude's plan:
╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌
 1. Read the code
 2. Fix it
╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌

 Would you like to proceed?

 ❯ 1. Yes, and auto-accept edits
   2. Yes, and manually approve edits
   3. No, keep planning
"""

RESUME_WHETHER = """\
────────────────────────────────────────────────────────────
  Resume this conversation?

  This conversation has been inactive for 3 days and is 168.3k tokens long. Resuming it will use about 12% of
  your 5-hour usage limit.

  ❯ 1. Resume
    2. Start a new conversation
       Claude can look this one up if you refer to it later

  Enter to confirm · Esc to resume
"""

WORKING = """\
> fix the parser

⏺ I will look at it first.

✶ Simplifying parser… (esc to interrupt · 2m 18s · ↓ 4.8k tokens)

╭──────────────────────────────────────────────────────────╮
│ >                                                        │
╰──────────────────────────────────────────────────────────╯
  ? for shortcuts
"""

DRAFTED_BOX = """\
╭──────────────────────────────────────────────────────────╮
│ > hello there                                            │
╰──────────────────────────────────────────────────────────╯
  ⏵⏵ accept edits on (shift+tab to cycle)
"""

PICKER_BELOW = """\
────────────────────────────────────────────────────────────
> /co
────────────────────────────────────────────────────────────
  /compact              Clear history but keep a summary
  /config               Open the settings
  /cost                 Show what it cost
"""
