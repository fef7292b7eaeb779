"""From a picture to the likelihood of each label on each site: one reader for each way in which pieces stand."""
