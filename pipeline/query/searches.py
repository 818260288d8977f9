"""The search methods by name."""

from pipeline.query.global_search import global_search
from pipeline.query.search import Search

SEARCHES: dict[str, Search] = {
    "global": global_search,
}
