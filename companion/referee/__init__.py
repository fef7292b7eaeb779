"""Where seeing and rules meet: from a position and a reading to an action, a verdict or a question."""
