"""Tuning a project: a sample is read and counted, a model is asked once where there is one, and changes are proposed."""

from contextlib import closing
from dataclasses import dataclass, replace

from pipeline.language.cache import CACHE_FILE, Cache
from pipeline.language.factory import open_service
from pipeline.language.language import Reply
from pipeline.language.prompt_cost import NOTHING, PromptCost, prompt_cost
from pipeline.language.tasks.indexing.propose_settings import CorpusSample, GraphExample, propose_settings
from pipeline.runner.progress import Progress, Silent
from pipeline.runner.project import Project
from pipeline.runner.tuning.changes import ProposedChanges, changes_of
from pipeline.runner.tuning.proposal import Proposal, counted_proposal, shown_example
from pipeline.runner.tuning.sample import CorpusRead, read_sample
from pipeline.text.sentences import split

CHARACTERS = 600_000
"""Of the sample: about 150,000 tokens, read in a quarter of a minute."""
SEED = 1431
_EXCERPT = 1_200
_EXCERPTS = 12
_NAMES = 300
_REPLY_TOKENS = 1_400


@dataclass(frozen=True)
class Tuning:
    """What was proposed, by whom, and from what."""

    proposal: Proposal
    changes: ProposedChanges
    by: str
    """"counting", or the model's name."""
    documents: int
    of: int
    characters: int
    usage: dict[str, float]


def tune(project: Project, characters: int = CHARACTERS, seed: int = SEED, progress: Progress | None = None) -> Tuning:
    """Read a sample and return what is proposed for the project; nothing is written but the model's reply to the cache.

    The same texts, settings and seed give the same proposal. A model that fails, or none, leaves what was counted.
    """
    progress = progress or Silent()
    with read_sample(project, characters, seed, progress) as read:
        proposal = counted_proposal(read.tables)
        request = _request(read, proposal)
    by, usage = "counting", dict[str, float]()
    if project.settings.language.default:
        proposal, by, usage = _asked(project, proposal, request, progress)
    changes = changes_of(proposal, project.settings, project.root)
    return Tuning(proposal, changes, by, read.documents, read.of, read.characters, usage)


def estimate_tuning(project: Project, characters: int = CHARACTERS, seed: int = SEED) -> PromptCost:
    """Return what ``tune`` would ask of the model now; no call is made and no key needed."""
    if project.settings.language.default is None:
        return NOTHING
    with read_sample(project, characters, seed, Silent()) as read:
        request = _request(read, counted_proposal(read.tables))
    return prompt_cost(propose_settings, [request], _REPLY_TOKENS, project.settings)


def _asked(
    project: Project, proposal: Proposal, request: CorpusSample, progress: Progress
) -> tuple[Proposal, str, dict[str, float]]:
    """Return the proposal as the model of the settings changes it, who made it, and what that took."""
    store = project.store
    store.prepare()
    last, _ = store.last_or_error()
    cache = Cache(store.folder / CACHE_FILE, last.manifest.generation if last else 0)
    with closing(open_service(project.settings, project.root, cache, log=progress.line)) as opened:
        service = opened.service
        service.ledger.stage = "tune"
        before = service.ledger.mark()
        reply = service.one(propose_settings, request)
        usage = service.ledger.used(before)
    if not isinstance(reply, Reply):
        progress.line(f"the model gave no proposal, so what was counted is proposed: {reply.reason}")
        return proposal, "counting", usage
    said = reply.value
    stops = dict.fromkeys(said.stop_phrases, f"by {reply.by}")
    changed = replace(
        proposal,
        domain=said.domain or proposal.domain,
        entity_types=tuple(said.entity_types) or proposal.entity_types,
        claims=said.claims or proposal.claims,
        stop_phrases=stops or proposal.stop_phrases,
        examples=tuple(map(_example, said.examples)),
    )
    return changed, reply.by, usage


def _example(example: GraphExample) -> str:
    entities = (f"{one.title} ({one.type.upper()}: {one.description})" for one in example.entities)
    pairs = (f"{one.source} - {one.target} ({one.description}; {one.weight:g})" for one in example.relationships)
    return shown_example(example.text, entities, pairs)


def _excerpt(text: str) -> str:
    """Return the first whole sentences of a text that are short enough, or the beginning of the first: a sentence cut short
    would be shown to the model that extracts, as an example."""
    return text[: max((end for _, end in split(text) if end <= _EXCERPT), default=_EXCERPT)]


def _request(read: CorpusRead, proposal: Proposal) -> CorpusSample:
    chunks = read.tables.table("chunks", ["text"])["text"].to_pylist()
    step = max(1, len(chunks) // _EXCERPTS)
    excerpts = "\n\n".join(map(_excerpt, chunks[::step][:_EXCERPTS]))
    rows = read.tables.table("entities", ["title", "frequency"]).to_pylist()
    rows.sort(key=lambda row: (-row["frequency"], row["title"]))
    names = [*(row["title"] for row in rows[: _NAMES // 2]), *list(proposal.stop_phrases)[: _NAMES // 2]]
    counted = ", ".join(f"{kind} {count}" for kind, count in proposal.counts.items())
    return CorpusSample("corpus", excerpts, tuple(dict.fromkeys(names)), counted)
