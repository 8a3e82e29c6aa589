-- What an upload brought can be deleted.

CREATE TABLE game_before (
    game_id     bigint NOT NULL REFERENCES game ON DELETE CASCADE,
    upload_id   bigint NOT NULL REFERENCES upload ON DELETE CASCADE,
    before      json NOT NULL,
    PRIMARY KEY (game_id, upload_id)
);
COMMENT ON TABLE game_before IS 'Stored games that an upload has added something to (tags, moves, notes), as they were before.';
COMMENT ON COLUMN game_before.before IS 'The row of game.';
CREATE INDEX game_before_upload ON game_before (upload_id);

CREATE TABLE side_confirmation (
    game_id     bigint NOT NULL REFERENCES game ON DELETE CASCADE,
    judge_id    smallint NOT NULL REFERENCES judge,
    colour      smallint NOT NULL CHECK (colour IN (0, 1)),
    upload_id   bigint NOT NULL REFERENCES upload ON DELETE CASCADE,
    source      text NOT NULL,
    PRIMARY KEY (game_id, judge_id, colour, upload_id)
);
COMMENT ON TABLE side_confirmation IS 'Uploads that brought evaluations of a side which another upload had brought before: they stay when that is deleted.';
CREATE INDEX side_confirmation_upload ON side_confirmation (upload_id);
