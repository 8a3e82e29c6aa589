-- Rows that a player lacks are filled from the calibration, whose transitions never change.

ALTER TABLE player_year DROP COLUMN transitions;
ALTER TABLE judge_total DROP COLUMN transitions;
