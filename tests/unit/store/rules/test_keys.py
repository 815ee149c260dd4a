import hashlib

from pydantic import SecretStr

from store.rules.keys import KEY_BYTES, derived_key
from store.sql.unit_of_work import memory_unit_of_work_factory, sql_unit_of_work_factory

KEY = SecretStr("a configured key of more than 32 bytes, ü")


def test_a_configured_key_becomes_its_sha_256() -> None:
    assert derived_key(KEY) == hashlib.sha256(KEY.get_secret_value().encode()).digest()
    assert len(derived_key(KEY)) == KEY_BYTES


def test_a_configured_key_takes_the_place_of_the_stored_one(tmp_path: object) -> None:
    url = f"sqlite:///{tmp_path}/ledger.sqlite3"
    for units in (memory_unit_of_work_factory(installation_key=KEY), sql_unit_of_work_factory(url, 1, KEY)):
        with units() as unit:
            assert unit.installation_key() == derived_key(KEY)
    factory = sql_unit_of_work_factory(url)
    with factory() as unit:
        assert unit.installation_key() != derived_key(KEY)
    factory.close()
