"""For `celery -A workers.main …`, which wants an application at import. `dissolve worker` needs no such shim.

Which class of steps the processes serve is said by the environment: DISSOLVE_QUEUE=io or cpu.
"""

import os

from dissolution.settings import load_settings
from workers.celery.worker import worker_app
from workers.pipeline import QueueClass

app = worker_app(load_settings(), QueueClass(os.environ.get("DISSOLVE_QUEUE", QueueClass.IO.value)))
