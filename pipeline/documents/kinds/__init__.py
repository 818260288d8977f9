"""Readers of further kinds of files: mail, subtitles, reStructuredText and Org, books, spreadsheets, slides."""
