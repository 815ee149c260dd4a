"""One example for the help of each command: something that can be typed as it stands, with names of your own."""

import typer

EXAMPLES = {
    "run": "dissolve run talk.json --fleet roster.toml --out out/talk",
    "resume": "dissolve resume j3f2a",
    "list": "dissolve list --name launch --limit 50",
    "show": "dissolve show launch --as html >launch.html",
    "explain": "dissolve explain 4be1",
    "classify": "dissolve classify talk.json --only deferred",
    "enqueue": "dissolve enqueue talks/one.json talks/two.json --fleet roster.toml",
    "status": "dissolve status --watch",
    "cancel": "dissolve cancel j3f2a",
    "requeue": "dissolve requeue j3f2a",
    "worker": "dissolve worker --queue io --steps 50",
    "relay": "dissolve relay",
    "up": "dissolve up --api-port 8710 --no-flower",
    "migrate": "dissolve migrate --db postgresql://user@host/dissolve",
    "health": "dissolve health database redis worker-io",
    "doctor": "dissolve doctor --roster roster.toml --local",
    "metrics": "dissolve metrics --port 9400",
    "flower": "dissolve flower --port 5555",
    "api": "dissolve api --port 8710",
    "mcp": "dissolve mcp --http --port 8711",
    "append": "dissolve append launch more.json --after 20",
    "import": "dissolve import --list conversations.json",
    "preview": "dissolve preview launch",
    "commit": "dissolve commit j3f2a --out out/launch",
    "discard": "dissolve discard j3f2a --why 'the reviewers were away'",
    "log": "dissolve log launch",
    "diff": "dissolve diff launch 1 3",
    "rollback": "dissolve rollback launch --to 2 --why 'version 3 lost the deadline'",
    "recall": "dissolve recall launch 'redirect table' --turn 20",
    "pin": "dissolve pin 4be1 --why 'the auditor asks for it'",
    "unpin": "dissolve unpin 4be1",
    "confirm": "dissolve confirm 4be1 --by mara",
    "retract": "dissolve retract 4be1 --never-held --why 'it was a typing error'",
    "dismiss": "dissolve dismiss 9c07 --why 'decided otherwise in the meeting'",
    "erase": "dissolve erase launch --why 'asked for by mail' --yes",
    "erasures": "dissolve erasures",
    "probe": "dissolve probe --history talk.json --context summary.md --preset strict",
    "policy show": "dissolve policy show mine.toml --json",
    "frame": "dissolve frame launch --svg frame.svg",
    "topics": "dissolve topics --least 3",
    "experiment": "dissolve experiment 1 --out out/experiment-1",
    "completion": "dissolve completion bash >~/.dissolve-completion.bash",
    "fleet check": "dissolve fleet check roster.toml",
    "fleet price": "dissolve fleet price talk.json --fleet roster.toml",
    "fleet limits": "dissolve fleet limits --reset openai/gpt-4o",
    "fleet spend": "dissolve fleet spend --day all --tenant default",
    "fleet scorecard": "dissolve fleet scorecard --conversation launch",
    "keys create": "dissolve keys create laptop --scope read --days 30",
    "keys list": "dissolve keys list --tenant default",
    "keys rotate": "dissolve keys rotate 3k9x1m2p5q7z --hours 48",
    "keys revoke": "dissolve keys revoke 3k9x1m2p5q7z",
    "keys erase-tenant": "dissolve keys erase-tenant acme --why 'the contract ended' --yes",
    "triggers watch": "dissolve triggers watch launch --preset balanced --live",
    "triggers unwatch": "dissolve triggers unwatch launch",
    "triggers state": "dissolve triggers state launch",
    "triggers explain": "dissolve triggers explain launch --chart why.svg",
    "triggers calibrate": "dissolve triggers calibrate talks/one.json talks/two.json --out triggers.toml",
    "triggers fire": "dissolve triggers fire launch --why 'the sprint is over'",
    "triggers catch-up": "dissolve triggers catch-up --limit 100",
    "stability run": "dissolve stability run talk.json --every 14 --replicates 3",
    "stability resume": "dissolve stability resume r7d2",
    "stability compare": "dissolve stability compare r7d2 r81c",
    "stability report": "dissolve stability report r7d2 --out out/stability",
    "stability list": "dissolve stability list",
    "stability cancel": "dissolve stability cancel r7d2 --reason 'the roster was wrong'",
}
"""By the words after `dissolve`."""


def add_examples(app: typer.Typer, before: str = "") -> None:
    """Put each command's example below its help. One without an example keeps its help as it is."""
    for command in app.registered_commands:
        name = command.name or (command.callback.__name__ if command.callback else "")
        example = EXAMPLES.get(f"{before}{name}")
        if example is not None:
            command.epilog = f"\b\nExample:\n  {example}"  # \b: the lines stay as they are
    for group in app.registered_groups:
        if group.typer_instance is not None:
            add_examples(group.typer_instance, f"{before}{group.name} ")
