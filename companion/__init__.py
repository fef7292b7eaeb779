"""Companion stands beside real board games: it watches, knows the rules, keeps the score and the record."""
