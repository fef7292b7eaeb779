"""From a picture of the table to the likelihood of each label on each site. Knows no rules."""
