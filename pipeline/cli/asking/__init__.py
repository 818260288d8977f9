"""The command query: questions and conversations on a terminal, through a pipe, or as JSON."""
