"""The data dictionary: every table that graphstrata writes, declared here once and nowhere else."""

import pyarrow as pa

from pipeline.base.table import (
    Table,
    column,
    flag,
    real,
    single,
    singles,
    small,
    smalls,
    text,
    texts,
    vector,
    whole,
    wholes,
)

DOCUMENTS = Table(
    "documents",
    "The texts as they were read, one row a document.",
    (
        column("id", text, "hash of source, record key and text"),
        column("title", text, "title column, first heading, or the file's name in words"),
        column("source", text, "path relative to the input folder"),
        column("text", text, "the text that was read; spans of chunks count from its start"),
        column("n_tokens", whole, "length in tokens"),
        column(
            "metadata",
            text,
            "JSON object: encoding, record key, date (of metadata, a line Date above the text, or the file's name), and the metadata "
            "columns that settings name",
        ),
        column(
            "place_unit",
            text,
            "what the file is counted in: line, page, paragraph, row, record, slide, cells, time; empty: unknown",
        ),
        column("place_first", small, "number of the first unit, where units have no labels"),
        column("place_offsets", smalls, "where stretches of the text begin, and where the text ends"),
        column("place_starts", smalls, "the position in the file of each stretch; -1 for what reading inserted"),
        column("place_breaks", smalls, "the position in the file at which each unit begins"),
        column("place_labels", texts, "names of the units, where they are no mere numbers"),
    ),
    version=2,
)

CHUNKS = Table(
    "chunks",
    "Overlapping windows of a document, in reading order.",
    (
        column("id", text, "hash of document id, position and text"),
        column("document_id", text, "the document it was cut from", refers="documents.id"),
        column("position", whole, "0 for the first chunk of its document"),
        column("start", whole, "character offset in the document's text"),
        column("end", whole, "end offset, exclusive: document.text[start:end] == text"),
        column("anchor", text, "the document's title, and the heading that the chunk begins with or under"),
        column("text", text, "the window itself"),
        column("n_tokens", whole, "length in tokens"),
    ),
)

VOCABULARY = Table(
    "vocabulary",
    "Names and salient phrases of the corpus, chosen by statistics: what can be recognised in a text or a question.",
    (
        column("title", text, "canonical spelling"),
        column(
            "kind",
            text,
            "name; title, a name of ordinary words; shared, a name of several people; or phrase",
            among=("name", "title", "shared", "phrase"),
        ),
        column("type", text, "PERSON, ORGANIZATION, PLACE, EVENT, WORK or CONCEPT, by rules"),
        column(
            "forms",
            texts,
            "every written form that is recognised, the title among them unless it is also an adjective of a place (Persian)",
        ),
        column("frequency", whole, "how often the chunks have it"),
        column("spread", whole, "number of chunks that have it"),
    ),
    key=("title",),
)

SENTENCES = Table(
    "sentences",
    "Every sentence of the chunks, annotated once: the names of the vocabulary, longest first and without overlap, pronouns, dates.",
    (
        column("chunk_id", text, "the chunk", refers="chunks.id"),
        column("start", whole, "character offset in the chunk's text"),
        column("end", whole, "end offset, exclusive"),
        column("language", text, "two letters after ISO 639-1, or und"),
        column("titles", texts, "names that are in it, and those its pronouns refer to", refers="vocabulary.title"),
        column("starts", smalls, "where each of them starts in the chunk's text, ascending"),
        column("ends", smalls, "where it ends, exclusive"),
        column(
            "roles",
            texts,
            "empty for a name; subject, object or possessive for a pronoun resolved to it",
            among=("", "subject", "object", "possessive"),
        ),
        column("date_starts", smalls, "where each date starts in the chunk's text"),
        column("date_ends", smalls, "where it ends, exclusive"),
        column("date_firsts", texts, "its first day, ISO"),
        column("date_lasts", texts, "its last day, ISO"),
    ),
    key=("chunk_id", "start"),
)

ENTITY_MENTIONS = Table(
    "entity_mentions",
    "An entity as one chunk describes it; merged into entities.",
    (
        column("chunk_id", text, "where it was read", refers="chunks.id"),
        column("title", text, "the name as extracted"),
        column("type", text, "what it is, as extracted"),
        column("description", text, "what the chunk says of it"),
    ),
    key=(),
)

RELATIONSHIP_MENTIONS = Table(
    "relationship_mentions",
    "A relationship as one chunk describes it; merged into relationships.",
    (
        column("chunk_id", text, "where it was read", refers="chunks.id"),
        column("source", text, "entity title as extracted"),
        column("target", text, "entity title as extracted"),
        column("description", text, "what the chunk says of the two"),
        column("weight", real, "strength as extracted, above 0"),
    ),
    key=(),
)

ALIASES = Table(
    "aliases",
    "Which names are one entity: a row for each name other than its entity's title, and for each decision on two names.",
    (
        column("name", text, "the name as it is written"),
        column(
            "entity", text, "title of the entity that it names or, where not joined, of one that it might have named"
        ),
        column("joined", flag, "whether it names the entity; false: the two look alike and are kept apart"),
        column(
            "evidence",
            text,
            "what the decision rests on: spelling, form, inflection, words, short, initials, person, event, description, correction",
            among=(
                "spelling",
                "form",
                "inflection",
                "words",
                "short",
                "initials",
                "person",
                "event",
                "description",
                "correction",
            ),
        ),
        column("score", real, "how sure it is that the two are one, 0 to 1"),
        column("by", text, "rule, model or correction", among=("rule", "model", "correction")),
        column("reason", text, "in words"),
        column("type", text, "the type that a correction gives the entity, or null", null=True),
    ),
    key=("name", "entity"),
)

ENTITIES = Table(
    "entities",
    "The nodes of the graph: mentions merged by the entity that their title names.",
    (
        column("id", text, "hash of the title"),
        column("title", text, "canonical spelling; the key by which other tables name an entity"),
        column("type", text, "majority of its mentions, unless a correction says otherwise"),
        column(
            "aliases",
            texts,
            "its other names, each of this entity alone: spellings, short forms, names that were resolved to it",
        ),
        column("description", text, "descriptions of its mentions, joined or summarised"),
        column("chunk_ids", texts, "chunks that mention it", refers="chunks.id"),
        column("frequency", whole, "number of chunks that mention it"),
        column("degree", whole, "number of its relationships"),
    ),
    version=2,
)

RELATIONSHIPS = Table(
    "relationships",
    "The edges of the graph: undirected, source before target in the order of titles.",
    (
        column("id", text, "hash of both titles"),
        column("source", text, "an entity's title", refers="entities.title"),
        column("target", text, "an entity's title", refers="entities.title"),
        column("description", text, "descriptions of its mentions, joined or summarised"),
        column("weight", real, "sum over its mentions"),
        column("combined_degree", whole, "degree of source plus degree of target"),
        column("chunk_ids", texts, "chunks that mention it", refers="chunks.id"),
    ),
)

CLAIMS = Table(
    "claims",
    "What a chunk asserts of an entity, with the words that say so.",
    (
        column("id", text, "hash of chunk, subject, object, description and quote"),
        column("chunk_id", text, "where it was read", refers="chunks.id"),
        column("subject", text, "an entity's title", refers="entities.title"),
        column(
            "object", text, "an entity's title, or null when the claim has none", refers="entities.title", null=True
        ),
        column("type", text, "kind of claim"),
        column("status", text, "TRUE, FALSE or SUSPECTED", among=("TRUE", "FALSE", "SUSPECTED")),
        column("description", text, "the claim in a sentence"),
        column("start_date", text, "ISO date at which it begins, or null", null=True),
        column("end_date", text, "ISO date at which it ends, or null", null=True),
        column("quote", text, "the words of the chunk that the claim rests on"),
        column("start", whole, "where the quote starts in the chunk's text; null when it was not found", null=True),
        column("end", whole, "where it ends, exclusive; null when it was not found", null=True),
    ),
)

FACTS = Table(
    "facts",
    "Atomic facts: the smallest statements that can be understood alone (GraphReader).",
    (
        column("id", text, "hash of the text"),
        column("text", text, "the fact, its pronouns replaced by names"),
        column(
            "quote",
            text,
            "the sentence that it was made from, as its first chunk has it; null when a model wrote the fact",
            null=True,
        ),
        column("start", whole, "where the quote starts in the text of the first of its chunks, or null", null=True),
        column("end", whole, "where it ends, exclusive, or null", null=True),
        column("chunk_ids", texts, "chunks that state it", refers="chunks.id"),
        column("key_element_ids", texts, "key elements it rests on", refers="key_elements.id"),
    ),
    version=2,
)

KEY_ELEMENTS = Table(
    "key_elements",
    "The nouns, names, verbs and adjectives that carry facts (GraphReader); neighbours share facts.",
    (
        column("id", text, "hash of the title"),
        column("title", text, "normalised spelling"),
        column("aliases", texts, "other spellings that were normalised into it"),
        column("fact_ids", texts, "facts that it carries", refers="facts.id"),
        column("chunk_ids", texts, "chunks of those facts", refers="chunks.id"),
        column("frequency", whole, "number of its facts"),
    ),
)

COMMUNITIES = Table(
    "communities",
    "Hierarchical Leiden communities; each level holds every entity once, down to its leaf.",
    (
        column("id", text, "hash of level and members"),
        column("community", whole, "number, unique over all levels"),
        column("level", whole, "0 for the largest communities"),
        column("parent", whole, "number of the community it was split from; -1 at level 0"),
        column("children", wholes, "numbers of the communities it was split into", refers="communities.community"),
        column("title", text, "its best-connected entities"),
        column("entity_ids", texts, "its members", refers="entities.id"),
        column("relationship_ids", texts, "relationships with both ends inside", refers="relationships.id"),
        column("chunk_ids", texts, "chunks of its members' relationships and of lone members", refers="chunks.id"),
        column("size", whole, "number of entities"),
    ),
)

LAYOUT = Table(
    "layout",
    "Where the map draws each entity and each community: communities are nested disks, their entities lie inside.",
    (
        column("entity", text, "the entity; null for a community's own disk", refers="entities.id", null=True),
        column(
            "community",
            whole,
            "the community, of an entity its leaf; null for an entity of no community",
            refers="communities.community",
            null=True,
        ),
        column("level", whole, "level of that community"),
        column("x", real, "to the right; the unit is about the distance between neighbours in a leaf"),
        column("y", real, "upwards"),
        column("radius", real, "of a community's disk; 0 for an entity"),
    ),
    key=("entity", "community"),
)

FINDING = pa.struct(
    [
        pa.field("summary", pa.string()),
        pa.field("explanation", pa.string()),
        pa.field("citations", pa.list_(pa.string())),
    ]
)

COMMUNITY_REPORTS = Table(
    "community_reports",
    "A report on each community, written bottom-up; findings cite entities, relationships, claims or child reports.",
    (
        column("id", text, "hash of the community's id and the report's text"),
        column("community", whole, "number of the community", refers="communities.community"),
        column("level", whole, "its level"),
        column("title", text, "what it is about"),
        column("summary", text, "in a paragraph"),
        column("summary_citations", texts, "ids of the rows that the summary rests on"),
        column("findings", pa.list_(FINDING), "summary, explanation and cited row ids of each finding"),
        column("rank", real, "importance, 0 to 10"),
        column("rank_explanation", text, "why that rank"),
        column("full_content", text, "title, summary and findings as Markdown, as global search reads it"),
        column("n_tokens", whole, "length of full_content in tokens"),
        column("written_by", text, "model, or offline", among=("model", "offline")),
        column("edges_owned", whole, "relationships inside the community"),
        column("edges_shown", whole, "how many of them were in the report's context, directly or by a child report"),
        column(
            "children_used",
            wholes,
            "communities whose reports were in the context in place of rows",
            refers="communities.community",
        ),
    ),
)

RETRIEVAL_PASSAGES = Table(
    "retrieval_passages",
    "What retrieval keeps of each chunk, in the order of chunks: words and names as row numbers of the next tables.",
    (
        column("chunk_id", text, "the chunk", refers="chunks.id"),
        column("tokens", smalls, "its words in reading order, rows of retrieval_terms"),
        column("sentence_ends", smalls, "where its sentences end among its tokens, exclusive"),
        column("sentence_spans", smalls, "start and end of each sentence in its characters, in turn"),
        column("names", smalls, "names in it or in its anchor, rows of retrieval_names, ascending"),
        column("weights", singles, "how much it is about each of them"),
        column("mentions", smalls, "names in reading order, one for each place"),
        column("mention_starts", smalls, "first token of each place"),
        column("mention_ends", smalls, "end of each place among its tokens, exclusive"),
        column("mention_shares", singles, "1 where the name itself is written there, less where another implies it"),
        column("subjects", smalls, "names that it is about"),
        column("subject_weights", singles, "how surely: 1, 2 or 3"),
    ),
    key=("chunk_id",),
)

RETRIEVAL_TERMS = Table(
    "retrieval_terms",
    "The words of the corpus, folded, with the chunks that hold them.",
    (
        column("terms", text, "the word"),
        column("capitals", small, "how often it has a capital inside a sentence"),
        column("lowers", small, "how often it is in lower case"),
        column("stems", small, "number of its stem; words of one stem are forms of one word"),
        column("families", small, "number of its family: words that begin alike"),
        column("stem_spread", small, "number of chunks with a word of the same stem"),
        column("postings", smalls, "chunks that hold it, rows of retrieval_passages, ascending"),
        column("counts", smalls, "how often each of them holds it"),
    ),
    key=("terms",),
    version=2,
)

RETRIEVAL_NAMES = Table(
    "retrieval_names",
    "The names by which retrieval walks: entities, and what anchors and capitals name besides.",
    (column("titles", text, "the name"),),
    key=(),
)

RETRIEVAL_FORMS = Table(
    "retrieval_forms",
    "The written forms of those names.",
    (
        column("forms", smalls, "its words, rows of retrieval_terms"),
        column("form_names", smalls, "names that it is a form of, rows of retrieval_names"),
        column("form_spread", small, "number of chunks that have it"),
        column("form_capital", single, "share of its occurrences that have a capital, 0 to 1"),
    ),
    key=(),
)

EMBEDDINGS = Table(
    "embeddings",
    "Vectors of rows of other tables, when an embedding model is configured.",
    (
        column("table", text, "name of the table"),
        column("row_id", text, "id of the row"),
        column("part", whole, "number of the part of its text, from 0; only chunks have several"),
        column("vector", vector, "unit length, in 16 bits"),
    ),
    key=("table", "row_id", "part"),
    version=3,
)

FAILURES = Table(
    "failures",
    "What could not be done in the run that made this index, and what was left out on purpose, each with its reason.",
    (
        column("workflow", text, "stage"),
        column("task", text, "task, or reading for files"),
        column("item", text, "file, chunk, community or other row it concerns"),
        column(
            "kind",
            text,
            "failed (a new run tries again), or skipped (a decision, reported)",
            among=("failed", "skipped"),
        ),
        column("reason", text, "what was found"),
        column("attempts", whole, "how often it was tried"),
    ),
    key=(),
)

CALLS = Table(
    "calls",
    "Every question put to a model in the run that made this index.",
    (
        column("workflow", text, "stage"),
        column("task", text, "task"),
        column("item", text, "row it concerns"),
        column("model", text, "model that answered"),
        column("cached", flag, "answered from the cache, at no cost"),
        column("tokens_in", whole, "tokens of the question"),
        column("tokens_out", whole, "tokens of the reply"),
        column("cost", real, "in the currency of the prices in settings; null when no price is known", null=True),
        column("seconds", real, "from question to reply"),
    ),
    key=(),
)

TABLES = {table.name: table for table in list(globals().values()) if isinstance(table, Table)}
"""All tables by name, in the order of the data. ``failures`` and ``calls`` describe a run; the others the corpus."""
