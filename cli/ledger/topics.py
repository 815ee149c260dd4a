"""`dissolve topics`: which claims of many conversations are about one matter."""

import json
import sys
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

from cli.shared.exits import Exit
from cli.shared.output import hint, printing, say
from cli.shared.views import console, heading
from dissolution.settings import load_settings
from dissolution.tenancy import checked_tenant, name_of
from workers.bootstrap import open_services
from workers.tenants.topics import FoundTopics, Topic, TopicClaim, find_topics


@dataclass(frozen=True, kw_only=True)
class TopicOptions:
    """What was given on the command line of `dissolve topics`."""

    tenant: str
    name: str | None
    least: int
    limit: int
    db: str | None
    as_json: bool


def show_topics(options: TopicOptions) -> Exit:
    """Print the topics, those of most conversations first. Raises InputError for a tenant's name that none can have."""
    tenant = checked_tenant(options.tenant)
    with open_services(load_settings(db=options.db), create=False) as services:
        found = find_topics(
            services.unit_of_work,
            services.embedder(),
            tenant=tenant,
            containing=options.name or "",
            least=options.least,
            most=options.limit,
        )
    with printing(Exit.OK):
        if options.as_json:
            sys.stdout.write(json.dumps(document(found), ensure_ascii=False, indent=1) + "\n")
        elif found.conversations:
            print_topics(console(), found)
    if not options.as_json and not found.conversations:
        say(f"no conversation of {tenant!r} that fits has a claim; those stored: {hint('list', db=options.db)}")
    return Exit.OK


def document(found: FoundTopics) -> dict[str, object]:
    """The topics as JSON values."""
    return {
        "conversations": found.conversations,
        "topics": [{"conversations": list(one.conversations), **one.model_dump(mode="json")} for one in found.topics],
        "outside": [one.model_dump(mode="json") for one in found.outside],
        "notes": list(found.notes),
    }


def print_topics(out: Console, found: FoundTopics) -> None:
    """Each topic under its most central claim, then how many claims are in none."""
    for topic in found.topics:
        _print_topic(out, topic)
    every = sum(len(topic.claims) for topic in found.topics) + len(found.outside)
    of = f"{len(found.outside)} of {every} claims of {found.conversations} conversations are in no topic"
    heading(out, f"{len(found.topics)} topics; {of}")
    for note in found.notes:
        out.print(Text(note, style="dim"))


def _print_topic(out: Console, topic: Topic) -> None:
    heading(out, f"{topic.claims[0].text} ({len(topic.claims)} claims, {len(topic.conversations)} conversations)")
    for claim in topic.claims:
        out.print(Text.assemble(("• ", "bold"), _said(claim)))


def _said(claim: TopicClaim) -> str:
    return f"{name_of(claim.conversation)}: [{claim.section.value}] {claim.text} ({claim.id})"
