-- Strength from results (Whole-History Rating), fitted in the background to all stored results.

CREATE TABLE results_fit (
    one         boolean PRIMARY KEY DEFAULT true CHECK (one),
    version     bigint NOT NULL,
    method      smallint NOT NULL,
    games       integer NOT NULL,
    computed    timestamptz NOT NULL,
    seconds     double precision NOT NULL
);
COMMENT ON TABLE results_fit IS 'The fit that results_strength is of.';
COMMENT ON COLUMN results_fit.version IS 'Version of the results that it is fitted to (query results_due).';
COMMENT ON COLUMN results_fit.method IS 'Version of the method.';

CREATE TABLE results_strength (
    person_id   integer NOT NULL,
    year        smallint NOT NULL,
    elo         double precision NOT NULL,
    se          double precision NOT NULL,
    covariance  double precision NOT NULL,
    games       integer NOT NULL,
    component   integer NOT NULL,
    PRIMARY KEY (person_id, year)
);
COMMENT ON TABLE results_strength IS 'Strength from results of a person in a year with games. Rows are only written when they change.';
COMMENT ON COLUMN results_strength.elo IS 'With the offset of the component.';
COMMENT ON COLUMN results_strength.covariance IS 'With the next year with games of the person; 0 in the last.';
COMMENT ON COLUMN results_strength.component IS 'The lowest id of the persons whom games connect; strengths of two components are not comparable.';

CREATE TABLE results_scale (
    component   integer PRIMARY KEY,
    offset_elo  double precision NOT NULL,
    residual    double precision NOT NULL,
    ratings     integer NOT NULL,
    from_year   smallint NOT NULL
);
COMMENT ON TABLE results_scale IS 'Offsets of components from the Elo in their own tags; other components have the offset that is shipped.';
COMMENT ON COLUMN results_scale.ratings IS 'Player-years whose mean difference it is, in the ten years from from_year.';

-- Changes of games without event were not recorded: no report counts them. They are class 99.
COMMENT ON COLUMN game_change.time_class IS 'As in game; 99: games without event, of any class.';

CREATE FUNCTION game_change_class(event_id integer, time_class smallint) RETURNS smallint
LANGUAGE sql IMMUTABLE AS $$
SELECT CASE WHEN event_id <> 0 THEN time_class ELSE 99 END::smallint
$$;

CREATE OR REPLACE FUNCTION games_come_or_gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM game_change_add(c.class)
    FROM (SELECT DISTINCT game_change_class(m.event_id, m.time_class) AS class FROM moved AS m) AS c;
    RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION game_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM game_change_add(game_change_class(OLD.event_id, OLD.time_class));
    PERFORM game_change_add(game_change_class(NEW.event_id, NEW.time_class));
    RETURN NULL;
END
$$;
DROP TRIGGER game_changed ON game;
CREATE TRIGGER game_changed
AFTER UPDATE OF
result, white_elo, black_elo, event_id, date, year, white_id, black_id, time_class, plies ON game
FOR EACH ROW
WHEN (
    (
        OLD.result, OLD.white_elo, OLD.black_elo, OLD.event_id, OLD.date, OLD.year, OLD.white_id,
        OLD.black_id, OLD.time_class, OLD.plies
    ) IS DISTINCT FROM (
        NEW.result, NEW.white_elo, NEW.black_elo, NEW.event_id, NEW.date, NEW.year, NEW.white_id,
        NEW.black_id, NEW.time_class, NEW.plies
    )
)
EXECUTE FUNCTION game_changed();
