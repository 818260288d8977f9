"""The commands eval: questions made from the texts, answers measured, and runs compared."""
