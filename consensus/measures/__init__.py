"""How far the answers agree, and who states what."""
