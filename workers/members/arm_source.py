"""What one reading of the probe is given."""

from dissolution.conversation import Snapshot
from probe.reading import ArmText

ArmSource = Snapshot | ArmText
"""The history, or a text; never two."""
