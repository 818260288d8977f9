"""Keys: read from the environment, or a project's .env, by name, reported at once when missing or a leftover placeholder, never shown."""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from pydantic import SecretStr

from pipeline.base.errors import ModelError, SettingsError
from pipeline.base.settings import ModelSettings, Settings

KEYLESS = "none"
"""What is sent as the key to servers that need none: clients refuse to be built without one."""

_HOSTED = {"azure", "anthropic"}
_PLACEHOLDER = re.compile(
    r"""^\s*(?:
        <.*> | \{.*\} | \[.*\] | \$.* | \.{3,} | [x*]{3,} | sk-[.x*]* | sk-(?:proj-|ant-)?[.x*]+ | none | null | todo
      | .*(?:your|my|insert|paste|enter)[\s_-]*(?:own[\s_-]*)?(?:open[\s_-]?ai[\s_-]*|api[\s_-]*)*key.*
      | change[\s_-]?me | replace[\s_-]?me | placeholder | api[\s_-]?key | key
    )\s*$""",
    re.IGNORECASE | re.VERBOSE,
)
_SHOWN = re.compile(
    r"(?i)((?:\b|_)(?:api[-_]?key|x-api-key|authorization)['\"]?\s*[:=]\s*['\"]?(?:bearer\s+)?|\bbearer\s+)[^\s'\",}]+"
)
_USER = re.compile(r"(?<=://)[^/\s@]+@")
_KEY_LIKE = re.compile(r"\b(?:sk|pk|lsv2|hf|gsk|tvly|xai|AIza)[-_][A-Za-z0-9_*.-]{6,}")
_SECRET_NAME = re.compile(r"(?i)(key|token|secret|passw|credential)")
ENV_FILE = ".env"
OTHER_KEYS = ("TAVILY_API_KEY", "NEO4J_PASSWORD")
"""Secrets besides the keys of models that a project may keep in its file."""
_from_files: set[str] = set()
"""Variables that were taken from such a file: that of the project opened last counts."""
_read: set[str] = set()
"""Secrets that were read in this process, from variables of whatever name and from addresses."""
_SHORTEST = 6
"""Values of the environment shorter than this are not looked for: they would replace ordinary words."""
_LONG = 8
"""Characters from which a part of a path may be a secret."""


def read_key(name: str, model: ModelSettings, environ: Mapping[str, str] = os.environ) -> SecretStr | None:
    """Return the key of the model called ``name``, or None when its server needs none.

    Raises ModelError, without any call, when settings name no variable though the provider wants a key, when the
    variable is missing or empty, or when it holds a placeholder.
    """
    _read.update(_secrets_of(model.base_url))
    variable = model.api_key_env
    if variable is None:
        if model.provider in _HOSTED or (model.provider == "openai" and model.base_url is None):
            raise _no_key(name, f"models.{name} names no api_key_env", "OPENAI_API_KEY")
        return None
    value = environ.get(variable, "").strip()
    if not value:
        state = "empty" if variable in environ else "not set"
        raise _no_key(name, f"the environment variable {variable} is {state}", variable)
    if _PLACEHOLDER.match(value) or not value.isascii() or any(letter.isspace() for letter in value):
        raise _no_key(name, f"the environment variable {variable} holds a placeholder or words, not a key", variable)
    _read.add(value)
    return SecretStr(value)


def read_env_file(root: Path, settings: Settings) -> None:
    """Take keys that the environment lacks from the file .env in a project's folder: those that settings name, and none
    else, since other variables would change more than whose account pays."""
    path = root / ENV_FILE
    if not path.is_file():
        return
    from dotenv import dotenv_values

    wanted = {model.api_key_env for model in settings.models.values()} | set(OTHER_KEYS)
    try:
        values = dotenv_values(path, interpolate=False, encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(
            f"{path} cannot be read: {error}", "it may hold keys that settings name", "fix the file, or take it away"
        ) from None
    for name, value in values.items():
        if name in wanted and value and (name not in os.environ or name in _from_files):
            os.environ[name] = value
            _from_files.add(name)


def redact(text: object, environ: Mapping[str, str] = os.environ) -> str:
    """Return ``text`` with every secret replaced: those that were read, what the environment holds under a name like
    KEY, TOKEN or SECRET, what looks like a key, and what follows ``Bearer`` or ``api_key=``."""
    shown = str(text)
    secrets = {value for key, value in environ.items() if len(value) >= _SHORTEST and _SECRET_NAME.search(key)}
    for secret in sorted(secrets | _read, key=len, reverse=True):
        shown = shown.replace(secret, "[key]")
    return _KEY_LIKE.sub("[key]", _SHOWN.sub(r"\1[key]", _USER.sub("[key]@", shown)))


def shown_address(url: str | None) -> str:
    """Return a server's address for messages: scheme, host and port, since a path or query may hold a secret."""
    parts = urlsplit(url or "")
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}" if url else ""


def _secrets_of(url: str | None) -> set[str]:
    """Return what of a server's path and query looks like a secret: values of the query, and long parts of the path that
    are no words."""
    parts = urlsplit(url or "")
    path = {part for part in parts.path.split("/") if len(part) >= _LONG and not (part.isalpha() and part.islower())}
    return path | {value for _, value in parse_qsl(parts.query) if len(value) >= _SHORTEST}


def _no_key(name: str, found: str, variable: str) -> ModelError:
    return ModelError(
        f"the model {name} has no key: {found}",
        "its server answers no call without one, so none was made",
        f"set {variable} in the environment or in the project's {ENV_FILE}, and name it as models.{name}.api_key_env; "
        "for a server of your own that needs no key, give its base_url and leave api_key_env null",
    )
