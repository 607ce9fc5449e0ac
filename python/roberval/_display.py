"""HTML for notebooks."""
from __future__ import annotations

import html
from typing import Any, Iterable, Sequence

COLOURS = {"usable": "#2e7d32", "with care": "#b26a00", "do not use": "#c62828"}


def cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.5g}"
    return html.escape(str(value))


def table(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    head = "".join(f"<th>{html.escape(h)}</th>" for h in header)
    body = "".join("<tr>" + "".join(f"<td>{cell(v)}</td>" for v in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def badge(answer: str) -> str:
    colour = COLOURS.get(answer, "#555")
    return f'<span style="background:{colour};color:#fff;padding:1px 8px;border-radius:8px">{html.escape(answer)}</span>'
