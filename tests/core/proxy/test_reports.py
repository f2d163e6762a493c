import base64

import pytest

from core.proxy.reports import Piece, decode_report


def test_bytes_are_base64_on_the_line() -> None:
    line = b'{"type":"piece","flow":3,"at":1.5,"data":"' + base64.b64encode(b"\xff\x00") + b'"}'
    assert decode_report(line) == Piece(flow=3, at=1.5, data=b"\xff\x00")


@pytest.mark.parametrize(
    "line", [b"", b"mitmproxy says hello", b"{}", b'{"type":"new"}', b"[1]", b"\xff", b"[" * 10_000]
)
def test_what_is_no_report_is_none(line: bytes) -> None:
    assert decode_report(line) is None
