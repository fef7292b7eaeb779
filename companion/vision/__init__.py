"""From a picture of the table to the likelihood of each label on each site. Knows no rules.

Each part knows only those before it: `geometry`, `locating` (where the board is), `light` (what colours look like in
this picture), `scene` (how things would look from the camera), `networks`, `readers` (what lies on the sites) and
`watching` (frame by frame). `anyboard` reads boards that have no rules, `look` one picture.
"""
