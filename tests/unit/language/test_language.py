import pytest

from dissolution.values import NotMeasured
from language.detection import detect_language

SAMPLES = {
    "en": "We decided to move the database on Thursday, because the old server is full and nobody wants to wait.",
    "de": "Wir haben beschlossen, die Datenbank am Donnerstag umzuziehen, weil der alte Server voll ist.",
    "fr": "Nous avons décidé de déplacer la base de données jeudi, parce que l'ancien serveur est plein.",
    "es": "Hemos decidido mover la base de datos el jueves porque el servidor antiguo está lleno.",
    "ru": "Мы решили перенести базу данных в четверг, потому что старый сервер переполнен.",
    "ja": "古いサーバーがいっぱいなので、木曜日にデータベースを移行することにしました。",
    "zh": "我们决定星期四迁移数据库,因为旧服务器已经满了。",
}


@pytest.mark.parametrize("code", SAMPLES)
def test_the_language_of_a_sentence_or_two(code: str) -> None:
    found = detect_language(SAMPLES[code])

    assert found.code == code
    assert isinstance(found.confidence, float)
    assert 0.6 <= found.confidence <= 1


@pytest.mark.parametrize("text", ["", "ok", "hi there", "12345 67 --", "https://example.com/a/b/c/d/e/f/g/h/i/j/k/l/m"])
def test_too_little_text_is_undetermined_with_the_reason(text: str) -> None:
    found = detect_language(text)

    assert found.code == "und"
    assert found.confidence == NotMeasured(not_measured="too little text to tell the language")


def test_letters_of_no_language_are_undetermined() -> None:
    assert detect_language("qwzx vbnm plkj hgfd " * 10).code == "und" or detect_language("zzz " * 40).code == "und"


def test_a_long_text_is_judged_by_samples_from_all_of_it() -> None:
    half = SAMPLES["en"] + " "
    text = half * 20 + (SAMPLES["de"] + " ") * 2000

    assert detect_language(text).code == "de"


def test_identifiers_and_addresses_do_not_outvote_the_words() -> None:
    noise = " https://example.com/x user_id=42 kubectl.get() /srv/www/portal/app.py" * 10

    assert detect_language(SAMPLES["de"] + noise).code == "de"
