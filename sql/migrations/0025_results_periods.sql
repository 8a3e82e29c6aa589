-- Strengths from results are on the scale of the Elo lists as it was in each year.

DROP TABLE results_scale;

CREATE TABLE results_period (
    component       integer NOT NULL,
    from_year       smallint NOT NULL,
    to_year         smallint NOT NULL,
    mean_year       double precision NOT NULL,
    offset_elo      double precision NOT NULL,
    standard_error  double precision NOT NULL,
    spread          double precision NOT NULL,
    ratings         integer NOT NULL,
    players         integer NOT NULL,
    PRIMARY KEY (component, from_year)
);
COMMENT ON TABLE results_period IS 'Offsets of components to the Elo in their own tags, by periods; other components have a constant one, that is shipped.';
COMMENT ON COLUMN results_period.from_year IS 'First year with a rating that counts; to_year: the last.';
COMMENT ON COLUMN results_period.mean_year IS 'Mean of the years of the ratings, where the offset applies.';
COMMENT ON COLUMN results_period.spread IS 'Standard deviation of the Elo of one player-year around the strength.';
COMMENT ON COLUMN results_period.ratings IS 'Player-years; players: how many persons they are of.';

-- The next fit writes all rows again (db/results.h, IPR_RESULTS_VERSION).
ALTER TABLE results_strength ADD COLUMN scale_se double precision;
COMMENT ON COLUMN results_strength.elo IS 'With the offset of its component and year.';
COMMENT ON COLUMN results_strength.se IS 'Without the error of the offset.';
COMMENT ON COLUMN results_strength.scale_se IS 'Standard error of the offset; NULL: it is the constant one, on the scale of no list.';
