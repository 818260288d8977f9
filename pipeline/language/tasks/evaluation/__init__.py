"""The tasks that an evaluation asks: questions made from passages."""
