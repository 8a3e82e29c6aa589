-- Strengths from results are anchored by the Elo in tags, so that no offset of a period is added.

DROP TABLE results_period;

CREATE TABLE results_component (
    component   integer PRIMARY KEY,
    from_year   smallint NOT NULL,
    to_year     smallint NOT NULL,
    ratings     integer NOT NULL,
    players     integer NOT NULL
);
COMMENT ON TABLE results_component IS 'Components on the scale of the Elo lists, by the Elo in their own tags.';
COMMENT ON COLUMN results_component.from_year IS 'First year with Elo; to_year: the last.';
COMMENT ON COLUMN results_component.ratings IS 'Player-years with Elo; players: how many persons they are of.';

-- The next fit writes all rows again (db/results.h, IPR_RESULTS_VERSION).
COMMENT ON COLUMN results_strength.elo IS NULL;
COMMENT ON COLUMN results_strength.se IS 'Without the error of the scale.';
COMMENT ON COLUMN results_strength.scale_se IS 'Standard error of the scale; NULL: it is on the scale of no list.';
