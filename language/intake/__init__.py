"""Reading conversations: any accepted form becomes the kernel's Conversation, or a clear refusal."""
