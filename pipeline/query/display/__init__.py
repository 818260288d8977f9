"""How indexes, answers and maps show themselves in notebooks and documents, with no text of the corpus as markup."""
