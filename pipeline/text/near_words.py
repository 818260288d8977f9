"""Which words of a question and of a statement mean the same or nearly: base forms, shared beginnings, and near senses.

Base forms undo regular endings by rule and irregular ones by list, without a dictionary; both sides are treated alike, so a
base need not be a word. The lists are English; other languages are compared by their endings and beginnings alone.
"""

import re
import unicodedata
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import pairwise

from pipeline.text.scripts import UNSPACED

SAME, ALIKE, NEAR = 1.0, 0.8, 0.7
"""How much two words agree: one base; one beginning (execute, execution); near in sense (lose, defeat)."""
_BEGINNING = 6
"""Letters that two longer words must share to be alike; with five, "constable" would be "constant"."""
_TOKEN = re.compile(rf"[{UNSPACED}]|[^\W_]+")
_UNSPACED = re.compile(f"[{UNSPACED}]")
_CYRILLIC = re.compile("[\u0400-\u04ff]")
_VOWEL = re.compile("[aeiouyäöüéèêëàâîïôûáíóú]")

_IRREGULAR = {
    form: base
    for base, *forms in (
        line.split()
        for line in """
        be was were been; bear bore borne; beat beaten; become became; begin began begun; bind bound; bite bit bitten; bleed bled
        blow blew blown; break broke broken; bring brought; build built; burn burnt; buy bought; catch caught; choose chose chosen
        come came; creep crept; deal dealt; die dying died dead; dig dug; draw drew drawn; drink drank drunk; drive drove driven
        eat ate eaten; fall fell fallen; feed fed; feel felt; fight fought; find found; flee fled; fly flew flown; forbid forbade
        forget forgot forgotten; forgive forgave forgiven; freeze froze frozen; get got gotten; give gave given; go went gone
        grow grew grown; hang hung; have had; hear heard; hide hid hidden; hold held; keep kept; kneel knelt; know knew known
        lay laid; lead led; leap leapt; leave left; lend lent; lie lay lain; lose lost; make made; mean meant; meet met; pay paid
        ride rode ridden; ring rang rung; rise rose risen; run ran; say said; see saw seen; seek sought; sell sold; send sent
        shake shook shaken; shine shone; shoot shot; show shown; shrink shrank; sing sang sung; sink sank sunk; sit sat; slay slew
        slain; sleep slept; speak spoke spoken; spend spent; spring sprang sprung; stand stood; steal stole stolen; stick stuck
        strike struck stricken; swear swore sworn; sweep swept; swim swam swum; take took taken; teach taught; tear tore torn
        tell told; think thought; throw threw thrown; understand understood; wake woke; wear wore worn; weep wept; win won
        withdraw withdrew withdrawn; write wrote written; born birth; man men; woman women; child children; foot feet; tooth teeth
        mouse mice; goose geese; wife wives; knife knives; life lives; thief thieves; half halves; people person
        """.replace("\n", ";").split(";")
        if line.strip()
    )
    for form in forms
}

_GROUPS = """
lose > defeat fail failure loss repulse unsuccessful vain
defeat fail failure rout overthrow
fail failure
win victory victorious triumph
conquer conquest
battle > fight siege besiege assault attack combat skirmish victory defeat
fight battle combat
siege besiege besieger
attack assault
war conflict
die > kill murder execute perish drown assassinate behead burn hang decease fatal
death die decease
kill murder assassinate slay execute
execute execution behead burn hang kill
born > birthplace native birthday childhood grow
birthplace > born
bury tomb grave burial
marry marriage wife husband spouse wed wedding widow widower bride consort
divorce separate
father son daughter child parent
mother son daughter child parent
parent father mother son daughter child
brother sibling sister half-brother
sister sibling brother
sibling brother sister
uncle nephew niece aunt
aunt nephew niece uncle
grandfather grandson granddaughter grandparent
grandmother grandson granddaughter grandparent
family relative kin
king queen monarch reign rule ruler throne crown
queen king monarch reign rule ruler throne crown
crown coronation anoint enthrone
succeed successor heir inherit
title > duke count earl
write author writer novel book poem compose publish
author write writer
compose composer music
direct director film movie filmmaker
film movie cinema
actor actress star cast play role
play star cast role portray actor actress
sing singer perform performer song record vocal
paint painter painting portrait
invent inventor discover discovery
found founder establish establishment create set start
build construct construction builder architect design erect
begin start open launch commence
end > finish close conclude stop cease last
finish conclude complete
last > end begin
sign conclude seal ratify
capture seize prisoner captive imprison arrest captor
prison jail imprison captivity
free release liberate relieve
surrender yield capitulate submit
betray treason traitor
accuse charge indict prosecute blame
try trial judge court sentence
condemn convict sentence verdict guilty
punish punishment penalty sentence
wound injure hurt hit
visit > come go travel journey arrive pass stay enter
travel journey ride voyage tour
leave depart flee escape withdraw
return come back
meet encounter
live > reside home house dwell childhood inhabit
nationality > citizen citizenship country
country nation state land
city town capital
village town hamlet
weather > climate rain temperature sunny snow storm cloud
buy purchase acquire price pay sell
cost price pay worth money sum
pay cost price money sum
money pay fund fee
own owner possess belong
lead leader command commander captain head chief
command commander captain lead general
army troop soldier force
soldier troop army
weapon > sword gun cannon arrow artillery bow longbow crossbow spear rifle
help support assist aid relieve
protect defend defence guard
ally alliance friend treaty
enemy opponent foe rival
peace treaty truce
treaty agreement peace
agree agreement treaty accept
say tell state claim declare speak
ask question request demand
promise vow oath swear
religion faith church god
saint canonise canonize beatify
pope bishop archbishop cardinal
teach teacher educate school instruct
study educate education school university college graduate attend learn
school college university education
work job profession occupation career employ serve
profession occupation job career
serve service
win award prize medal
award prize medal honour honor win
famous fame known renown
big large huge
old > age born
older > born age old
younger > born age young
young youth age
population inhabitant
ill illness disease sick
doctor physician
destroy destruction ruin burn demolish
""".strip().splitlines()
"""In each line the first word is near to the others, but not they to each other. After ">" only one way: who asks who died may
be known who was killed, not the other way round."""


def words_in(text: str) -> list[tuple[int, int]]:
    """Return the spans of the words of a text, parts of hyphenated ones by themselves."""
    return [match.span() for match in _TOKEN.finditer(text)]


@lru_cache(maxsize=200_000)
def base(word: str) -> str:
    """Return what the forms of a word share: "cities" and "city", "lost" and "lose", "Orléans" and "Orleans" are one."""
    folded = _unaccented(word.casefold())
    folded = _IRREGULAR.get(folded, folded)
    if _CYRILLIC.match(folded):
        return folded if len(folded) < _BEGINNING else folded[: _BEGINNING - 1]
    return _without_ending(folded) if folded.isascii() and folded.isalpha() else folded


def regular(word: str) -> str:
    """Return the base form of an irregular English form ("stood": "stand"), any other word as it is."""
    return _IRREGULAR.get(word.casefold(), word)


def bases(text: str) -> list[str]:
    """Return the base of every word of a text, in order; scripts without spaces give pairs of characters."""
    tokens = _TOKEN.findall(text)
    words = [base(token) for token in tokens if is_word(token)]
    if not _UNSPACED.search(text):
        return words
    single = [token if _UNSPACED.match(token) else " " for token in tokens]
    return words + [a + b for a, b in pairwise(single) if " " not in (a, b)]


def is_word(token: str) -> bool:
    """Return whether a token says something: single letters do not, but for the numerals of Henry V and Pius X."""
    return len(token) > 1 or token.isdigit() or token in "VX"


def agreement(wanted: str, found: str) -> float:
    """Return how much a base that is found meets one that is wanted: SAME, ALIKE, NEAR or 0."""
    if wanted == found:
        return SAME
    if len(wanted) >= _BEGINNING <= len(found) and wanted[:_BEGINNING] == found[:_BEGINNING]:
        return ALIKE
    return NEAR if found in _NEAR.get(wanted, ()) else 0.0


def best_agreements(wanted: Sequence[str], found: Collection[str]) -> tuple[float, ...]:
    """Return for each wanted base how much the best of those found meets it."""
    among = frozenset(found)
    beginnings = {word[:_BEGINNING] for word in among if len(word) >= _BEGINNING}
    return tuple(
        SAME
        if word in among
        else ALIKE
        if word[:_BEGINNING] in beginnings
        else NEAR
        if not among.isdisjoint(_NEAR.get(word, ()))
        else 0.0
        for word in wanted
    )


def is_pair(found: str) -> bool:
    """Return whether a base is a pair of characters of a script without spaces."""
    return bool(_UNSPACED.match(found))


def senses(word: str) -> tuple[str, ...]:
    """Return the words near in sense to one, as the lists write them, in their order; other forms of it are left out."""
    own = base(word)
    found: list[str] = []
    for line in _GROUPS:
        words = line.replace(">", "").split()
        if base(words[0]) == own:
            found += words[1:]
    return tuple(dict.fromkeys(other for other in found if base(other) != own))


def _unaccented(word: str) -> str:
    if word.isascii():
        return word
    return "".join(c for c in unicodedata.normalize("NFKD", word) if not "\u0300" <= c <= "\u036f")


def _without_ending(word: str) -> str:
    """Undo plural, -ed and -ing, then a last e or y (Porter's first step, 1980, somewhat shortened)."""
    if len(word) < 4:
        return word[:-1] + "i" if len(word) == 3 and word.endswith("y") and word[-2] not in "aeiou" else word
    if word.endswith(("ies", "ied")):
        return word[:-2] if len(word) > 4 else word[:-1]
    if word.endswith(("sses", "xes", "zes", "ches", "shes")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed"):
        stem = word.removesuffix(ending)
        if stem != word and len(stem) > 2 and _VOWEL.search(stem):
            word = stem[:-1] if stem[-1] == stem[-2] and stem[-1] not in "lsz" else stem
            break
    if len(word) > 3 and word.endswith("e"):
        return word[:-1]
    return word[:-1] + "i" if word.endswith("y") and word[-2] not in "aeiou" else word


def _near() -> dict[str, frozenset[str]]:
    near: dict[str, set[str]] = {}
    for line in _GROUPS:
        first, *others = (base(word) for word in line.replace(">", "").split())
        near.setdefault(first, set()).update(others)
        for other in others if ">" not in line else ():
            near.setdefault(other, set()).add(first)
    return {word: frozenset(others - {word}) for word, others in near.items()}


_NEAR = _near()
