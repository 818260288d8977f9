"""The search methods by name."""

from pipeline.query.method import Search
from pipeline.query.methods.auto_search import auto_over
from pipeline.query.methods.basic_search import basic_search
from pipeline.query.methods.drift_search import drift_search
from pipeline.query.methods.entity_search import entity_search
from pipeline.query.methods.fusion_search import fusion_search
from pipeline.query.methods.global_search import global_search
from pipeline.query.methods.local_search import local_search

SEARCHES: dict[str, Search] = {
    "global": global_search,
    "local": local_search,
    "entity": entity_search,
    "drift": drift_search,
    "basic": basic_search,
    "fusion": fusion_search,
}
SEARCHES["auto"] = auto_over(dict(SEARCHES))
