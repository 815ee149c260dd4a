"""Reports in the form that is asked for: JSON, one page of HTML, or Markdown."""

from typing import Literal

from fastapi import Request, Response

from api.replies import FRESH

PAGE_HEADERS = {
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
    "x-content-type-options": "nosniff",
    "cache-control": FRESH,
}
"""A report is a page that loads and runs nothing, whatever its words."""

Form = Literal["json", "html", "markdown"]


def accepted(request: Request) -> Form:
    """The form that the Accept header names first; JSON when it names none of the three."""
    forms: dict[str, Form] = {"text/html": "html", "text/markdown": "markdown", "application/json": "json"}
    for part in request.headers.get("accept", "").split(","):
        found = forms.get(part.partition(";")[0].strip().lower())
        if found is not None:
            return found
    return "json"


def text(form: Form, words: str) -> Response:
    """A report as a page that nothing can act from, or as Markdown."""
    kind = "html" if form == "html" else "markdown"
    return Response(words, media_type=f"text/{kind}; charset=utf-8", headers={**PAGE_HEADERS, "vary": "Accept"})
