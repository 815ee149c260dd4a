"""The HTTP service. Its routes come with the service; the room stands here so that the layers are fixed."""
