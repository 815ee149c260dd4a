"""Method "echo": rare words that another turn takes up or has said before."""

from fleet.extractive.units import Reading, voice

UNHEARD = 0.2  # what a sentence that no other turn resembles still counts


def score(reading: Reading) -> list[float]:
    """What the rarity of a unit's words comes to, times how near the nearest words of another turn stand."""
    return [
        reading.substance(unit) * (UNHEARD + echoed) * voice(unit)
        for unit, echoed in zip(reading.units, reading.echoed, strict=True)
    ]
