"""What answers a task: chat models, and the way without a model."""
