"""All settings: each with its default, type and help in one place; settings.yaml is read here and written from here."""

import re
import shlex
import warnings
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from pipeline.base.errors import SettingsError, meant

SETTINGS_FILE = "settings.yaml"
"""What makes a folder a project."""
_ENDINGS = (
    *("txt", "md", "csv", "tsv", "json", "jsonl", "html", "htm"),
    *("pdf", "docx", "xlsx", "pptx", "epub", "eml", "mbox", "srt", "vtt", "rst", "org"),
)
"""Of the files that are read unless settings say otherwise."""


class Section(BaseModel):
    """A group of settings; unknown keys are refused, and no error shows a value, which may be a key."""

    model_config = ConfigDict(extra="forbid", frozen=True, validate_default=True, hide_input_in_errors=True)


class InputSettings(Section):
    """Which files are read, and where in them the text is."""

    folder: str = Field(
        "input",
        description="folder of texts, relative to this file; or an address: s3://, gs://, az:// (extras of these names)",
    )
    patterns: tuple[str, ...] = Field(
        tuple(f"**/*.{ending}" for ending in _ENDINGS),
        description="glob patterns relative to the folder (.pdf, .xlsx and .pptx need the extra 'office')",
    )
    exclude: tuple[str, ...] = Field((), description="glob patterns of files to leave out")
    text_column: str = Field("text", description="column or key that holds the text, in .csv, .json and .jsonl")
    title_column: str = Field("title", description="column or key that holds the title, where there is one")
    id_column: str = Field(
        "", description="column or key that names a record; empty: id, key, ticket, ... where there is one"
    )
    date_column: str = Field(
        "", description="column or key that holds a record's date; empty: date, created, ... likewise"
    )
    metadata_columns: tuple[str, ...] = Field(
        ("*",), description="columns or keys to keep as metadata of a record; * for all that are short"
    )
    web_pages: Literal["text", "whole", "main"] = Field(
        "text",
        description="of HTML text: all but what a page marks as navigation; whole: all; main: the page's own text (extra 'web')",
    )
    max_file_mb: Annotated[float, Field(gt=0)] = Field(200, description="larger files are refused, in megabytes")


class OutputSettings(Section):
    """Where the tables go."""

    folder: str = Field("output", description="folder of the index, relative to this file")
    keep_generations: Annotated[int, Field(ge=1)] = Field(2, description="finished generations kept for rollback")


class ChunkSettings(Section):
    """How documents are cut."""

    size: Annotated[int, Field(ge=1)] = Field(600, description="longest chunk, in tokens")
    overlap: Annotated[int, Field(ge=0)] = Field(100, description="tokens that neighbouring chunks share")
    tokenizer: str = Field(
        "auto",
        description="auto (o200k_base when its ranks are on disk, else estimate; kept between runs), estimate, "
        "or a tiktoken encoding",
    )


class ModelSettings(Section):
    """One model: who serves it, its limits, its price."""

    provider: str = Field(
        "openai", description="openai (or any server of that protocol), azure, anthropic, ollama, ..."
    )
    model: str = Field(description="name of the model, or of the Azure deployment")
    kind: Literal["chat", "embedding"] = Field("chat", description="chat or embedding")
    base_url: str | None = Field(
        None,
        description="address of the server, for those not at the provider's own; a new one keeps the cached replies, "
        "which the model's name and parameters shape",
    )
    api_key_env: str | None = Field(
        None, description="environment variable that holds the key; null for servers that need none"
    )
    api_version: str | None = Field(None, description="Azure only")
    temperature: float | None = Field(0.0, description="null for models that refuse it")
    seed: int | None = Field(None, description="sent to servers that take one")
    structured: Literal["json_schema", "function_calling", "json_mode"] = Field(
        "json_schema",
        description="how replies are structured; graphstrata doctor --online shows what the server can do",
    )
    concurrency: Annotated[int, Field(ge=1)] = Field(25, description="calls in flight at once")
    requests_per_minute: Annotated[int, Field(ge=1)] | None = Field(None, description="null for no limit")
    tokens_per_minute: Annotated[int, Field(ge=1)] | None = Field(None, description="null for no limit")
    timeout_seconds: Annotated[float, Field(gt=0)] = Field(180, description="of one call")
    max_attempts: Annotated[int, Field(ge=1)] = Field(
        6, description="tries of one call on 429, 5xx and lost connections"
    )
    max_output_tokens: Annotated[int, Field(ge=1)] | None = Field(None, description="null for the server's own limit")
    batch: bool = Field(
        False,
        description="index by the provider's batch files (OpenAI's protocol): half the price, replies within a day; "
        "a run that was ended finds its batches again",
    )
    context_tokens: Annotated[int, Field(ge=1)] = Field(128_000, description="longest question and reply together")
    question_prefix: str = Field(
        "", description="what an embedding model wants before a question, such as 'query: '; its model card says"
    )
    text_prefix: str = Field("", description="what it wants before a text that is found, such as 'passage: '")
    price_in: Annotated[float, Field(ge=0)] | None = Field(None, description="price of a million input tokens")
    price_out: Annotated[float, Field(ge=0)] | None = Field(None, description="price of a million output tokens")

    @property
    def unpriced(self) -> list[str]:
        """The prices that are not known and would have to be; an embedding model writes nothing."""
        needed = ("price_in",) if self.kind == "embedding" else ("price_in", "price_out")
        return [price for price in needed if getattr(self, price) is None]

    @field_validator("api_key_env")
    @classmethod
    def _names_a_variable(cls, name: str | None) -> str | None:
        if name is not None and (not re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII) or _KEY_ITSELF.search(name)):
            raise ValueError(
                "this is not the name of an environment variable; the key itself is never written into a file"
            )
        return name

    @field_validator("api_version", mode="before")
    @classmethod
    def _is_written_as_a_date(cls, version: object) -> object:
        return version.isoformat() if isinstance(version, date) else version  # as YAML reads 2024-10-21

    @field_validator("base_url")
    @classmethod
    def _is_an_address(cls, url: str | None) -> str | None:
        try:
            parts = urlsplit(url or "http://localhost")
            # An @ behind the host is that of a password with a slash in it.
            usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
            usable = usable and "@" not in parts.path
        except ValueError:
            usable = False
        if not usable:
            raise ValueError("this is not an address such as http://localhost:11434/v1")
        return url


_KEY_ITSELF = re.compile(r"(?=[^_]*[0-9])(?=[^_]*[a-z])[^_]{20,}")
"""No name of a variable, but a key that consists of letters and digits."""


class TaskSettings(Section):
    """What one task does otherwise than the default."""

    model: str | None = Field(None, description="name of a model above")
    prompt: str | None = Field(
        None, description="file with an own prompt, relative to this file: system part, a line of ---, user part"
    )


class LanguageSettings(Section):
    """Which model answers what. With no models everything is done without one, without key or network."""

    default: str | None = Field(None, description="name of the chat model that tasks use; null for none")
    embedding: str | None = Field(None, description="name of the embedding model; null for none")
    output: str | None = Field(
        None,
        description="language of what is written, such as German; null for that of the texts, and of the question in answers",
    )
    max_repairs: Annotated[int, Field(ge=0)] = Field(
        2, description="times a reply that does not validate is asked again"
    )


class EngineSettings(Section):
    """Where work without a model is done, and calls to models are made; results do not depend on it."""

    kind: Literal["local", "ray"] = Field(
        "local", description="local for processes of this machine, ray for a Ray cluster (extra 'ray')"
    )
    address: str | None = Field(
        None, description="of the Ray cluster, such as 10.0.0.5:6379; null for one on this machine, on loopback alone"
    )
    workers: Annotated[int, Field(ge=1)] | None = Field(
        None,
        description="processes; null for one a core, as far as memory_mb goes, and where there is one core for none "
        "beside the program's own",
    )
    memory_mb: Annotated[int, Field(ge=300)] | None = Field(
        None,
        description="memory planned for a run and its local workers: where it is little, workers are fewer and less is done at once, "
        "with the same tables; a run that took more says so at its end; null for half of the machine's",
    )


class GraphSettings(Section):
    """Entities, relationships and their descriptions."""

    entity_types: tuple[str, ...] = Field(
        ("PERSON", "ORGANIZATION", "PLACE", "EVENT", "WORK", "CONCEPT"), description="types that a model is asked for"
    )
    description_tokens: Annotated[int, Field(ge=1)] = Field(
        400, description="joined descriptions longer than this are summarised"
    )


class NameSettings(Section):
    """Which names there are, and which of them are one entity; corrections.yaml overrules it."""

    recogniser: Annotated[str, Field(pattern=r"^(rules|(spacy|gliner):\S+)$")] = Field(
        "rules",
        description="what finds names where no model extracts: rules, spacy:MODEL or gliner:MODEL (extras of these names)",
    )
    resolve: bool = Field(True, description="join names that rules, or a model, find to be names of one entity")


class ExtractionSettings(Section):
    """How chunks are read."""

    one_pass: bool = Field(
        False, description="ask for entities, relationships, claims and facts in a single reply: a third of the calls"
    )
    max_gleanings: Annotated[int, Field(ge=0)] = Field(
        1,
        description="rounds of asking a model for entities and relationships that it missed; with one_pass for all that it missed",
    )
    stop_phrases: tuple[str, ...] = Field(
        (), description="names and phrases that are no entities, whatever their case; * stands for any letters"
    )


class ClaimSettings(Section):
    """Claims."""

    enabled: bool = Field(True, description="extract claims")
    about: str = Field(
        "Any assertion about an entity that matters to its story and could be checked",
        description="what a model takes for a claim",
    )
    max_gleanings: Annotated[int, Field(ge=0)] = Field(
        0, description="rounds of asking a model for claims that it missed"
    )


class FactSettings(Section):
    """Atomic facts and key elements."""

    max_share: Annotated[float, Field(gt=0, le=1)] = Field(
        0.05, description="a key element of more than this share of all facts is over-broad and dropped"
    )
    max_gleanings: Annotated[int, Field(ge=0)] = Field(
        0, description="rounds of asking a model for facts that it missed"
    )


class CommunitySettings(Section):
    """Leiden communities."""

    max_size: Annotated[int, Field(ge=2)] = Field(10, description="larger communities are split into a next level")
    resolution: Annotated[float, Field(gt=0)] = Field(1.0, description="higher makes more, smaller communities")
    seed: int = Field(1431, description="of the random choices")
    engine: Literal["native", "graspologic"] = Field(
        "native",
        description="how Leiden is called: native, graspologic's compiled core itself; graspologic, through the package (extra "
        "'graspologic', Python below 3.13); both find the same communities",
    )
    stable: bool = Field(True, description="keep the last partition where little changed, so that reports are kept too")
    max_loss: Annotated[float, Field(ge=0, le=1)] = Field(
        0.01, description="warn when keeping the partition loses more modularity than this"
    )
    refresh: bool = Field(False, description="cluster afresh by itself when the loss is passed")


class ReportSettings(Section):
    """Community reports."""

    context_tokens: Annotated[int, Field(ge=100)] = Field(8000, description="longest context of a report")
    min_size: Annotated[int, Field(ge=1)] = Field(
        4, description="reports on communities of fewer entities are always written without a model"
    )
    min_tokens: Annotated[int, Field(ge=0)] = Field(
        500, description="and so are those on communities whose records take fewer tokens: these are shown whole"
    )


class SearchSettings(Section):
    """Answering questions."""

    level: Annotated[int, Field(ge=0)] | Literal["dynamic"] | None = Field(
        None,
        description="level of the reports that global search reads; dynamic to rate reports from the top and descend "
        "where it pays; null for the finest that the effort has room for",
    )
    effort: Literal["low", "medium", "high"] = Field(
        "medium",
        description="what a global question may read and write: low 8,000 tokens of reports and 800 of answer, medium "
        "24,000 and 2,000, high 120,000 and 3,000",
    )
    form: str | None = Field(
        None,
        description="form of global answers: multiple paragraphs, list, one paragraph, one sentence, or your own words; null "
        "for paragraphs, with headings when long",
    )
    context_tokens: Annotated[int, Field(ge=100)] = Field(8000, description="longest context of one question")
    answer_tokens: Annotated[int, Field(ge=50)] | None = Field(
        None, description="about how long answers may be; null for 800, in global search for what the effort gives"
    )
    seed: int = Field(1431, description="of shuffles")
    max_map_calls: Annotated[int, Field(ge=1)] = Field(
        60, description="most map calls of one global question; the ratings of dynamic selection take at most half"
    )
    chunks: Annotated[int, Field(ge=1)] = Field(
        10, description="chunks found for a question by basic, entity, drift and fusion search"
    )
    entities: Annotated[int, Field(ge=1)] = Field(10, description="entities that entity search starts from")
    chunk_share: Annotated[float, Field(ge=0, le=1)] = Field(
        0.5, description="share of entity search's context for chunks, the words that an answer can quote"
    )
    report_share: Annotated[float, Field(ge=0, le=1)] = Field(
        0.15, description="share for community reports; entities, relationships and claims have what is left"
    )
    primer_reports: Annotated[int, Field(ge=1)] = Field(10, description="reports that drift search begins with")
    primer_folds: Annotated[int, Field(ge=1)] = Field(5, description="calls that they are shared out to")
    follow_ups: Annotated[int, Field(ge=1)] = Field(4, description="follow-up questions of one round of drift search")
    rounds: Annotated[int, Field(ge=0)] = Field(2, description="rounds of follow-up questions of drift search")
    similar_questions: Annotated[int, Field(ge=0)] = Field(
        3, description="questions like the one asked that fusion and drift search retrieve with"
    )
    web: str | None = Field(
        None, description="web search where fusion search finds too little: tavily (extra 'web', key in TAVILY_API_KEY)"
    )
    check_support: Literal["words", "model", "off"] = Field(
        "model",
        description="what says whether the sources of an answer support its sentences: words; model, which also chooses among "
        "the passages, a call for about 480 words (words where no model is set); or off",
    )
    unsupported: Literal["revise", "flag", "leave_out"] = Field(
        "revise",
        description="what becomes of sentences that no source supports: flag to list them in --json as "
        "unsupported_sentences, leave_out to take them out of the answer, revise to take out what a model found unsupported "
        "and narrow what it found partly supported (flag where only words were compared)",
    )
    walks: Annotated[int, Field(ge=1)] = Field(3, description="start nodes of local search, one walk each")
    walk_calls: Annotated[int, Field(ge=1)] = Field(4, description="most calls of one walk")
    max_seconds: Annotated[float, Field(gt=0)] | None = Field(
        None, description="deadline of an answer, which then says what it rests on; null for none"
    )

    @model_validator(mode="after")
    def _shares_fit(self) -> "SearchSettings":
        if self.chunk_share + self.report_share > 1:
            raise ValueError("chunk_share and report_share are more than the whole")
        return self


class LimitSettings(Section):
    """Caps of one run; passing one stops it cleanly, and the next run goes on from there."""

    max_cost: Annotated[float, Field(ge=0)] | None = Field(None, description="in the currency of the prices")
    max_calls: Annotated[int, Field(ge=0)] | None = Field(None, description="calls to models")
    max_minutes: Annotated[float, Field(ge=0)] | None = Field(None, description="minutes")
    currency: Annotated[str, Field(pattern="^[A-Z]{3}$")] = Field(
        "USD", description="of all prices and caps, as the page shows it; three letters"
    )


class ServeSettings(Section):
    """Questions that readers of graphstrata serve ask."""

    max_cost_per_question: Annotated[float, Field(ge=0)] | None = Field(
        None, description="in the currency of the prices; a question stops before exceeding it"
    )
    max_cost_per_day: Annotated[float, Field(ge=0)] | None = Field(
        None, description="of all questions of a day together, by the clock of the server"
    )
    questions_at_once: Annotated[int, Field(ge=1)] = Field(8, description="questions answered at once; others wait")
    questions_waiting: Annotated[int, Field(ge=0)] = Field(200, description="questions that may wait; more are refused")


class Settings(Section):
    """Everything in settings.yaml."""

    input: InputSettings = InputSettings()
    output: OutputSettings = OutputSettings()
    chunks: ChunkSettings = ChunkSettings()
    models: dict[str, ModelSettings] = Field({}, description="models by a name of your own")
    language: LanguageSettings = LanguageSettings()
    tasks: dict[str, TaskSettings] = Field({}, description="tasks that use another model or prompt than the default")
    extraction: ExtractionSettings = ExtractionSettings()
    names: NameSettings = NameSettings()
    graph: GraphSettings = GraphSettings()
    claims: ClaimSettings = ClaimSettings()
    facts: FactSettings = FactSettings()
    communities: CommunitySettings = CommunitySettings()
    reports: ReportSettings = ReportSettings()
    search: SearchSettings = SearchSettings()
    limits: LimitSettings = LimitSettings()
    serve: ServeSettings = ServeSettings()
    engine: EngineSettings = EngineSettings()

    @property
    def has_chat_model(self) -> bool:
        """Whether a chat model answers any task."""
        return bool(self.language.default or any(own.model for own in self.tasks.values()))

    def without_models(self) -> "Settings":
        """The same settings, of which no task and no vector asks a model: everything is done as where none is set up."""
        language = self.language.model_copy(update={"default": None, "embedding": None})
        tasks = {name: own.model_copy(update={"model": None}) for name, own in self.tasks.items()}
        return self.model_copy(update={"language": language, "tasks": tasks})

    @property
    def shown_currency(self) -> str:
        """The currency that costs are shown in; empty where no model has a price."""
        prices = (price for model in self.models.values() for price in (model.price_in, model.price_out))
        return self.limits.currency if any(prices) else ""


def read_own_text(path: Path) -> str | None:
    """Read a file that a person writes for a project, None where there is none; SettingsError where it cannot be read."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(
            f"{path} cannot be read: {error}", "it must be a text file in UTF-8", "fix the file"
        ) from error


def read_settings(path: Path) -> Settings:
    """Read settings.yaml; a missing file, broken YAML, an unknown key or a wrong value raises SettingsError."""
    text = read_own_text(path)
    if text is None:
        raise SettingsError(
            f"no settings at {path}",
            "a project folder holds a settings.yaml",
            f"run: graphstrata init {shlex.quote(str(path.parent))}; or name the folder of a project with --root",
        )
    content = read_yaml(text, path.name)
    return parse_settings({} if content is None else content, path.name)


class _KeysOnce(yaml.SafeLoader):  # type: ignore[misc]
    """Reads YAML as its standard has it: a mapping holds a key once, where PyYAML would take the last without a word."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """Make a mapping; ConstructorError names the key that is there twice."""
        seen = set()
        for key, _ in node.value:
            if (key.tag, str(key.value)) in seen:
                first = f"the key {key.value} is there a second time; what is under the first would be passed over"
                raise yaml.constructor.ConstructorError(problem=first, problem_mark=key.start_mark)
            seen.add((key.tag, str(key.value)))
        made: dict[Any, Any] = super().construct_mapping(node, deep)
        return made


def read_yaml(text: str, where: str) -> Any:
    """Return what a YAML text holds; SettingsError with the line of what is wrong in it, ``where`` being its file's name."""
    try:
        return _KeysOnce(text).get_single_data()
    except RecursionError as error:
        raise SettingsError(f"{where} is nested too deep", "it is not usable YAML", "write it flatter") from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark else ""
        what = getattr(error, "problem", None) or error
        raise SettingsError(f"{where}{line}: {what}", "it is not valid YAML", "fix that line") from error


def given_settings(file: Path, given: Mapping[str, Any] | str | Path | None = None) -> Settings:
    """Return settings as programs give them: those of ``file``, or the defaults where it does not exist, changed as a
    mapping says; a path, which must exist, takes the place of ``file``."""
    if isinstance(given, str | Path):
        return read_settings(Path(given))
    settings = read_settings(file) if file.exists() else Settings()
    return laid_over(settings, given) if given else settings


def laid_over(base: Settings, changes: Mapping[str, Any]) -> Settings:
    """Return ``base`` with some of its settings changed, given as in settings.yaml: ``{"search": {"walks": 5}}``.
    SettingsError for what does not fit."""
    content = base.model_dump(mode="json", exclude_unset=True)
    for section, values in changes.items():
        known = content.get(section)
        both = isinstance(known, dict) and isinstance(values, Mapping)
        content[section] = {**known, **values} if both else values  # type: ignore[dict-item]
    return parse_settings(content)


def parse_settings(content: object, where: str = "settings") -> Settings:
    """Check settings that were read; SettingsError names every key that does not fit and the nearest known one."""
    if not isinstance(content, dict):
        raise SettingsError(
            f"{where} holds a {type(content).__name__}", "it must hold sections with keys", "see: graphstrata init"
        )
    content = _under_new_names(content, where)
    try:
        settings = Settings.model_validate(content)
    except ValidationError as error:
        unknown = any(item["type"] == "extra_forbidden" for item in error.errors())
        raise SettingsError(
            "\n".join(f"{where}: {_problem(item)}" for item in error.errors()),
            "settings that are not known would otherwise be passed over in silence"
            if unknown
            else "no other value is taken in the place of one that does not fit",
            "fix them; graphstrata init --print shows every setting with its help",
        ) from error
    _check_names(settings, where)
    return settings


MOVED = {("language", "workers"): ("engine", "workers")}
"""Settings that are called otherwise now; the old names are understood, with a warning."""


def _under_new_names(content: dict[str, Any], where: str) -> dict[str, Any]:
    for (old, key), (new, name) in MOVED.items():
        section = content.get(old)
        if isinstance(section, dict) and key in section:
            warnings.warn(
                f"{where}: {old}.{key} is called {new}.{name} now; the old name will be gone in 0.3",
                FutureWarning,
                stacklevel=4,
            )
            kept = {other: value for other, value in section.items() if other != key}
            target = content.get(new) or {}
            content = {
                **content,
                old: kept,
                new: {name: section[key], **target} if isinstance(target, dict) else target,
            }
    return content


_ALTERNATIVE = re.compile(r"(?:constrained-|literal\[|function-)")
"""How pydantic names, behind the key of a setting that may be of several kinds, the kind that a value does not fit."""
WHOLE_NUMBER = "it must be a whole number"
_EXPECTED = {
    "tuple_type": "it must be a list, such as [one, two]",
    "model_type": "it must be a section with keys",
    "dict_type": "it must be a section with keys",
    "string_type": "it must be text",
    "int_type": WHOLE_NUMBER,
    "int_parsing": WHOLE_NUMBER,
    "int_from_float": WHOLE_NUMBER,
    "float_type": "it must be a number",
    "float_parsing": "it must be a number",
    "bool_type": "it must be true or false",
    "bool_parsing": "it must be true or false",
    "missing": "it is missing",
}
"""What a value of another kind should have been, where pydantic says it in Python's words."""


def _problem(item: Any) -> str:
    path = [str(part) for part in item["loc"] if not _ALTERNATIVE.match(str(part))]
    name = ".".join(path)
    if item["type"] != "extra_forbidden":
        found = item["input"]
        # A text in the settings of a model may be its key, put beside the wrong name.
        harmless = isinstance(found, bool | int | float) or (item["type"].endswith("_parsing") and path[0] != "models")
        shown = f", found {found!r}" if harmless else ""
        if item["type"] == "literal_error" and isinstance(found, str):
            shown = meant(found, re.findall(r"'([^']+)'", item["ctx"]["expected"]), 0.5)
        message = item["msg"].replace("Input should be", "it must be", 1)
        said = _EXPECTED.get(item["type"], message[:1].lower() + message[1:])
        return f"{name}: {said}{shown}"
    return f"unknown key {name}{meant(path[-1], _keys(path[:-1]), 0.5)}"


def _keys(path: list[str]) -> list[str]:
    """Return the known keys of the section at ``path``."""
    if path[:1] in (["models"], ["tasks"]):
        return list((ModelSettings if path[0] == "models" else TaskSettings).model_fields)
    section: type[BaseModel] = Settings
    for part in path:
        section = section.model_fields[part].annotation  # type: ignore[assignment]
    return list(section.model_fields)


def _check_names(settings: Settings, where: str) -> None:
    named = [
        ("language.default", settings.language.default, "chat"),
        ("language.embedding", settings.language.embedding, "embedding"),
    ]
    named += [(f"tasks.{task}.model", own.model, "chat") for task, own in settings.tasks.items()]
    for key, name, kind in named:
        if name is None:
            continue
        known = [known for known, model in settings.models.items() if model.kind == kind]
        if name not in known:
            raise SettingsError(
                f"{where}: {key} names {name!r}{meant(name, known, 0.5)}",
                f"models of kind {kind}: {', '.join(known) or 'none'}",
                "name one under models:",
            )
    if settings.chunks.overlap >= settings.chunks.size:
        raise SettingsError(
            f"{where}: chunks.overlap {settings.chunks.overlap} with chunks.size {settings.chunks.size}",
            "the overlap must be smaller than the chunk, or cutting would never end",
            "lower chunks.overlap",
        )


EXAMPLE_MODELS = """\
# models:
#   middle:
#     model: gpt-4o-mini            # or any model of a server at base_url: Ollama, vLLM, LM Studio
#     api_key_env: OPENAI_API_KEY   # the key itself is never written into a file
#     price_in: 0.15
#     price_out: 0.60
# language:
#   default: middle
"""


def write_settings() -> str:
    """Return settings.yaml with every setting at its default and its help as a comment."""
    lines = ["# Settings of graphstrata. Everything here is at its default; what you leave out stays so.", ""]
    for name, field in Settings.model_fields.items():
        default = field.get_default(call_default_factory=True)
        if isinstance(default, Section):
            lines.append(f"{name}:  # {(type(default).__doc__ or '').strip()}")
            lines += [f"  {line}" for key, item in type(default).model_fields.items() for line in _setting(key, item)]
        else:
            lines.append(f"{name}: {{}}  # {field.description}")
            lines += ["#   NAME:"] + [
                f"#     {line}" for key, item in _entry(name).items() for line in _setting(key, item)
            ]
        lines.append("")
    return "\n".join(lines) + "# To use a model, for example:\n" + EXAMPLE_MODELS


def _entry(name: str) -> dict[str, Any]:
    return dict((ModelSettings if name == "models" else TaskSettings).model_fields)


def _setting(key: str, field: Any) -> list[str]:
    value = "..." if field.is_required() else field.default
    shown = yaml.safe_dump(list(value) if isinstance(value, tuple) else value, default_flow_style=True, width=10_000)
    return [f"{key}: {shown.splitlines()[0]}  # {field.description}"]
