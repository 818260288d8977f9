"""The index as other libraries see it: LangChain, LangGraph, LlamaIndex; each imported when first asked for."""
