"""What a claude process says and hears, as typed records. Pure: no I/O."""
