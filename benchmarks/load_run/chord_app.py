"""The Celery application of the comparison: a chord with one header task a model, as one would write it without us."""

import os
from typing import Any, cast

from celery import Celery

from fleet.litellm_gateway import load_litellm

URL = os.environ["CHORD_REDIS_URL"]
app = cast("Any", Celery("chord", broker=URL, backend=URL))
load_litellm()  # before the fork, so that nine processes do not import it one by one
app.conf.update(worker_prefetch_multiplier=1, task_acks_late=True, broker_connection_retry_on_startup=True)


@app.task(name="ask")
def ask(base: str, model: str, prompt: str) -> str:
    """One call of one model."""
    reply = load_litellm().completion(
        model=f"openai/{model}",
        messages=[{"role": "user", "content": prompt}],
        api_base=f"{base}/v1",
        api_key="none",
        timeout=120,
        max_retries=0,
    )
    return str(reply.choices[0].message.content)


@app.task(name="gathered")
def gathered(answers: list[str]) -> int:
    """The body: it runs when every model has answered."""
    return len(answers)
