"""One module a stage of the path, named as the stage."""
