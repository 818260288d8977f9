"""Measuring answers: questions, figures, and a judge."""
