"""The search methods by name."""

from pipeline.query.auto_search import auto_over
from pipeline.query.basic_search import basic_search
from pipeline.query.drift_search import drift_search
from pipeline.query.entity_search import entity_search
from pipeline.query.fusion_search import fusion_search
from pipeline.query.global_search import global_search
from pipeline.query.local_search import local_search
from pipeline.query.search import Search

SEARCHES: dict[str, Search] = {
    "global": global_search,
    "local": local_search,
    "entity": entity_search,
    "drift": drift_search,
    "basic": basic_search,
    "fusion": fusion_search,
}
SEARCHES["auto"] = auto_over(dict(SEARCHES))
