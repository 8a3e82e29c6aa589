-- Player-years and careers of persons in the orders of their lists. Sums over identities, classes and
-- judges, and the rating that is computed of them, cannot be indexed where they are kept, so lists
-- that were asked for are stored, and brought up to date before they are read (db/listed_years.h).

CREATE TABLE year_list (
    id          integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    judge_id    smallint NOT NULL REFERENCES judge ON DELETE CASCADE,
    times       smallint[] NOT NULL,
    strength_version smallint NOT NULL,
    asked       timestamptz NOT NULL DEFAULT now(),
    UNIQUE (judge_id, times)
);
COMMENT ON COLUMN year_list.times IS 'Classes of time control that count, as in player_year.';
COMMENT ON COLUMN year_list.asked IS 'When it was last asked for, to an hour.';

CREATE TABLE listed_year (
    list_id     integer NOT NULL REFERENCES year_list ON DELETE CASCADE,
    player_id   integer NOT NULL,
    year        smallint NOT NULL,
    version     bigint NOT NULL,
    games       integer NOT NULL,
    turns       bigint NOT NULL,
    counted     bigint NOT NULL,
    at_0        bigint NOT NULL,
    at_30       bigint NOT NULL,
    strength_score bigint NOT NULL,
    strength_information bigint NOT NULL,
    estimate    double precision,
    PRIMARY KEY (list_id, player_id, year)
);
COMMENT ON TABLE listed_year IS 'Sums of player_year, or of player_total for year 0, over the identities of a person. One without turns is not listed.';
COMMENT ON COLUMN listed_year.player_id IS 'The root; a player who is deleted or merged into another has no turns.';
COMMENT ON COLUMN listed_year.estimate IS 'The rating of the moves, by any judge that it can be computed of; NULL where there is none, or it is to be computed.';
CREATE INDEX listed_year_unrated ON listed_year (list_id)
WHERE strength_information > 0 AND estimate IS NULL;
CREATE INDEX listed_year_best ON listed_year (
    list_id, (coalesce(-estimate, 'infinity')), player_id, year
);
CREATE INDEX listed_year_worst ON listed_year (
    list_id, (coalesce(estimate, 'infinity')), player_id, year
);
CREATE INDEX listed_year_most ON listed_year (
    list_id, (-turns::double precision), player_id, year
);
CREATE INDEX listed_year_least ON listed_year (
    list_id, (turns::double precision), player_id, year
);
CREATE INDEX listed_year_latest ON listed_year (
    list_id, (-year::double precision), player_id, year
);
CREATE INDEX listed_year_first ON listed_year (
    list_id, (year::double precision), player_id, year
);

-- Only added to by those who store games, so that they never wait for each other.
CREATE TABLE changed_year (
    player_id   integer NOT NULL,
    year        smallint NOT NULL
);
COMMENT ON TABLE changed_year IS 'Identities and years whose sums have changed since the lists were brought up to date.';

CREATE FUNCTION player_year_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        INSERT INTO changed_year (player_id, year) VALUES (OLD.player_id, OLD.year);
    END IF;
    IF TG_OP = 'INSERT' OR (TG_OP = 'UPDATE' AND NEW.player_id <> OLD.player_id) THEN
        INSERT INTO changed_year (player_id, year) VALUES (NEW.player_id, NEW.year);
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER player_year_changed
AFTER INSERT OR DELETE OR UPDATE ON player_year
FOR EACH ROW EXECUTE FUNCTION player_year_changed();

CREATE FUNCTION player_total_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        INSERT INTO changed_year (player_id, year) VALUES (OLD.player_id, 0);
    END IF;
    IF TG_OP = 'INSERT' OR (TG_OP = 'UPDATE' AND NEW.player_id <> OLD.player_id) THEN
        INSERT INTO changed_year (player_id, year) VALUES (NEW.player_id, 0);
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER player_total_changed
AFTER INSERT OR DELETE OR UPDATE ON player_total
FOR EACH ROW EXECUTE FUNCTION player_total_changed();

CREATE FUNCTION player_merged() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO changed_year (player_id, year)
    SELECT
        p.id,
        y.year
    FROM (VALUES (NEW.id), (OLD.merged_into), (NEW.merged_into)) AS p (id)
    CROSS JOIN (
        SELECT v.year FROM player_year AS v WHERE v.player_id = NEW.id
        UNION
        SELECT 0::smallint
    ) AS y
    WHERE p.id IS NOT NULL;
    RETURN NULL;
END
$$;
CREATE TRIGGER player_merged
AFTER UPDATE OF merged_into ON player
FOR EACH ROW WHEN (OLD.merged_into IS DISTINCT FROM NEW.merged_into)
EXECUTE FUNCTION player_merged();
