"""The tables of an evaluation: what retrieval found, what was answered, what the judge said."""

from pipeline.base.table import Table, column, flag, real, text, texts, whole, wholes
from pipeline.query.evaluation.answer_metrics import CLUSTER_DISTANCES

RECALL_AT = (2, 5, 10)
HIT_AT = (1, 3, 5, 10)

_NUMBER = column("number", whole, "line of the question")
_SETTINGS = column("settings", text, "settings that were changed; empty for those of the project")
_QUESTION = column("question", text, "the question")

RETRIEVAL = Table(
    "retrieval",
    "What was found for each question that names gold documents.",
    (
        _NUMBER,
        _SETTINGS,
        _QUESTION,
        column("n_gold", whole, "gold documents that the index holds"),
        column("lost", texts, "gold documents that the index does not hold; they count as not found"),
        column("found", texts, "ids of the documents found, best first, ten at most"),
        *(column(f"recall_{k}", real, f"share of the gold documents among the first {k}") for k in RECALL_AT),
        column(
            "rank",
            whole,
            "place of the first chunk that holds an expected passage; 0: not found; null: none is expected",
            null=True,
        ),
    ),
    key=("number", "settings"),
)

ANSWERS = Table(
    "answers",
    "The answer of each method to each question, and its measures.",
    (
        _NUMBER,
        column("method", text, "search method"),
        _SETTINGS,
        _QUESTION,
        column("answerable", flag, "whether the corpus holds the answer; null where that is not known", null=True),
        column("text", text, "the answer"),
        column("supported", flag, "whether it was answered; false where the answer says that the corpus does not say"),
        column("coverage", real, "share of what should have been looked at that was"),
        column("exact", real, "1 where it is a right answer as SQuAD compares; null where none is known", null=True),
        column("f1", real, "of tokens, against the nearest right answer", null=True),
        column("contains", real, "1 where it has a right answer word for word: for answers in sentences", null=True),
        column("cited", real, "share of the gold documents among its sources; null where none is known", null=True),
        column(
            "quoted", real, "share of the expected passages that its sources quote; null where none is known", null=True
        ),
        column(
            "support", real, "share of its assertions that their sources support; null where not checked", null=True
        ),
        column("words", whole, "length of the answer in words"),
        column("claims", whole, "sentences that assert something"),
        column("unique_claims", whole, "of them those that differ"),
        column("clusters", wholes, "clusters of them at the distances " + ", ".join(map(str, CLUSTER_DISTANCES))),
        column("calls", whole, "calls to models"),
        column("cached", whole, "replies from the cache"),
        column("tokens", whole, "tokens in and out"),
        column("cost", real, "in the currency of the prices; null where a price is not known", null=True),
    ),
    key=("number", "method", "settings"),
)

JUDGEMENTS = Table(
    "judgements",
    "What the judge said of each pair of answers, by criterion and order.",
    (
        _NUMBER,
        column("criterion", text, "comprehensiveness, diversity, empowerment or directness"),
        column("method", text, "search method, with the settings that were changed"),
        column("against", text, "the method it was compared with"),
        column("swapped", flag, "whether the answer of the other was shown first"),
        column("score", real, "1 where method won, 0.5 for a tie, else 0"),
        column("reason", text, "why"),
    ),
    key=("number", "criterion", "method", "against", "swapped"),
)
