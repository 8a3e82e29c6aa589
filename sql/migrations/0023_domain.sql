-- A database has games of one game: chess, or another one whose games come as figures.

CREATE TABLE domain (
    only_row boolean PRIMARY KEY DEFAULT TRUE CHECK (only_row),
    name     text NOT NULL CHECK (name ~ '^[a-z0-9_-]{1,31}$')
);
COMMENT ON TABLE domain IS 'The game of all stored games, set by an import into an empty database. No row: nothing was imported yet.';

INSERT INTO domain (name)
SELECT 'chess' WHERE EXISTS (SELECT FROM game);
