"""Small networks that read patches of a picture, and what of it they are given."""
