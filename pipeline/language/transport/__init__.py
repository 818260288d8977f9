"""What lies between a task and its HTTP request: rate limits, retries, schemas, keys, providers."""
