"""Office files: word processors, spreadsheets, slides, PDF."""
