"""How things on the table would look from the camera, and which of them leave no room for others."""
