"""The simulated table: scenes of any game, drawn as a camera would see them, and people who play on it.

Pictures: `Conditions.random(game, seed, difficulty)` says how a picture is taken, `scene_of(game, labels)` what lies
on the table, `render(game, scene, conditions)` draws it and `truth(game, scene, conditions)` says what it shows. A
`Renderer` keeps what does not change between pictures. A label may be followed by a word about looks (`C2 RRB`: what a
messenger carries), which is no part of the truth.

Films: `SimulatedTable(game, script)` plays steps (`script.py`) in time and says when actions happened;
`SimulatedCamera(table, conditions)` is a camera over it. The script of a whole game comes from
`companion.table.rehearsal.Rehearsal`, which knows the rules; what people would enter is among what happened (`Enter`).
"""
