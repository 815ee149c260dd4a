"""The settings of one installation: where things are. What a job may do is policy, not settings.

Precedence: flags (arguments) over environment (`DISSOLVE_…`) over the settings file over defaults.
"""

import os
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SecretsSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from dissolution.errors import InvalidSettings
from dissolution.installed import default_embedder
from dissolution.nearest import meant
from dissolution.secret_values import password_of, why_placeholder, with_password

ENVIRONMENT_PREFIX = "DISSOLVE_"
SETTINGS_FILE_VARIABLE = "DISSOLVE_SETTINGS"
SECRETS_FOLDER_VARIABLE = "DISSOLVE_SECRETS"
"""Names a folder with one file a secret (`redis_password` and the like), as containers are given them."""
MIN_KEY_BYTES = 32


def home() -> Path:
    """The default folder for the database and the settings file: `~/.dissolution`."""
    return Path.home() / ".dissolution"


def settings_file() -> Path:
    """The settings file: what `DISSOLVE_SETTINGS` names, else `settings.toml` in the default folder."""
    named = os.environ.get(SETTINGS_FILE_VARIABLE)
    return Path(named) if named else home() / "settings.toml"


class Settings(BaseSettings):
    """Typed, frozen; each field with unit, range, default and reason."""

    model_config = SettingsConfigDict(env_prefix=ENVIRONMENT_PREFIX, frozen=True, extra="forbid")

    db: str = Field(default_factory=lambda: f"sqlite:///{home() / 'ledger.sqlite3'}")
    """Database URL: SQLite or PostgreSQL."""

    installation_key: SecretStr | None = None
    """Keys secret placeholders and prompt delimiters; at least 32 bytes. By default made and kept in the database."""

    max_file_mb: Annotated[int, Field(ge=1, le=10_000)] = 100
    """Largest conversation file that is read."""

    max_turn_chars: Annotated[int, Field(ge=1000, le=100_000_000)] = 1_000_000
    """Longest turn; a longer one is usually a file pasted by mistake."""

    max_job_turns: Annotated[int, Field(ge=1, le=10_000_000)] = 20_000
    """Most turns of one job; more are refused at submission."""

    max_job_mb: Annotated[int, Field(ge=1, le=10_000)] = 20
    """Most text (UTF-8) of one job."""

    max_job_tokens: Annotated[int, Field(ge=1000, le=1_000_000_000)] = 5_000_000
    """Most tokens of one job, estimated without a model."""

    embedder: Annotated[str, Field(min_length=1)] = Field(default_factory=default_embedder)
    """Embedding model: `all-MiniLM-L6-v2`, `hashing` (spelling alone), or another with calibrated thresholds."""

    embed_threads: Annotated[int, Field(ge=1, le=64)] = 1
    """Threads of the embedding model. One keeps forked workers safe."""

    busy_timeout_s: Annotated[float, Field(gt=0, le=600)] = 30.0
    """How long a SQLite writer waits for another, or a call for a free connection."""

    lease_s: Annotated[float, Field(ge=5, le=3600)] = 60.0
    """How long a step is held without renewal before others may take it."""

    max_attempts: Annotated[int, Field(ge=1, le=100)] = 5
    """Attempts of a step before it is dead."""

    redis_url: SecretStr = SecretStr("redis://127.0.0.1:6379/0")
    """Redis that carries messages between workers (`redis://`, `rediss://` or `redis+socket://`); it may be wiped.
    `dissolve up` starts its own instead."""

    up_port: Annotated[int, Field(ge=1024, le=65535)] = 6390
    """Port of the Redis that `dissolve up` starts, on this machine alone."""

    io_processes: Annotated[int, Field(ge=1, le=64)] = 1
    """Workers of class `io` that `dissolve up` starts: more where one core is not enough."""

    io_steps: Annotated[int, Field(ge=1, le=2000)] = 200
    """Steps of one `io` worker at a time, each a thread that mostly waits for models; 200 take about 600 MB."""

    db_connections: Annotated[int, Field(ge=2, le=500)] = 12
    """Most database connections of one process. Transactions are short, so steps share them."""

    recall_memory_mb: Annotated[int, Field(ge=16, le=65_536)] = 512
    """Memory of one process's search indexes, about; the least used is dropped. 100,000 claims and 50,000 turns take
    about 300 with vectors."""

    cpu_processes: Annotated[int, Field(ge=1, le=64)] = 1
    """Processes of one `cpu` worker, each with an embedding model (600 MB and one core)."""

    giant_processes: Annotated[int, Field(ge=1, le=64)] = 2
    """Processes of one `giant` worker, each for one step of a very long conversation (up to `max_memory_mb` and one
    core). With two, one tenant's giants leave one to others."""

    tenant_giants: Annotated[int, Field(ge=1, le=1000)] = 1
    """Steps of very long conversations of one tenant at a time, over all workers."""

    step_limit_s: Annotated[float, Field(ge=5, le=21_600)] = 1800.0
    """Longest run of a step; then it is given back, and a minute later its process is killed. A longer
    `quorum.hard_deadline_s` is refused at submission."""

    max_memory_mb: Annotated[int, Field(ge=200, le=1_000_000)] = 2000
    """Memory above which a step ends its job and its process is replaced; the embedding model takes 600 to 900. A job
    expected to need more is refused at submission."""

    stop_grace_s: Annotated[float, Field(ge=0, le=600)] = 20.0
    """How long a stopped worker lets its steps run before it gives them back. Keep it below the grace period of what
    stops it."""

    relay_s: Annotated[float, Field(ge=0.05, le=5)] = 0.5
    """Pause between two looks of the relay."""

    resend_s: Annotated[float, Field(ge=1, le=3600)] = 15.0
    """When an untaken message is sent again; doubled each time, up to 32 times."""

    queue_window: Annotated[int, Field(ge=1, le=100_000)] = 200
    """Messages kept in one Redis queue; the rest waits in SQL."""

    circuit_failures: Annotated[int, Field(ge=1, le=1000)] = 5
    """Failures of a model in a row after which it is left alone."""

    circuit_open_s: Annotated[float, Field(gt=0, le=3600)] = 15.0
    """How long it is left alone before one request tries it; doubled each time, up to five minutes."""

    account_block_s: Annotated[float, Field(gt=0, le=86_400)] = 300.0
    """How long an account is not used after its provider refused key or credit. `dissolve fleet limits --reset` ends
    it."""

    tenant_jobs: Annotated[int, Field(ge=1, le=100_000)] = 64
    """Jobs of one tenant that ask their fleets at a time; other tenants pass those that wait."""

    tenant_calls: Annotated[int, Field(ge=1, le=1_000_000)] = 512
    """Calls of one tenant in flight, over all workers; others wait up to their deadline."""

    tenant_day_usd: Annotated[Decimal, Field(ge=0, le=1_000_000)] | None = None
    """What one tenant may use a day (UTC), reservations included. Not set: only each job's `budget.max_usd` holds."""

    day_usd: Annotated[Decimal, Field(ge=0, le=1_000_000)] | None = None
    """The same for all tenants together."""

    db_password: SecretStr | None = None
    """Password for `db` when its URL has none."""

    redis_password: SecretStr | None = None
    """The same for `redis_url`."""

    watch: Literal["off", "shadow", "on"] = "off"
    """Triggers on conversations that nobody names: none, recorded firings, or firings."""

    watch_policy: Path | None = None
    """Policy file (TOML) for them; `watch` wins over its `triggers.shadow`. Not set: the defaults."""

    watch_fleet: Annotated[str, Field(min_length=1)] = "extractive"
    """Fleet of the jobs they submit: `extractive`, or `roster:` and a file."""

    surprise_model: Annotated[str, Field(min_length=1, max_length=1000)] | None = None
    """Causal language model for surprise (docs/triggers.md): a folder, or a cached hub name."""

    flower_address: Annotated[str, Field(min_length=1)] = "127.0.0.1"
    """Address of Flower. It is for operators, and speaks plain HTTP."""

    flower_port: Annotated[int, Field(ge=1024, le=65535)] = 5555
    """Port of Flower, in `dissolve up` too."""

    flower_user: Annotated[str, Field(pattern=r"^[^:\s]+$")] = "operator"
    """Who signs in to Flower."""

    flower_password: SecretStr | None = None
    """The password; if not set, one is made and kept in a file."""

    api_address: Annotated[str, Field(min_length=1)] = "127.0.0.1"
    """Address of the HTTP service; any but loopback needs API keys."""

    api_port: Annotated[int, Field(ge=1024, le=65535)] = 8700
    """Port of the HTTP service, in `dissolve up` too."""

    mcp_port: Annotated[int, Field(ge=1024, le=65535)] = 8702
    """Port of `dissolve mcp --http`."""

    api_mode: Literal["embedded", "service"] = "embedded"
    """`embedded`: the HTTP service runs jobs itself and asks no key over loopback. `service`: workers run them, and
    every request needs a key."""

    api_body_mb: Annotated[int, Field(ge=1, le=1000)] = 20
    """Largest body of a request."""

    api_body_s: Annotated[float, Field(gt=0, le=3600)] = 30.0
    """How long a request may take to send its body."""

    api_headers_s: Annotated[float, Field(gt=0, le=3600)] = 10.0
    """How long a connection may take to send the headers of its request."""

    api_connections_per_address: Annotated[int, Field(ge=1, le=500)] = 100
    """Connections of one address (IPv6: of one /64 network) to one process, which takes 500. Behind a proxy set 500,
    and let the proxy count."""

    api_requests_per_minute: Annotated[int, Field(ge=1, le=10_000_000)] = 1200
    """Requests of one client a minute, counted by each process."""

    api_queued_jobs: Annotated[int, Field(ge=1, le=1_000_000)] = 10_000
    """Unfinished jobs of one tenant above which the HTTP service takes no more."""

    fleets_folder: str = Field(default_factory=lambda: str(home() / "fleets"))
    """Folder of the roster files (TOML) that HTTP requests may name."""

    policies_folder: str = Field(default_factory=lambda: str(home() / "policies"))
    """The same for policies."""

    webhook_private_addresses: bool = False
    """Whether webhooks may go to private addresses and over plain HTTP, for trials: who names an endpoint then reaches
    what this machine reaches."""

    log_format: Literal["text", "json"] = "text"
    """Log of workers and relays: lines for people, or JSON objects."""

    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    """The least that is logged. DEBUG covers this project alone, as libraries would log content."""

    metrics_address: Annotated[str, Field(min_length=1)] = "127.0.0.1"
    """Address of `dissolve metrics`, which has no password and no content."""

    metrics_port: Annotated[int, Field(ge=1024, le=65535)] = 8701
    """Its port."""

    otlp_endpoint: Annotated[str, Field(pattern=r"^https?://")] | None = None
    """Collector of OpenTelemetry traces, such as `http://127.0.0.1:4318/v1/traces`. Not set: no traces."""

    trace_share: Annotated[float, Field(ge=0, le=1)] = 1.0
    """Share of jobs that are traced, by every process or by none."""

    trace_content: bool = False
    """Whether traces carry prompts and replies, which then leave the database."""

    environment: Literal["local", "deployment"] = "local"
    """Placeholder secrets are accepted only in `local`."""

    @field_validator("installation_key")
    @classmethod
    def _key_is_long_enough(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and len(value.get_secret_value().encode()) < MIN_KEY_BYTES:
            message = f"shorter than {MIN_KEY_BYTES} bytes; make one with `openssl rand -hex 32`"
            raise ValueError(message)
        return value

    @model_validator(mode="before")
    @classmethod
    def _passwords_are_put_into_urls(cls, data: dict[str, object]) -> dict[str, object]:
        filled = dict(data)
        for url, secret in SECRET_OF_URL.items():
            password, place = revealed(data.get(secret)), revealed(data.get(url, cls.model_fields[url].default))
            if password is not None and place is not None:
                filled[url] = with_password(place, password)
        return filled

    @model_validator(mode="after")
    def _deployments_have_real_secrets(self) -> "Settings":
        if self.environment == "deployment":
            redis = password_of(self.redis_url.get_secret_value())
            found = {
                "db_password": password_of(self.db),
                "redis_password": "" if redis is None and "redis_url" in self.model_fields_set else redis,
                "installation_key": revealed(self.installation_key),
                "flower_password": revealed(self.flower_password),
            }
            for name, value in found.items():
                why = None if value is None else why_placeholder(value)
                if why is not None:
                    message = f"{name} {why}; make one with `openssl rand -hex 32`"
                    raise ValueError(message)
        return self

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - the hook's signature; no .env is read
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - the folder is known at run time only
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Flags, then environment, then the folder of secrets, then the settings file."""
        toml = TomlConfigSettingsSource(settings_cls, toml_file=settings_file())
        folder = os.environ.get(SECRETS_FOLDER_VARIABLE)
        if not folder:
            return (init_settings, env_settings, toml)
        if not Path(folder).is_dir():
            raise InvalidSettings(f"folder of secrets {folder!r}", f"is no folder; see {SECRETS_FOLDER_VARIABLE}")
        secrets = SecretsSettingsSource(settings_cls, secrets_dir=folder, env_prefix="")
        return (init_settings, env_settings, secrets, toml)


SECRET_OF_URL = {"db": "db_password", "redis_url": "redis_password"}


def revealed(value: object) -> str | None:
    """The text of a secret or of what may become one; None for anything else."""
    if isinstance(value, SecretStr):
        return value.get_secret_value()
    return value if isinstance(value, str) else None


def load_settings(**flags: object) -> Settings:
    """Settings from all sources; flags that are None count as not given. Raises InvalidSettings."""
    given = {name: value for name, value in flags.items() if value is not None}
    try:
        return Settings(**given)  # pyright: ignore[reportArgumentType] - pydantic checks the values
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        name = ".".join(str(part) for part in first["loc"]) or "settings"
        if first["type"] == "extra_forbidden":
            remedy = f"there is no such setting{meant(name, Settings.model_fields)}"
            raise InvalidSettings(f"setting {name!r}", f"{remedy} (see docs/settings.md)") from error
        raise InvalidSettings(f"setting {name!r}", f"{first['msg']} (see docs/settings.md)") from error
    except OSError as error:
        raise InvalidSettings(f"settings file {str(settings_file())!r}", f"cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise InvalidSettings(f"settings file {str(settings_file())!r}", f"is not valid TOML: {error}") from error
