"""Imported by the process that tests/forks.py forks others from: a first index and a first answer read what all later ones need."""

import gc

import pipeline.web.questions.answer_worker  # noqa: F401
from tests.forks import import_stages
from tests.query_cases import BATTLES, plainly

import_stages()
plainly(BATTLES, "basic")
gc.freeze()  # what all share is not looked through by any
