"""The roster of a simulated fleet: the same file that plays the models says who they are and what they cost."""

from devtools.loopback_spec import LoopbackSpec

TIMEOUT_S = 120.0


def roster_text(spec: LoopbackSpec, base_url: str, *, timeout_s: float = TIMEOUT_S, max_attempts: int = 2) -> str:
    """A roster (TOML) whose members ask the models of a provider.

    Args:
        spec: What the provider plays.
        base_url: Where it listens, without a path.
        timeout_s: How long one request may take (s).
        max_attempts: Requests of one call.
    """
    parts: list[str] = []
    for name, script in spec.models.items():
        price = script.price
        parts.append(
            f'[[member]]\nname = "{name}"\nmodel = "openai/{name}"\nfamily = "{spec.family_of(name)}"\n'
            f'api_base = "{base_url}/v1"\ntimeout_s = {timeout_s:g}\nmax_attempts = {max_attempts}\n'
            f"price = {{ input_usd = {price.input_usd}, cached_input_usd = {price.cached_input_usd}, "
            f"output_usd = {price.output_usd} }}\n"
        )
    return "\n".join(parts)
