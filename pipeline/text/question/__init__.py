"""What a question asks for, and how a follow-up question is made to stand alone."""
