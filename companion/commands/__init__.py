"""What each command does: one module a command, imported only when the command runs."""
