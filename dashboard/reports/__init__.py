"""What can be asked of past sessions without a screen: lists, searches, costs. Nothing here needs Textual."""
