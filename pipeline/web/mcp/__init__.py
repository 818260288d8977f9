"""The index for language models: tools and resources of the Model Context Protocol, by the official SDK (extra "mcp")."""
