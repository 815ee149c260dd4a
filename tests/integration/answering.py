"""An endpoint on this machine in OpenAI's protocol whose models are members by rule: what a live drill asks."""

import asyncio
import json
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from dissolution.answers import MemberTask, PromptMessage, PromptStamp, RenderedPrompt
from prompts.catalog import SLOT, load, names, versions
from tests.factories import a_snapshot
from tests.polling import LONGEST_S
from tests.unit.workers.probing_members import ProbingMember


class Endpoint(ThreadingHTTPServer):
    """Serves its models until it is shut down, and counts what they were asked."""

    daemon_threads = True

    def __init__(self, models: Mapping[str, ProbingMember]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.models = dict(models)
        self.asked: list[str] = []

    @property
    def base(self) -> str:
        """The address that rosters name."""
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        """Nothing."""

    def do_POST(self) -> None:
        """One chat completion."""
        endpoint = self.server
        assert isinstance(endpoint, Endpoint)
        body: dict[str, Any] = json.loads(self.rfile.read(int(self.headers["content-length"])))
        messages = [PromptMessage(role=one["role"], content=one["content"]) for one in body["messages"]]
        stamp = stamp_of(messages[-1].content)
        endpoint.asked.append(stamp.name)
        prompt = RenderedPrompt(stamp=stamp, messages=tuple(messages))
        task = MemberTask(snapshot=a_snapshot("not read"), prompt=prompt, deadline_s=5)
        words = asyncio.run(endpoint.models[body["model"].split("/")[-1]].answer(task)).text
        tokens = {"prompt_tokens": len(prompt.text) // 4, "completion_tokens": len(words) // 4}
        message = {"role": "assistant", "content": words}
        reply = {
            "id": "1",
            "object": "chat.completion",
            "created": 1,
            "model": body["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": tokens | {"total_tokens": sum(tokens.values())},
        }
        data = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def stamp_of(text: str) -> PromptStamp:
    """The released prompt that a text was made from: all of its own words stand in it, and most words of all."""
    files = [load(name, version) for name in names() for version in versions(name)]
    own = {file.stamp: SLOT.sub("\0", file.user).split("\0") for file in files}
    made = [stamp for stamp, pieces in own.items() if all(piece in text for piece in pieces)]
    return max(made, key=lambda stamp: sum(map(len, own[stamp])))


@contextmanager
def answering(models: Mapping[str, ProbingMember]) -> Generator[Endpoint]:
    """An endpoint of these models, until the block ends."""
    endpoint = Endpoint(models)
    thread = threading.Thread(target=endpoint.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield endpoint
    finally:
        endpoint.shutdown()
        endpoint.server_close()
        thread.join(timeout=LONGEST_S)


def roster_of(endpoint: Endpoint, window_tokens: int = 100_000) -> str:
    """The roster (TOML) of its models, each a family of its own."""
    return "\n".join(
        f'[[member]]\nname = "{name}"\nmodel = "openai/{name}"\nfamily = "of-{name}"\napi_base = "{endpoint.base}"\n'
        f"max_attempts = 1\ntimeout_s = 60\nwindow_tokens = {window_tokens}\n"
        for name in endpoint.models
    )
