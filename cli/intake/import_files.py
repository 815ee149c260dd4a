"""`dissolve import`: conversations that other programs hold are stored, or listed without storing them."""

import json
import sys
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from cli.intake.import_views import Imported, Outcome, as_json, outcome_lines, print_found
from cli.shared.exits import Exit
from cli.shared.output import printing, say
from dissolution.conversation import Conversation
from dissolution.errors import DissolutionError, InvalidConversation
from dissolution.settings import Settings, load_settings
from dissolution.tenancy import DEFAULT_TENANT, scoped
from language.intake.assemble import Assembler
from language.intake.drafts import Draft
from language.intake.entries import FoundConversations, entries_of, entries_of_all
from language.intake.foreign.form import Entry
from language.intake.gathering import Gathered, gathered
from language.intake.options import Form
from language.intake.times import Stamps
from workers.bootstrap import open_services
from workers.services import Services
from workers.tenants.personal_data import recognisers_of
from workers.tenants.redaction import standing_or_given

ASIDE = "the talk of a helper, which is taken when --conversation names it"
NOTHING_SAID = "nothing is said in it"
TOLD_EVERY = 250
"""Conversations after which it is said how many there are: a large export takes minutes."""


@dataclass(frozen=True, kw_only=True)
class ImportOptions:
    """What was given on the command line of `dissolve import`."""

    files: Sequence[Path]
    listing: bool
    wanted: Sequence[str]
    form: str | None
    timezone: str | None
    db: str | None
    as_json: bool


def import_files(options: ImportOptions) -> Exit:
    """Store the conversations of files, folders and archives, or list them; one that is broken stops no other.

    Raises InvalidSettings, InvalidConversation (a time zone that nobody knows), StoreError.
    """
    settings = load_settings(db=options.db)
    Stamps(options.timezone)  # refuses a zone before anything is read
    if options.listing:
        outcome = _taken_in(options, settings, None)
    else:
        with open_services(settings) as services:
            outcome = _taken_in(options, settings, _Storing(services, settings))
    for warning in outcome_lines(outcome):
        say(warning)
    code = Exit.BAD_INPUT if outcome.refused else Exit.OK
    if not outcome.taken:
        code = Exit.BAD_INPUT
        say("no conversation was found; `dissolve import --help` and docs/conversations.md tell what is read")
    with printing(code):
        if options.as_json:
            sys.stdout.write(json.dumps(as_json(outcome), ensure_ascii=False, indent=1) + "\n")
        else:
            print_found(outcome, stored=not options.listing, db=options.db)
    return code


@dataclass(frozen=True, kw_only=True)
class _Candidate:
    """A conversation that is not read yet."""

    source: str
    found: FoundConversations
    entry: Entry
    name: str


class _Storing:
    """Stores conversations one by one, each in a transaction of its own."""

    def __init__(self, services: Services, settings: Settings) -> None:
        self._services = services
        self._settings = settings
        with services.unit_of_work() as work:
            self._key = work.installation_key()
            rules = work.service.intake.rules(DEFAULT_TENANT)
            work.commit()
        self._recognisers = recognisers_of(rules, None)

    def store(self, draft: Draft, name: str) -> tuple[Conversation, int, tuple[str, ...]]:
        """The conversation as it stands now, how many of its turns are new, and what there is to tell.

        Raises InvalidConversation, InputError, ChangedPast.
        """
        assembler = Assembler(
            key=self._key,
            max_turn_chars=self._settings.max_turn_chars,
            recorded_at=self._services.clock.now(),
            recognisers=self._recognisers,
        )
        given, warnings = assembler.conversation(draft, scoped(DEFAULT_TENANT, name))
        with self._services.unit_of_work() as work:
            added = work.conversations.extend(standing_or_given(work, given))
            work.commit()
        return given, added, warnings


def _taken_in(options: ImportOptions, settings: Settings, storing: _Storing | None) -> Outcome:
    outcome = Outcome()
    wanted = set(options.wanted)
    with closing(_candidates(options, settings, outcome)) as candidates:
        for one in candidates:
            if wanted and one.name not in wanted:
                continue
            if one.entry.aside and not wanted:
                outcome.pass_over(f"{one.source}, conversation {one.name!r}", ASIDE)
                continue
            try:
                imported = _imported(one, options, storing)
            except DissolutionError as error:
                outcome.refuse(f"{one.source}, conversation {one.name!r}", error)
                continue
            if imported is None:
                outcome.pass_over(f"{one.source}, conversation {one.name!r}", NOTHING_SAID)
                continue
            outcome.taken.append(imported)
            if len(outcome.taken) % TOLD_EVERY == 0:
                say(f"{len(outcome.taken)} conversations so far")
    for name in sorted(wanted - {one.id for one in outcome.taken}):
        missing = InvalidConversation(f"no conversation {name!r} is there", "see the ids with --list")
        if not any(repr(name) in place for place, _ in outcome.refused):
            outcome.refuse(f"--conversation {name}", missing)
    return outcome


def _imported(one: _Candidate, options: ImportOptions, storing: _Storing | None) -> Imported | None:
    """What became of one conversation; None when nobody says anything in it."""
    stamps = Stamps(options.timezone)
    draft = one.entry.draft(stamps)
    if not draft.turns:
        return None
    dates = sorted(turn.said_at for turn in draft.turns if turn.said_at is not None)
    warnings, added, title = draft.warnings, None, draft.title or one.entry.title
    if storing is not None:
        kept, added, warnings = storing.store(draft._replace(title=title), one.name)
        title = kept.title
    return Imported(
        id=one.name,
        title=title,
        form=one.found.detected.form.value,
        reason=one.found.detected.reason,
        source=one.source,
        turns=len(draft.turns),
        added=added,
        first=dates[0] if dates else None,
        last=dates[-1] if dates else None,
        warnings=(*stamps.warnings(), *warnings),
    )


def _candidates(options: ImportOptions, settings: Settings, outcome: Outcome) -> Generator[_Candidate]:
    """Every conversation of all that was given, in order; what cannot be read is noted and passed."""
    form = Form(options.form) if options.form else None
    for path in options.files:
        try:
            with gathered(path, settings.max_file_mb * 1_000_000) as given:
                for passed in given.passed_over:
                    outcome.pass_over(f"{given.name}/{passed.path}", passed.reason)
                yield from _of_one(given, form, outcome)
        except InvalidConversation as error:
            outcome.refuse(str(path), error)


def _of_one(given: Gathered, form: Form | None, outcome: Outcome) -> Generator[_Candidate]:
    whole = None if given.alone or form is not None else entries_of_all(given.files)
    if whole is not None:
        yield from _named(given.name, given.name, whole)
        return
    for path in given.files:
        source = given.name if given.alone else f"{given.name}/{path}"
        try:
            found = entries_of(given.files[path], form)
        except InvalidConversation as error:
            if given.alone:
                outcome.refuse(source, error)
            else:  # an export holds much beside conversations
                outcome.pass_over(source, error.args[0])
            continue
        yield from _named(source, path, found)


def _named(source: str, path: str, found: FoundConversations) -> Generator[_Candidate]:
    """The conversations of a file under their own ids; without one, under the file's path, and a number of several."""
    stem = ".".join(Path(path).with_suffix("").parts)
    for number, entry in enumerate(found.entries, start=1):
        name = entry.id or (stem if len(found.entries) == 1 else f"{stem}-{number}")
        yield _Candidate(source=source, found=found, entry=entry, name=name)
