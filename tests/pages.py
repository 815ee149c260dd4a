"""A real browser for tests of pages: Debian's Chromium, headless, with nothing to reach but what a test gives it."""

import os
import shutil
from collections.abc import Generator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

FLAGS = (
    "--no-sandbox",  # tests run as root in CI
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
NAMES = ("chromium", "chromium-browser", "google-chrome")


def chromium() -> str:
    """The browser on this machine. A test that needs one is skipped without it, and fails in CI, which installs it."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None:
        if os.environ.get("CI"):
            pytest.fail("Chromium is not installed; .ci/run installs it (Debian's package chromium)")
        pytest.skip("Chromium is not installed (Debian's package chromium)")
    return found


@contextmanager
def browser() -> Generator[Browser]:
    """A headless browser, closed at the end."""
    path = chromium()
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        try:
            yield opened
        finally:
            opened.close()


class Watched:
    """A page with what it complained about and what it tried to load."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.complaints: list[str] = []
        self.loaded: list[str] = []
        page.on("console", lambda message: self._told(message.type, message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self.loaded.append(request.url))

    def _told(self, kind: str, text: str) -> None:
        if kind in {"error", "warning"}:
            self.complaints.append(text)
