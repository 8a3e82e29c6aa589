-- What a side tells of its player's strength: two sums (analysis/model/strength.h), of which the rating
-- of any set of games is made. Whole millionths, so that what was added can be subtracted.

ALTER TABLE judged_side
    ADD COLUMN strength_version smallint NOT NULL DEFAULT 0,
    ADD COLUMN strength_score bigint NOT NULL DEFAULT 0,
    ADD COLUMN strength_information bigint NOT NULL DEFAULT 0,
    ADD COLUMN strength_moves smallint NOT NULL DEFAULT 0;
COMMENT ON COLUMN judged_side.strength_version IS 'Version of the estimate that the sums are of; 0: they are not computed, or the judge is another than its own.';
COMMENT ON COLUMN judged_side.strength_moves IS 'Moves that the sums are of.';

ALTER TABLE player_year
    ADD COLUMN strength_score bigint NOT NULL DEFAULT 0,
    ADD COLUMN strength_information bigint NOT NULL DEFAULT 0,
    ADD COLUMN strength_moves integer NOT NULL DEFAULT 0;
ALTER TABLE player_total
    ADD COLUMN strength_score bigint NOT NULL DEFAULT 0,
    ADD COLUMN strength_information bigint NOT NULL DEFAULT 0,
    ADD COLUMN strength_moves integer NOT NULL DEFAULT 0;
