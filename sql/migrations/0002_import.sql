-- Imports by the million: events of their own, games found again by their moves, duplicates on
-- record with their kind.

-- ---- nobody -------------------------------------------------------------------------------------

INSERT INTO player (id, name, name_key) OVERRIDING SYSTEM VALUE VALUES (0, '?', '');
COMMENT ON TABLE player IS 'Row 0 stands for nobody: games that name no player belong to it. It has no player-years, no ratings and no place in a list.';

-- ---- events -------------------------------------------------------------------------------------

CREATE TABLE event (
    id          integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name        text NOT NULL,
    year        smallint NOT NULL,
    digest      uuid NOT NULL UNIQUE GENERATED ALWAYS AS (md5(year::text || ' ' || name)::uuid) STORED
);
COMMENT ON TABLE event IS 'Row 0 stands for no event: games that name none belong to it.';
COMMENT ON COLUMN event.year IS 'Calendar year of the EventDate tag when there is one, else of Date; 0 when unknown.';
COMMENT ON COLUMN event.digest IS 'What makes an event one: its name may be too long for an index.';
-- Hash, not btree, for the same reason.
CREATE INDEX event_name ON event USING hash (name);

INSERT INTO event (id, name, year) OVERRIDING SYSTEM VALUE VALUES (0, '', 0);
INSERT INTO event (name, year)
SELECT DISTINCT
    g.event,
    CASE WHEN g.tags ->> 'EventDate' ~ '^ *[1-9][0-9]{3}([^0-9]|$)'
        THEN substring(g.tags ->> 'EventDate' FROM '[0-9]{4}')::smallint ELSE g.year END
FROM game AS g
WHERE g.event <> '';

-- ---- games --------------------------------------------------------------------------------------

ALTER TABLE game
    ADD COLUMN event_id integer NOT NULL DEFAULT 0,
    ADD COLUMN upload_id bigint,
    ADD COLUMN ordinal integer,
    ADD COLUMN moves_key bigint NOT NULL DEFAULT 0,
    ADD COLUMN stem integer NOT NULL DEFAULT 0,
    ADD COLUMN time_class smallint NOT NULL DEFAULT 0 CHECK (time_class BETWEEN 0 AND 5),
    ADD COLUMN time_known smallint NOT NULL DEFAULT 0 CHECK (time_known BETWEEN 0 AND 2),
    ADD COLUMN notes bytea;

-- A foreign key is a trigger a row, which costs an import more than the row itself. Imports take
-- players and events from their tables in the transaction that stores the game, and neither is
-- ever deleted.
ALTER TABLE game
    DROP CONSTRAINT game_white_id_fkey,
    DROP CONSTRAINT game_black_id_fkey;

UPDATE game AS g
SET
    event_id = coalesce(
        (
            SELECT e.id
            FROM event AS e
            WHERE
                e.digest = md5(
                    CASE WHEN g.tags ->> 'EventDate' ~ '^ *[1-9][0-9]{3}([^0-9]|$)'
                        THEN substring(g.tags ->> 'EventDate' FROM '[0-9]{4}')
                        ELSE g.year::text END || ' ' || g.event
                )::uuid
                AND g.event <> ''
        ), 0
    ),
    upload_id = first.upload_id,
    ordinal = first.ordinal,
    moves_key = (
        'x' || encode(substring(sha256(start.bytes || g.moves) FROM 1 FOR 8), 'hex')
    )::bit(64)::bigint,
    stem = CASE WHEN g.plies < 12 THEN 0 ELSE (
        'x' || encode(
            substring(sha256(start.bytes || substring(g.moves FROM 1 FOR 24)) FROM 1 FOR 4), 'hex'
        )
    )::bit(32)::integer END
FROM (
    SELECT
        id,
        convert_to(coalesce(start_fen, ''), 'UTF8') || decode('00', 'hex') AS bytes
    FROM game
) AS start
LEFT JOIN (
    SELECT DISTINCT ON (game_id) game_id, upload_id, ordinal
    FROM upload_game
    WHERE NOT duplicate
    ORDER BY game_id, upload_id, ordinal
) AS first ON first.game_id = start.id
WHERE start.id = g.id;

ALTER TABLE game
    ALTER COLUMN event_id DROP DEFAULT,
    ALTER COLUMN moves_key DROP DEFAULT,
    ALTER COLUMN stem DROP DEFAULT,
    DROP COLUMN digest,
    DROP COLUMN event;
DROP INDEX game_white;

COMMENT ON COLUMN upload_error.game IS '1-based number of the game in the upload; below 0 it is no game, but a file of an archive that cannot be read.';
COMMENT ON COLUMN game.white_id IS 'A player; 0 when none is named. No foreign key: it would cost more than the row.';
COMMENT ON COLUMN game.black_id IS 'A player; 0 when none is named.';
COMMENT ON COLUMN game.event_id IS 'An event; 0 when none is named.';
COMMENT ON COLUMN game.upload_id IS 'The upload that brought it; NULL when that is not on record.';
COMMENT ON COLUMN game.ordinal IS '1-based number of the game in that upload.';
COMMENT ON COLUMN game.moves_key IS 'First eight bytes, big endian, of the SHA-256 of: start_fen (nothing when NULL), a zero byte, moves.';
COMMENT ON COLUMN game.stem IS 'First four bytes, big endian, of the same digest over the first 12 half-moves; 0 for shorter games. Of two games one can only continue the other when their stems are equal or one is 0.';
COMMENT ON COLUMN game.time_class IS '0 unknown, 1 classical, 2 rapid, 3 blitz, 4 bullet, 5 correspondence.';
COMMENT ON COLUMN game.time_known IS 'How the class is known: 0 not, 1 by a tag about the time, 2 taken from a name.';
COMMENT ON COLUMN game.notes IS 'Comments, glyphs, evaluations and clocks, packed (analysis/pgn/notes.h); NULL when there are none.';

CREATE INDEX game_moves ON game (moves_key, year);
CREATE INDEX game_pair ON game (white_id, black_id, stem, moves_key);
CREATE INDEX game_event ON game (event_id);
CREATE INDEX game_upload ON game (upload_id);

-- ---- uploads ------------------------------------------------------------------------------------

ALTER TABLE upload ADD COLUMN variations bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN upload.variations IS 'Passed over in its games, nested ones counted; 0 where nobody counted yet.';

-- ---- duplicates ---------------------------------------------------------------------------------

CREATE TABLE upload_duplicate (
    upload_id   bigint NOT NULL REFERENCES upload ON DELETE CASCADE,
    ordinal     integer NOT NULL,
    game_id     bigint NOT NULL REFERENCES game ON DELETE CASCADE,
    kind        smallint NOT NULL CHECK (kind BETWEEN 0 AND 3),
    improved    boolean NOT NULL,
    conflicts   smallint NOT NULL DEFAULT 0 CHECK (conflicts BETWEEN 0 AND 31),
    PRIMARY KEY (upload_id, ordinal)
);
COMMENT ON TABLE upload_duplicate IS 'A game of an upload that was there already, in the database or earlier in the upload.';
COMMENT ON COLUMN upload_duplicate.game_id IS 'The game that was kept.';
COMMENT ON COLUMN upload_duplicate.kind IS '0 identical, 1 contained in the kept one, 2 extends the kept one, 3 identical but for the spelling of names.';
COMMENT ON COLUMN upload_duplicate.improved IS 'The kept game took something from it: a tag, moves, notes.';
COMMENT ON COLUMN upload_duplicate.conflicts IS 'Set of what it says otherwise than the kept game: 1 the result, 2 who White is by FIDE id, 4 who Black is, 8 the Elo of White, 16 that of Black.';
CREATE INDEX upload_duplicate_game ON upload_duplicate (game_id);

INSERT INTO upload_duplicate (upload_id, ordinal, game_id, kind, improved)
SELECT ug.upload_id, ug.ordinal, ug.game_id, 0, false
FROM upload_game AS ug
INNER JOIN game AS g ON g.id = ug.game_id
WHERE (g.upload_id, g.ordinal) IS DISTINCT FROM (ug.upload_id, ug.ordinal);

DROP TABLE upload_game;
CREATE VIEW upload_game AS
SELECT upload_id, ordinal, id AS game_id, false AS duplicate
FROM game
UNION ALL
SELECT upload_id, ordinal, game_id, true AS duplicate
FROM upload_duplicate;
COMMENT ON VIEW upload_game IS 'Where each accepted game of an upload is kept.';
