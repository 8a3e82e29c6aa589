-- The rating can be made of the evaluations of any engine, brought to one scale; of one in a database,
-- so that no number mixes two. `intrinsic migrate` chooses it (db/strength_renew.c).
ALTER TABLE judge ADD COLUMN rates boolean NOT NULL DEFAULT false;
CREATE UNIQUE INDEX judge_rates ON judge (rates) WHERE rates;
COMMENT ON COLUMN judge.rates IS 'Ratings are made of its evaluations; of one judge at most.';
COMMENT ON COLUMN judged_side.strength_version IS 'Version of the estimate that the sums are of; 0: they are not computed, or another judge rates; negative: of evaluations in files.';
