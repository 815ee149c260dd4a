"""What a conversation takes for granted, as a fold over its turns."""
