-- Years of birth, by which lists of players are filtered.

ALTER TABLE player ADD COLUMN born smallint CHECK (born BETWEEN 1 AND 9999);
COMMENT ON COLUMN player.born IS 'Year of birth of a person, by the spelling file that `intrinsic ratings` read last.';
CREATE INDEX player_born ON player (born) WHERE born IS NOT NULL;

SELECT make_spaces();
