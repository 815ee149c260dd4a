import xml.etree.ElementTree as ET

from frame_agent.register.fold import register_of
from reports.premises import frame_svg, lock_in_svg
from tests.factories import a_snapshot

TALK = a_snapshot(
    "Help me move <the copy> & more. I guess the inter-rack link is shared with backup traffic.",
    "Then the copy goes over the inter-rack link at night because it is shared with backup traffic.",
    "Fine, then we plan the copy for the night, since the link is shared.",
)


def test_the_picture_is_whole_has_its_words_as_text_and_is_the_same_each_time() -> None:
    register = register_of(TALK)
    drawn = frame_svg(register)
    assert drawn == frame_svg(register)
    root = ET.fromstring(drawn)  # noqa: S314 - as above
    told = "".join(root.itertext())
    assert "inter-rack link" in told
    assert len(root.findall(".//{*}g/{*}title")) >= 2
    assert root.findall(".//{*}path[@marker-end]")


def test_an_empty_register_is_drawn_too() -> None:
    assert ET.fromstring(frame_svg(register_of(a_snapshot("Hi.")))) is not None  # noqa: S314 - as above
    assert "svg" in lock_in_svg(register_of(TALK))
