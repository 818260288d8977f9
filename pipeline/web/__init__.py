"""The server and its page: the index in a browser, as an API, and for language models."""
