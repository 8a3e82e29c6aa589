-- Ratings of players on published lists.

CREATE TABLE elo_history (
    player_id   integer PRIMARY KEY REFERENCES player ON DELETE CASCADE,
    listed      date[] NOT NULL CHECK (cardinality(listed) > 0),
    elo         smallint[] NOT NULL CHECK (cardinality(elo) = cardinality(listed)),
    name        text NOT NULL,
    matched_by  text NOT NULL CHECK (matched_by IN ('fide_id', 'name')),
    source      text NOT NULL
);
COMMENT ON TABLE elo_history IS 'FIDE ratings of an identity, from a spelling file of Scid''s form; replaced whole. A person''s are those of its identities.';
COMMENT ON COLUMN elo_history.listed IS 'First days of the months of the lists, ascending; the lists on which the player was not are left out.';
COMMENT ON COLUMN elo_history.elo IS 'The ratings, one a list.';
COMMENT ON COLUMN elo_history.name IS 'As the file has it.';
COMMENT ON COLUMN elo_history.source IS 'Name of the file.';
