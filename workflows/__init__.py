"""The workflows, one file a stage, numbered in the order of the data; ``stages`` lists them."""
