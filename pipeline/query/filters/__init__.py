"""Questions to a part of the corpus: conditions on documents' metadata, and the tables as those documents alone give them."""
