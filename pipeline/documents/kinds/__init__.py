"""Readers of kinds of files: Markdown, web pages, CSV, JSON, mail, subtitles, reStructuredText and Org, books."""
