"""Text in, cached `Strip`s out: the engine under the conversation view; it knows no widget and no session."""
