"""The tasks that DRIFT search asks: a first answer from reports, follow-up questions, and one answer out of all."""
