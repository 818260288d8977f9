"""Bounded memories of what was made: the last values, for several threads, and what a function says of each word."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

MOST_WORDS = 200_000
"""Words of which it is remembered what a function says of them."""


class Recent(Generic[K, V]):
    """At most ``most`` values; those that were put first go."""

    def __init__(self, most: int) -> None:
        self._most, self._lock = most, threading.Lock()
        self._values: OrderedDict[K, V] = OrderedDict()

    def get(self, key: K) -> V | None:
        """Return the value of a key; None where it was not put, or has gone."""
        with self._lock:
            return self._values.get(key)

    def put(self, key: K, value: V) -> None:
        """Keep a value."""
        with self._lock:
            self._values[key] = value
            while len(self._values) > self._most:
                self._values.popitem(last=False)


class FoundOnce(dict[str, V]):
    """What ``find`` says of each word, asked once and looked up as fast as a dict is; forgotten when it is MOST_WORDS."""

    def __init__(self, find: Callable[[str], V]) -> None:
        self._find = find

    def __missing__(self, word: str) -> V:
        if len(self) >= MOST_WORDS:
            self.clear()
        value = self[word] = self._find(word)
        return value
