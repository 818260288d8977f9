"""What answers a task: chat models, the way without a model, and the fake that tests use."""
