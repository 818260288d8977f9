"""Language tasks: one file is one question, its prompt, its reply and its way without a model; ``registry`` lists them."""
