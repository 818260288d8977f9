"""Words by which a question leans on the one before it, in the languages that graphstrata meets most."""

import re

from pipeline.text.lexicon.words import listed


def _pronouns(language: str, **kinds: str) -> re.Pattern[str]:
    """One named group for each kind of pronoun; scripts without spaces are searched without borders of words."""
    groups = []
    for kind, words in kinds.items():
        either = "|".join(sorted(words.split(), key=lambda word: (-len(word), word)))
        bordered = rf"(?<![\w'’-])(?P<{kind}>{either})(?![\w'’])"
        groups.append(f"(?P<{kind}>{either})" if language in ("zh", "ja") else bordered)
    # Capitalised, the German "Sie" and "Ihr" address the reader.
    return re.compile("|".join(groups), re.NOFLAG if language == "de" else re.IGNORECASE)


PRONOUNS = {
    "en": _pronouns("en", m="he him his", f="she her", thing="it its", plural="they them their", place="there"),
    "de": _pronouns(
        "de",
        m="er Er ihn ihm sein seine seinen seinem seiner seines",
        f="sie ihr ihre ihren ihrem ihrer ihres",
        thing="es",
        place="dort Dort",
    ),
    "fr": _pronouns("fr", m="il lui", f="elle", plural="ils elles eux leur leurs", any="son sa ses"),
    "es": _pronouns("es", m="él", f="ella", plural="ellos ellas", any="su sus lo la los las le les", place="allí"),
    "it": _pronouns("it", m="lui egli", f="lei ella", plural="loro essi", any="suo sua suoi sue", place="lì là"),
    "pt": _pronouns("pt", m="ele dele", f="ela dela", plural="eles elas deles delas", any="seu sua seus suas"),
    "nl": _pronouns("nl", m="hij hem zijn", f="zij haar", plural="hun hen", place="daar"),
    "ru": _pronouns("ru", m="он его ему им нём", f="она её ее ей ней", plural="они их ими них", place="там"),
    "zh": _pronouns("zh", plural="他们 她们 它们", m="他", f="她", thing="它", place="那里 那儿"),
    "ja": _pronouns("ja", f="彼女", plural="彼ら それら", m="彼", thing="それ", place="そこ"),
}
"""Pronouns by language and kind; those that stand for whatever was spoken of are ``any``."""

POINTING = re.compile(
    r"\b(?:(?:(?P<points>this|that|these|those|(?:the )?(?:same|said|latter|former))|the)\s+(?P<noun>[a-z]{3,})\b(?!\s+of\b)"
    r"|(?:this|that)(?=\s*(?:[?.!]|$)))",
    re.IGNORECASE,
)
"""A noun that is pointed at, one with its article, or a demonstrative that ends the question."""

A_NOUN = re.compile(r"\b(?:the|an?|this|that|which|what|his|her|their|its)\s((?:[a-z][\w'’-]*\s?){1,3})")
"""A common noun that a pronoun after it may stand for."""

ARTICLE_BEFORE = re.compile(r"\b(?:the|an?|this|that)\s$", re.IGNORECASE)

IMPERSONAL = re.compile(
    r"\s+(?:true|possible|known|likely|clear|rain\w*|snow\w*|matter|(?:is|was|be)\s+(?:true|possible|known|likely|that|who)"
    r"|(?:[a-z]+\s){0,3}(?:that|to)\s|take\b|took\b)"
)
"""What follows an "it" that means nothing."""

EXISTENTIAL = re.compile(r"(?:\b(?:is|are|was|were|be|been|will|would|has|have|had)\s|^)$", re.IGNORECASE)
"""What is before a "there" that is no place."""

_GOES_ON = {
    "en": r"(?:(?:and|but|or|so)\b[\s,]*)?(?:what|how) about\b\s*|(?:and|but|or)\b[\s,]*",
    "de": r"(?:und |aber )?(?:was ist mit|wie steht es mit)\b\s*|(?:und|aber|oder)\b[\s,]*",
    "fr": r"(?:et|mais|ou)\b[\s,]*(?:pour\s)?",
    "es": r"¿?(?:y|pero|o)\b[\s,]*",
    "it": r"(?:e|ed|ma|o)\b[\s,]*",
    "pt": r"(?:e|mas|ou)\b[\s,]*",
    "nl": r"(?:en|maar|of)\b[\s,]*",
    "ru": r"(?:а|и|но|или)\b[\s,]*(?:как насчёт\s)?",
    "zh": r"那么?(?!里|儿)",
    "ja": r"では、?|じゃあ、?",
}
GOES_ON = {language: re.compile(pattern, re.IGNORECASE) for language, pattern in _GOES_ON.items()}
"""How a question opens that goes on from the last, by language."""

_ASK = listed(
    "who whom whose what which when where why how is are was were am do does did has have had can could will would shall",
    "should may might must tell list name explain describe give show say if",
    "wer wen wem was wann wo warum wieso wie welche welcher welches ist sind war waren hat haben hatte kann wurde wurden",
    "qui que quoi quand où pourquoi comment est sont était combien quel quelle quién qué cuándo dónde cómo cuál es son fue",
    "chi che cosa quando dove perché come è quem onde quem porque wie wat wanneer waar waarom hoe is was кто что когда где",
    "почему зачем как какой какая какие",
)
ASKING = re.compile(
    rf"(?:(?:in|at|by|on|to|for|from|with|since|until)\s(?=wh|how))?(?:{'|'.join(sorted(_ASK))})\b", re.IGNORECASE
)
"""What a whole question begins with, after "and"."""

SHORT = re.compile(
    r"(?:why(?: not| so)?|when|where|who|how|which(?: ones?)?|what else|who else|where else|how (?:so|come|many|much|long|old|often)"
    r"|really|since when|until when|by whom|with whom|for whom|for how long|what for|(?:when|where|why|how) exactly"
    r"|warum(?: nicht)?|wieso|wann|wo|wer|wie|seit wann|von wem|wer noch|pourquoi|quand|où|qui|comment|depuis quand|par qui"
    r"|por qué|cuándo|dónde|quién|cómo|perché|quando|dove|chi|come|waarom|wanneer|waar|hoe|почему|когда|где|кто|как|зачем"
    r"|为什么|什么时候|谁|なぜ|いつ|誰)$",
    re.IGNORECASE,
)
"""Questions of a word or two that only mean something after another."""
