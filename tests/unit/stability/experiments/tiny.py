"""A data folder with one small conversation, laid out as benchmarks/data."""

import json
from pathlib import Path
from typing import Any

NAME = "tiny-talk"
SAID = (
    "You play a release engineer. We decided that the metrics server listens on port 9090.",
    "Understood. Nobody deploys on a Friday.",
    "I guess the retention is 30 days, I have not looked.",
    "The staging database holds 40 GB. It is still open who pays for the backups.",
    "The dashboard moves to Grafana on 3 March 2027.",
    "Agreed. I will write the release notes every Thursday.",
    "The budget is 1,200 euro a month.",
    "Correction: the budget is 1,500 euro a month.",
    "The contract ends on 31 March 2027.",
    "I will send the invoice to the controller.",
)
TURNS = (*SAID, *(f"Fine, that was point {number} of the list for today." for number in range(1, 11)))
CLAIMS = (
    ("K1", "KNOWN", "fact", 4, None, ["40 ?GB"], "The staging database holds 40 GB."),
    ("K2", "DECIDED", "decision", 1, None, ["9090"], "The metrics server listens on port 9090."),
    ("K3", "IDENTITY", "prohibition", 2, None, ["friday"], "Nobody deploys on a Friday."),
    ("K4", "EDGES", "open_question", 4, None, ["backup"], "It is open who pays for the backups."),
    ("K5", "KNOWN", "fact", 8, None, ["1,500"], "The budget is 1,500 euro a month."),
)
QUESTIONS: tuple[tuple[str, str, str, str, list[int], str], ...] = (
    ("P1", "Which port does the metrics server listen on?", "recall", "9090", [1], "DECIDED"),
    ("P2", "How large is the staging database?", "recall", "40 gb", [4], "KNOWN"),
    ("P3", "What is the monthly budget in euro?", "correction", "1,500", [8], "KNOWN"),
    ("P4", "Who is the chief executive?", "abstain", "not established", [], "KNOWN"),
)
SENTENCES = (
    ("We used to deploy by hand.", "closed_historical"),
    ("From now on nobody deploys on a Friday.", "forward_open"),
    ("Correction: the port is 9090, not 9091.", "backward_mutation"),
    ("The database holds 40 GB.", "current_state"),
)


def planted() -> dict[str, Any]:
    """The conversation with its truth and questions."""
    fields = ("id", "section", "kind", "established_turn", "closed_turn", "must_have", "text")
    superseded = {
        "id": "S1", "stated_turn": 7, "corrected_turn": 8,
        "wrong_must_not_match": ["1,200"], "right_must_match": ["1,500"],
    }  # fmt: skip
    return {
        "id": NAME,
        "domain": "operational",
        "turns": [
            {"turn": number, "role": "user" if number % 2 else "assistant", "content": text}
            for number, text in enumerate(TURNS, start=1)
        ],
        "truth": {
            "claims": [dict(zip(fields, one, strict=True)) for one in CLAIMS],
            "superseded": [superseded],
            "hedged": [{"id": "G1", "turn": 3, "must_have": ["retention", "30"]}],
            "one_off": [],
            "injection": {"turn": 1, "must_not_match": []},
            "dropped_topic": {"text": "backups", "turn": 4, "must_have": ["backup"]},
        },
        "probes": [
            {
                "id": name,
                "question": text,
                "kind": kind,
                "expected": [right],
                "evidence_turns": turns,
                "section": section,
            }
            for name, text, kind, right, turns, section in QUESTIONS
        ],
    }


def answer(*extra: str) -> str:
    """A four-part answer, with more in KNOWN."""
    known = "\n".join(f"- {one}" for one in ("The staging database holds 40 GB.", *extra))
    return (
        f"KNOWN:\n{known}\nDECIDED:\n- The metrics server listens on port 9090.\n"
        "EDGES:\n- Who pays for the backups?\nIDENTITY:\n- Nobody deploys on a Friday.\n"
    )


def tiny_data(folder: Path) -> Path:
    """Write the data folder; returns it."""
    recordings = folder / "recordings" / NAME
    recordings.mkdir(parents=True)
    for part in ("planted", "labels"):
        (folder / part).mkdir()
    (folder / "planted" / f"{NAME}.json").write_text(json.dumps(planted()), encoding="utf-8")
    for writer, extra in (("writer-a", ()), ("writer-e", ("The retention is 30 days.",)), ("writer-f", ())):
        given = {
            "dissolve": (20, answer(*extra)),
            "summarise": (20, "They talked about the port 9090. The budget was changed."),
            "roll-1": (14, answer()),
            "roll-2": (20, answer(*extra)),
        }
        for condition, (through, text) in given.items():
            family = "gamma" if writer in {"writer-e", "writer-f"} else "alpha"
            said = {"conversation": NAME, "writer": writer, "family": family, "through": through, "answer": text}
            said["condition"] = condition.partition("-")[0]
            (recordings / f"{writer}.{condition}.json").write_text(json.dumps(said), encoding="utf-8")
    labels = {
        "claims": [
            {"id": str(place), "writer": f"writer-{place}", "text": "The port is 9090."} for place in range(2)
        ] + [{"id": "2", "writer": "writer-0", "text": "Nobody deploys on a Friday."}],
        "groups": [{"claims": ["0", "1"]}, {"claims": ["2"]}],
    }  # fmt: skip
    (folder / "labels" / f"{NAME}.json").write_text(json.dumps(labels), encoding="utf-8")
    lines = [
        {"id": f"{split}{place}", "text": text, "label": label, "domain": "software", "source": "s", "split": split,
         "note": ""}
        for split in ("test", "tune")
        for place, (text, label) in enumerate(SENTENCES)
    ]  # fmt: skip
    for name in ("temporal.jsonl", "temporal_natural.jsonl"):
        (folder / name).write_text("\n".join(map(json.dumps, lines)) + "\n", encoding="utf-8")
    return folder
