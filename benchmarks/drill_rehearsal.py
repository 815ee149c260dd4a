"""Rehearse a drill: models scripted from a planted conversation answer over HTTP, so that no model is needed.

usage: python benchmarks/drill_rehearsal.py CASSETTE [CONVERSATION]

Their accounts are the recorded answers of benchmarks/data/recordings, their questions the planted ones; the reader
finds an answer where a text has its words, and reviewers find nothing wrong. It shows that the path works, and nothing
of what models do.
"""

import json
import re
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks import live_drill

DATA = ROOT / "benchmarks" / "data"
ABOUT = "Scripted from a planted conversation for a rehearsal: no language model wrote the reviews and the probe."
WRITERS = {"m1": "writer-a", "m2": "writer-c", "m3": "writer-d", "reader": "writer-e"}
NOTHING = "not established"
ITEM = re.compile(r"\[question (\S+)\]\n\| (.*)\n((?:\| .*\n)*)")
FIELD = re.compile(r"\| (reference|variant|answer): (.*)")


class Script:
    """What each model says to a prompt, known by the form it asks for."""

    def __init__(self, name: str) -> None:
        self._planted: dict[str, Any] = json.loads((DATA / "planted" / f"{name}.json").read_text(encoding="utf-8"))
        self._folder = DATA / "recordings" / name
        self._probes: dict[str, dict[str, Any]] = {one["question"]: one for one in self._planted["probes"]}

    def says(self, model: str, prompt: str) -> str:
        """The model's reply."""
        forms: dict[str, Callable[[str], list[dict[str, object]]]] = {
            '{"questions": [': self._questions,
            '{"answers": [': self._answers,
            '{"verdicts": [{"id"': verdicts,
            '{"verdicts": [{"claim"': all_sound,
            '{"premises": [': nothing,
            '{"remarks": [': nothing,
        }
        asked = next((form for form in forms if form in prompt), None)
        if asked is None:
            path = self._folder / f"{WRITERS[model]}.dissolve.json"
            return json.loads(path.read_text(encoding="utf-8"))["answer"]
        return json.dumps({asked.split('"')[1]: forms[asked](prompt)}, ensure_ascii=False)

    def _questions(self, prompt: str) -> list[dict[str, object]]:
        wanted = re.search(r"Write (\d+)", prompt)
        probes = list(self._probes.values())[: int(wanted[1]) if wanted else None]
        return [self._question(one) for one in probes]

    def _question(self, probe: dict[str, Any]) -> dict[str, object]:
        absent = probe["kind"] == "abstain"
        answers = [NOTHING] if absent else probe["expected"]
        return {
            "question": probe["question"],
            "kind": "not_answerable" if absent else probe["kind"],
            "section": probe["section"],
            "answer": answers[0],
            "variants": answers[1:],
            "wrong": [],
            "turns": [] if absent else probe["evidence_turns"],
        }

    def _answers(self, prompt: str) -> list[dict[str, object]]:
        shown, _, asked = prompt.partition("BEGIN QUESTIONS")
        found: list[dict[str, object]] = []
        for name, question, own in ITEM.findall(asked):
            found.append({"id": name, "answer": self._read(own or shown, question)})
        return found

    def _read(self, text: str, question: str) -> str:
        probe = self._probes.get(question)
        words = set(re.findall(r"[\w.:-]+", text.lower()))
        answers: list[str] = [] if probe is None or probe["kind"] == "abstain" else probe["expected"]
        return next((one for one in answers if words.issuperset(re.findall(r"[\w.:-]+", one.lower()))), NOTHING)


def verdicts(prompt: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = []
    for name, _question, fields in ITEM.findall(prompt):
        said = [(kind, words.lower()) for kind, words in FIELD.findall(fields)]
        answer = next(words for kind, words in said if kind == "answer")
        right = any(words in answer for kind, words in said if kind != "answer")
        found.append({"id": name, "verdict": "right" if right else "wrong", "why": "compared by script"})
    return found


def all_sound(prompt: str) -> list[dict[str, object]]:
    claims = re.findall(r"^\[claim (\d+)\]", prompt, re.MULTILINE)
    return [{"claim": int(number), "verdict": "sound", "turn": 0, "quote": ""} for number in claims]


def nothing(_prompt: str) -> list[dict[str, object]]:
    return []


def handler_of(script: Script) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
            pass

        def do_POST(self) -> None:
            body: dict[str, Any] = json.loads(self.rfile.read(int(self.headers["content-length"])))
            words = script.says(body["model"].split("/")[-1], body["messages"][-1]["content"])
            sent = sum(len(message["content"]) for message in body["messages"])
            usage = {"prompt_tokens": sent // 4, "completion_tokens": len(words) // 4, "total_tokens": sent // 4}
            choice = {"index": 0, "message": {"role": "assistant", "content": words}, "finish_reason": "stop"}
            reply = {"id": "1", "object": "chat.completion", "created": 1, "model": body["model"]}
            data = json.dumps({**reply, "choices": [choice], "usage": usage}).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    return Handler


def main(words: Sequence[str]) -> int:
    if not words:
        print(__doc__)
        return 2
    cassette, name = Path(words[0]), words[1] if len(words) > 1 else "op-flask-sessions"
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler_of(Script(name)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    roster = (DATA / "drills" / "roster.toml").read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder) / "roster.toml"
        here.write_text(roster.replace(":9911/", f":{server.server_address[1]}/"), encoding="utf-8")
        given = ["--roster", str(here), "--policy", str(DATA / "drills" / "policy.toml"), "--cassette", str(cassette)]
        given += ["--about", ABOUT]
        code = live_drill.main(["run", *given, "--results", folder, str(DATA / "planted" / f"{name}.json")])
    server.shutdown()
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
