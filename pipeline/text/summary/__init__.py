"""Reports without a model: the sentences that are worth quoting, ranked and put together."""
