#!/usr/bin/env python3
"""A stand-in for the interactive CLI: a composer on the screen, a transcript and a word about itself on disk.

Run as a program. What is typed is a prompt; `fail` ends it with code 3, `clear` begins another session, `busy`
leaves the turn open, `bye` ends it in order, `ask` asks for a permission, `/rename NAME` names it, `/resume ID`
goes on with another session.
"""

import json
import os
import sys
import time
import tty
from datetime import UTC, datetime
from pathlib import Path

CONFIG = Path(os.environ["CLAUDE_CONFIG_DIR"])
STAMP = os.environ.get("STAMP", "")


def now() -> str:
    return datetime.now(UTC).isoformat()


class Program:
    def __init__(self, arguments: list[str]) -> None:
        given = dict(one.removeprefix("--").partition("=")[::2] for one in arguments if one.startswith("--"))
        self.session = given.get("session-id") or given.get("resume") or (arguments[1:] or ["none"])[0]
        self.said = [f"started {' '.join(arguments)}"]
        self.draft = ""
        self.number = 0
        self.options: list[str] = []
        self.marked = 0
        self.name = "project-7f"

    @property
    def transcript(self) -> Path:
        name = "".join(letter if letter.isalnum() else "-" for letter in os.path.realpath(Path.cwd()))
        return CONFIG / "projects" / name / f"{self.session}.jsonl"

    def tell(self, status: str) -> None:
        start = Path(f"/proc/{os.getpid()}/stat").read_bytes().rpartition(b")")[2].split()[19].decode()
        told = {
            "pid": os.getpid(), "sessionId": self.session, "cwd": str(Path.cwd()), "procStart": start,
            "version": "2.1.332", "kind": "interactive", "status": status, "updatedAt": time.time() * 1000,
            "name": self.name,
        }  # fmt: skip
        file = CONFIG / "sessions" / f"{os.getpid()}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(told))

    def write(self, kind: str, content: object) -> None:
        self.number += 1
        message = {"role": kind, "content": content}
        if kind == "assistant":
            usage = {"input_tokens": 10, "output_tokens": 1}
            message |= {"id": f"m{os.getpid()}-{self.number}", "model": "m", "usage": usage}
        row = {
            "type": kind, "uuid": f"u{os.getpid()}-{self.number}", "sessionId": self.session,
            "cwd": str(Path.cwd()), "timestamp": STAMP or now(), "message": message,
        }  # fmt: skip
        self.transcript.parent.mkdir(parents=True, exist_ok=True)
        with self.transcript.open("a") as file:
            file.write(json.dumps(row) + "\n")

    def draw(self) -> None:
        width = os.get_terminal_size().columns
        body = "\r\n".join(self.said[-8:])
        rule = "─" * width
        if self.options:
            rows = [
                f" {'❯' if at == self.marked else ' '} {at + 1}. {label}"
                for at, label in enumerate(self.options)
            ]
            asked = [
                "",
                rule,
                " Bash command",
                " touch made.txt",
                " Do you want to proceed?",
                *rows,
                "",
                " Esc to cancel",
            ]
            os.write(1, ("\x1b[?2026h\x1b[H\x1b[2J" + "\r\n".join((body, *asked)) + "\x1b[?2026l").encode())
            return
        out = f"\x1b[?2026h\x1b[H\x1b[2J{body}\r\n{rule}\r\n❯ {self.draft}\r\n{rule}\r\n  ? for shortcuts\x1b[?2026l"
        os.write(1, out.encode())

    def submit(self) -> None:
        text, self.draft = self.draft, ""
        if text == "fail":
            os.write(1, b"\x1b[H\x1b[2Jit broke\r\n")
            raise SystemExit(3)
        if text == "bye":
            raise SystemExit(0)
        if text == "clear":
            self.session = self.session[:-4] + "beef"
            self.tell("idle")
            return
        if text.startswith("/resume "):
            self.session = text.removeprefix("/resume ")
            self.tell("idle")
            return
        if text.startswith("/rename "):
            self.name = text.removeprefix("/rename ")
            self.said.append(f"Session renamed to: {self.name}")
            self.tell("idle")
            return
        self.tell("busy")
        self.write("user", text)
        self.said.append(f"> {text}")
        if text == "ask":
            self.options, self.marked = ["Yes", "No"], 0
            self.tell("waiting")
        elif text != "busy":
            self.write("assistant", [{"type": "text", "text": f"You said: {text}"}])
            self.said.append(f"● You said: {text}")
            self.tell("idle")

    def choose(self, data: str) -> None:
        moves = data.count("\x1b[B") - data.count("\x1b[A")
        self.marked = (self.marked + moves) % len(self.options)
        if "\r" in data:
            chosen, self.options = self.options[self.marked], []
            self.write("assistant", [{"type": "text", "text": f"You chose: {chosen}"}])
            self.said.append(f"● You chose: {chosen}")
            self.tell("idle")

    def take(self, data: str) -> None:
        if self.options:
            self.choose(data)
        elif data == "\r":
            self.submit()
        elif data == "\x1b":
            self.said.append("Interrupted")
            self.tell("idle")
        else:
            self.draft += data.replace("\x1b[200~", "").replace("\x1b[201~", "").replace("\r", " ")
        self.draw()

    def run(self) -> None:
        tty.setraw(0)
        os.write(1, b"\x1b[?2004h")
        self.tell("idle")
        self.draw()
        while data := os.read(0, 65536):
            self.take(data.decode())


if __name__ == "__main__":
    Program(sys.argv[1:]).run()
