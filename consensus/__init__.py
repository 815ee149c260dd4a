"""Agreement: claims grouped by meaning, counted by family, tied to verbatim evidence."""
