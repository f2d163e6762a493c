"""What an ask card opens to answer with: one room a way. None of them knows whose ask it is."""
