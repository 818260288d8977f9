"""From one entity to another: ways along relationships, and passages that name both."""
