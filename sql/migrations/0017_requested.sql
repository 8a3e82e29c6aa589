-- The word that the other tables and the pages have for it.
ALTER TABLE year_list RENAME COLUMN asked TO requested;
COMMENT ON COLUMN year_list.requested IS 'When it was last requested, to an hour.';
COMMENT ON TABLE report IS 'One row a requested answer: the job that computes it and what was computed last, which is an older answer while the job is not done.';
COMMENT ON COLUMN report.usual IS 'Requested with the default parameters: such answers come first, always find a place and are not dropped.';
COMMENT ON COLUMN report.used IS 'When it was last requested, to the minute.';
COMMENT ON COLUMN rating.mismatch IS 'The calibration is of another judge, and was requested nevertheless: a default request refuses.';
