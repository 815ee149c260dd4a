"""A tiny model with random weights, made here, against log-probabilities worked out by hand from its logits."""

import math
from pathlib import Path
from typing import Any

import pytest

from consensus.embedding.causal_model import MOST_TOKENS, CausalEstimator, CausalModel, digest_of, folder_of
from dissolution.errors import ModelAssetError
from dissolution.surprise import NO_TOKENS
from dissolution.values import NotMeasured

WORDS = ["the", "ledger", "lives", "in", "hamburg", "oslo", "we", "use", "do", "not", "postgres", "for", "shared", "."]
POSITIONS = 32

pytestmark = pytest.mark.usefixtures("weights")


def made(folder: Path, *, seed: int = 1, mark: bool = True) -> Path:
    """A two-layer model of words, as large as a picture."""
    import torch
    import transformers
    from tokenizers import Tokenizer, models, pre_tokenizers

    vocabulary = {word: place for place, word in enumerate(["<unk>", "<s>", *WORDS])}
    words = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    library: Any = transformers  # untyped
    marks = {"unk_token": "<unk>", **({"bos_token": "<s>"} if mark else {})}
    library.PreTrainedTokenizerFast(tokenizer_object=words, **marks).save_pretrained(folder)
    seeded: Any = torch  # untyped in part, as above
    seeded.manual_seed(seed)
    config = library.GPT2Config(
        vocab_size=len(vocabulary), n_positions=POSITIONS, n_embd=16, n_layer=2, n_head=2, initializer_range=1.0
    )
    library.GPT2LMHeadModel(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("models") / "tiny")


@pytest.fixture(scope="module")
def model(folder: Path) -> CausalModel:
    return CausalModel(str(folder))


def by_hand(folder: Path, tokens: list[int]) -> list[float]:
    """-log2 of the softmax of the logits, token after token, each from a run of its own."""
    import torch
    import transformers

    library: Any = transformers
    network: Any = library.GPT2LMHeadModel.from_pretrained(str(folder)).eval()
    found: list[float] = []
    for place in range(1, len(tokens)):
        with torch.no_grad():
            logits = network(torch.tensor([tokens[:place]])).logits[0, -1].double().tolist()
        whole = math.fsum(math.exp(one - max(logits)) for one in logits)
        found.append(-(logits[tokens[place]] - max(logits) - math.log(whole)) / math.log(2))
    return found


def test_bits_are_those_of_the_logits_and_add_up_over_turns(folder: Path, model: CausalModel) -> None:
    reader = CausalEstimator(model).resume(b"")
    first, second = reader.read("the ledger lives in hamburg ."), reader.read("we use postgres")
    tokens = [*model.beginning(), *model.tokens("the ledger lives in hamburg . we use postgres")]
    wanted = by_hand(folder, tokens)
    assert (first.tokens, second.tokens) == (6, 3)
    assert first.bits == pytest.approx(sum(wanted[:6]), rel=1e-4)
    assert second.bits == pytest.approx(sum(wanted[6:]), rel=1e-4)


def test_a_text_longer_than_the_window_is_read_in_halves(folder: Path, model: CausalModel) -> None:
    assert model.window == POSITIONS
    text = " ".join(WORDS * 3)
    tokens = [*model.beginning(), *model.tokens(text)]
    found = model.bits(tokens[:1], tokens[1:])
    assert len(found) == 42
    assert found[:16] == pytest.approx(by_hand(folder, tokens[:17]), rel=1e-4)
    assert found[-10:] == pytest.approx(by_hand(folder, tokens[-POSITIONS:])[-10:], rel=1e-4)


def test_without_a_mark_of_a_beginning_the_first_token_is_not_measured(tmp_path: Path) -> None:
    reader = CausalEstimator(CausalModel(str(made(tmp_path, mark=False)))).resume(b"")
    assert reader.read("oslo").bits == NO_TOKENS
    assert reader.read("we use").tokens == 2


@pytest.mark.parametrize("text", ["", "  ", "\n"])
def test_a_text_without_tokens_has_no_surprise(model: CausalModel, text: str) -> None:
    assert CausalEstimator(model).resume(b"").read(text).bits == NO_TOKENS


def test_huge_and_odd_texts_have_finite_bits(model: CausalModel) -> None:
    reader = CausalEstimator(model).resume(b"")
    for text in ("oslo " * 30_000, "\ud800 \x00 🙂", "的" * 50):
        found = reader.read(text)
        assert found.tokens <= MOST_TOKENS
        assert not isinstance(found.bits, NotMeasured)
        assert math.isfinite(found.bits)


def test_the_name_tells_the_weights(folder: Path, tmp_path: Path, model: CausalModel) -> None:
    name = CausalEstimator(model).name
    assert name == f"causal-1:tiny-{digest_of(folder)[:12]}:512"
    other = CausalEstimator(CausalModel(str(made(tmp_path / "tiny", seed=2))))
    assert other.name != name
    assert other.resume(b"").read("we use oslo").bits != CausalEstimator(model).resume(b"").read("we use oslo").bits


@pytest.mark.parametrize(
    "memory", [b"abc", b"cau1\x05\x00\x00\x00ab", b"cau1\xff\xff\xff\xff", b"bow1\x00\x00\x00\x00"]
)
def test_memory_of_something_else_is_refused(model: CausalModel, memory: bytes) -> None:
    with pytest.raises(ValueError, match="no memory of 'causal-1:tiny"):
        CausalEstimator(model).resume(memory)


def test_what_is_not_here_is_not_fetched(tmp_path: Path) -> None:
    with pytest.raises(ModelAssetError, match="neither a folder"):
        folder_of("nobody/no-such-model")
    with pytest.raises(ModelAssetError, match="neither a folder"):
        folder_of("not a name at all: ../x")
    with pytest.raises(ModelAssetError, match=r"holds no .*safetensors"):
        folder_of(str(tmp_path))
    (tmp_path / "model.safetensors").write_bytes(b"nothing")
    with pytest.raises(ModelAssetError, match="holds no causal model"):
        CausalModel(str(tmp_path)).tokens("words")
