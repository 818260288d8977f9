"""The endpoints of the API, each with its reply declared beside it."""
