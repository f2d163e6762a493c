"""Inside mitmdump: tells what passes, a JSON object a line on its stdout (see `reports`), and delays nothing.

It runs in mitmproxy's own Python: the standard library and mitmproxy only, never a module of ours. What the
agent sends and gets goes on byte for byte; the report is made beside it, on a pipe that is never waited for:
while its reader is slow, up to `BUFFER_BYTES` are kept, then a flow is reported `lost` and not followed any
more. Of headers only those named here are told, none of which can hold a credential; nothing is written to a
file. It ends, and mitmdump with it, when its stdin does: then nobody is left to read.
"""

import asyncio
import base64
import json
import os
import sys
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

HOSTS = "QUARTERDECK_CAPTURE_HOSTS"
"""The variable that names the hosts to report, with commas; `host` or `host:port`."""

UPSTREAM_AUTH = "QUARTERDECK_UPSTREAM_AUTH"
"""The variable that holds `user:password` for a proxy further up: everybody may read arguments."""

EXTRA_CA = "QUARTERDECK_EXTRA_CA"
"""The variable that names a file of certificates the API may have, too (a company's own)."""

PATH = "/v1/messages"

REQUEST_HEADERS = (
    "x-claude-code-request-class",
    "x-claude-code-prompt-id",
    "x-claude-code-session-id",
    "x-claude-code-agent-id",
)
RESPONSE_HEADERS = ("content-type", "content-encoding", "request-id", "retry-after")

BUFFER_BYTES = 32 * 1024 * 1024
REQUEST_BYTES = 24 * 1024 * 1024
"""A longer request is reported without its body."""

INFLATED_BYTES = 16 * 1024 * 1024
"""What one chunk may become when it is unpacked."""

BITE_BYTES = 64
"""So many bytes of brotli or zstd are unpacked at a time: a few of them may become megabytes."""

TOO_MUCH = "unpacks to more than can be followed"


class Undecodable(Exception):  # noqa: N818 — it says what is the case
    """A body whose encoding is not known, or is broken."""


class Plain:
    """A body as it is."""

    finished = True

    def feed(self, data: bytes) -> bytes:
        """The same."""
        return data


class Inflate:
    """gzip (one member or more) and deflate, with or without its header; unpacked as it comes."""

    def __init__(self, window_bits: int) -> None:
        """`window_bits` as zlib has them."""
        self.finished = False
        self._bits = window_bits
        self._state = zlib.decompressobj(window_bits)
        self._begun = False

    def feed(self, data: bytes) -> bytes:
        """What these bytes give."""
        found = b""
        while data:
            if self._state.eof:
                self._state = zlib.decompressobj(self._bits)
            found += self._unpack(data)
            if len(found) > INFLATED_BYTES:  # of many members, each of them small enough
                raise Undecodable(TOO_MUCH)
            data = self._state.unused_data
        self.finished = self._state.eof
        return found

    def _unpack(self, data: bytes) -> bytes:
        try:
            found = self._state.decompress(data, INFLATED_BYTES)
        except zlib.error as error:
            if self._begun or self._bits < 0:
                raise Undecodable(f"is broken ({error})") from None
            self._bits = -zlib.MAX_WBITS  # deflate without its header, as some servers send it
            self._state = zlib.decompressobj(self._bits)
            return self._unpack(data)
        self._begun = True
        if self._state.unconsumed_tail:
            raise Undecodable(TOO_MUCH)
        return found


class Foreign:
    """An encoding that a library beside mitmproxy undoes."""

    def __init__(self, unpack: Callable[[bytes], bytes], ended: Callable[[], bool]) -> None:
        """`ended` tells whether the last byte has come."""
        self._unpack = unpack
        self._ended = ended

    @property
    def finished(self) -> bool:
        """Whether the last byte has come."""
        return self._ended()

    def feed(self, data: bytes) -> bytes:
        """What these bytes give. In small bites: the libraries know no limit to what comes of one."""
        found = bytearray()
        for start in range(0, len(data), BITE_BYTES):
            try:
                found += self._unpack(data[start : start + BITE_BYTES])
            except Exception as error:  # each library has its own
                raise Undecodable(f"is broken ({error})") from None
            if len(found) > INFLATED_BYTES:
                raise Undecodable(TOO_MUCH)
            if self._ended():
                break  # what follows the end belongs to nobody
        return bytes(found)


def _brotli() -> Foreign:
    import brotli  # type: ignore[import-not-found,unused-ignore]

    state = brotli.Decompressor()
    return Foreign(state.process, state.is_finished)


def _zstd() -> Foreign:
    import zstandard  # type: ignore[import-not-found,unused-ignore]

    state = zstandard.ZstdDecompressor().decompressobj()
    return Foreign(state.decompress, lambda: bool(state.eof))


ENCODINGS: dict[str, Callable[[], Any]] = {
    "": Plain,
    "identity": Plain,
    "gzip": lambda: Inflate(zlib.MAX_WBITS | 16),
    "x-gzip": lambda: Inflate(zlib.MAX_WBITS | 16),
    "deflate": lambda: Inflate(zlib.MAX_WBITS),
    "br": _brotli,
    "zstd": _zstd,
}


def decoder(encoding: str) -> Any:
    """What undoes a content encoding. Raises `Undecodable`."""
    make = ENCODINGS.get(encoding.strip().lower())
    if make is None:
        raise Undecodable("is not known here")
    try:
        return make()
    except ImportError:
        raise Undecodable("needs a library that is not there") from None


class Pipe(asyncio.Protocol):
    """Where reports go. Opened early, so that whatever else mitmdump prints goes to stderr."""

    def __init__(self, descriptor: int, ended: Callable[[], None]) -> None:
        """`ended` is called once nobody reads any more."""
        self._descriptor = descriptor
        self._ended = ended
        self._transport: Any = None

    async def open(self) -> None:
        """Begin to write."""
        loop = asyncio.get_running_loop()
        file = os.fdopen(self._descriptor, "wb", 0)
        self._transport, _ = await loop.connect_write_pipe(lambda: self, file)

    def connection_lost(self, exc: Exception | None) -> None:
        """Asyncio says so."""
        self._ended()

    @property
    def full(self) -> bool:
        """Whether the reader is so far behind that no more is kept for it."""
        return self._transport is None or self._transport.get_write_buffer_size() > BUFFER_BYTES

    def tell(self, kind: str, **fields: Any) -> None:
        """One report. Never waits."""
        if self._transport is None or self._transport.is_closing():
            return
        for name, value in fields.items():
            if isinstance(value, bytes):
                fields[name] = base64.b64encode(value).decode()
        line = json.dumps({"type": kind, "at": time.time(), **fields}, separators=(",", ":"))
        self._transport.write(line.encode("utf-8", "replace") + b"\n")


class Following:
    """One flow that is reported."""

    def __init__(self, pipe: Any, number: int) -> None:
        """`number` is its own for as long as mitmdump runs."""
        self.number = number
        self._pipe = pipe
        self._decoder: Any = None
        self._silent = False
        self._over = False

    def ask(self, method: str, host: str, path: str, headers: dict[str, str], body: bytes) -> None:
        """The request."""
        whole = len(body) <= REQUEST_BYTES and not self._pipe.full
        self._tell(
            "asked",
            method=method,
            host=host,
            path=path,
            headers=headers,
            body=body if whole else b"",
            whole=whole,
        )

    def head(self, status: int, headers: dict[str, str]) -> None:
        """The head of the answer."""
        self._tell("answered", status=status, headers=headers)
        encoding = headers.get("content-encoding", "")
        try:
            self._decoder = decoder(encoding)
        except Undecodable as error:
            self._give_up(encoding, error)

    def piece(self, data: bytes) -> None:
        """More of the answer."""
        if self._silent or not data:
            return
        if self._pipe.full:
            self._tell("lost")
            self._silent = True
            return
        try:
            found = self._decoder.feed(data)
        except Undecodable as error:
            self._give_up(type(self._decoder).__name__.lower(), error)
            return
        if found:
            self._tell("piece", data=found)

    def end(self) -> None:
        """The answer is whole."""
        if not self._over:
            self._over = True
            finished = self._decoder is None or self._decoder.finished
            self._tell("ended", truncated=not finished)

    def broke(self, why: str) -> None:
        """The flow ended before that."""
        if not self._over:
            self._over = True
            self._tell("broke", why=why, by_client="client" in why.lower())

    def _give_up(self, encoding: str, error: Undecodable) -> None:
        self._silent = True
        self._tell("unreadable", encoding=encoding, why=str(error))

    def _tell(self, kind: str, **fields: Any) -> None:
        self._pipe.tell(kind, flow=self.number, **fields)


class Addon:
    """What mitmdump calls, by the names its hooks have."""

    def __init__(self, hosts: frozenset[str], pipe: Any) -> None:
        """`pipe` is where reports go."""
        self._hosts = hosts
        self._pipe = pipe
        self._flows: dict[str, Following] = {}
        self._count = 0

    async def running(self) -> None:
        """It listens."""
        from mitmproxy import ctx, version  # type: ignore[import-not-found,unused-ignore]

        _go_further(ctx.options)
        await self._pipe.open()
        await asyncio.get_running_loop().connect_read_pipe(lambda: _Stdin(ctx.master.shutdown), sys.stdin)
        addresses = ctx.master.addons.get("proxyserver").listen_addrs()
        host, port = addresses[0][:2] if addresses else ("", 0)
        self._pipe.tell("hello", host=host, port=port, version=version.VERSION)

    def requestheaders(self, flow: Any) -> None:
        """A request begins: before anything maps it to another host."""
        if host := self._known(flow.request.pretty_host, flow.request.port):
            flow.metadata["quarterdeck_host"] = host

    def request(self, flow: Any) -> None:
        """A request is whole."""
        host = flow.metadata.get("quarterdeck_host")
        path = flow.request.path.partition("?")[0]
        if not host or not path.endswith(PATH):
            return
        self._count += 1
        following = self._flows[flow.id] = Following(self._pipe, self._count)
        body = flow.request.get_content(strict=False) or b""
        following.ask(flow.request.method, host, path, _named(flow.request.headers, REQUEST_HEADERS), body)

    def responseheaders(self, flow: Any) -> None:
        """The head of an answer: its body is passed on as it comes, and looked at beside."""
        following = self._flows.get(flow.id)
        flow.response.stream = True  # for whatever else goes to these hosts, too
        if following is None:
            return
        following.head(flow.response.status_code, _named(flow.response.headers, RESPONSE_HEADERS))

        def pass_on(data: bytes) -> bytes:
            following.piece(data)
            return data

        flow.response.stream = pass_on

    def response(self, flow: Any) -> None:
        """An answer is whole."""
        if following := self._flows.pop(flow.id, None):
            following.end()

    def error(self, flow: Any) -> None:
        """A flow broke off."""
        if following := self._flows.pop(flow.id, None):
            following.broke(flow.error.msg if flow.error else "")

    def tls_failed_client(self, data: Any) -> None:
        """The agent did not take our certificate."""
        self._distrusted(data, "the agent does not take the proxy's certificate")

    def tls_failed_server(self, data: Any) -> None:
        """We did not take the API's."""
        self._distrusted(data, f"its certificate was not accepted ({data.conn.error})")

    def _distrusted(self, data: Any, why: str) -> None:
        address = data.context.server.address or ("", 0)
        if host := self._known(address[0], address[1]):
            self._pipe.tell("distrusted", host=host, why=why)

    def _known(self, host: str, port: int) -> str:
        """The name among ours that a host goes by."""
        return next((name for name in (host, f"{host}:{port}") if name in self._hosts), "")


class _Stdin(asyncio.Protocol):
    """Its end is ours."""

    def __init__(self, ended: Callable[[], None]) -> None:
        self._ended = ended

    def connection_lost(self, exc: Exception | None) -> None:
        self._ended()


def _named(headers: Any, names: tuple[str, ...]) -> dict[str, str]:
    return {name: headers[name] for name in names if name in headers}


def _go_further(options: Any) -> None:
    """What a way to the API may need besides: a password for the next proxy, a company's certificates."""
    if auth := os.environ.pop(UPSTREAM_AUTH, ""):
        options.upstream_auth = auth
    if extra := os.environ.get(EXTRA_CA, ""):
        import certifi  # type: ignore[import-not-found,unused-ignore]

        bundle = Path(options.confdir) / "upstream-ca.pem"
        bundle.write_bytes(Path(certifi.where()).read_bytes() + b"\n" + Path(extra).read_bytes())
        options.ssl_verify_upstream_trusted_ca = str(bundle)


def _start() -> list[Addon]:
    """For mitmdump: our own pipe is its stdout, and stdout becomes stderr."""
    from mitmproxy import ctx

    descriptor = os.dup(1)
    os.dup2(2, 1)
    hosts = frozenset(name for name in os.environ.get(HOSTS, "").split(",") if name)
    return [Addon(hosts, Pipe(descriptor, lambda: ctx.master.shutdown()))]


if __name__.startswith("__mitmproxy_script__"):
    addons = _start()
