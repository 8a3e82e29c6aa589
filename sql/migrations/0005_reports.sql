-- Reports: answers too heavy for a request, computed as jobs, kept with the data they rest on.

-- ---- kept ratings -------------------------------------------------------------------------------

-- Kept answers are only worth computing again.
DELETE FROM rating;
ALTER TABLE rating
    ADD COLUMN mismatch boolean NOT NULL,
    DROP CONSTRAINT rating_pkey,
    ADD PRIMARY KEY (player_id, year, judge_id, calibration_id, mismatch, time_classes);
COMMENT ON COLUMN rating.mismatch IS 'The calibration is of another judge, and was asked for all the same: a default request refuses.';

-- Apart from player, whose rows an import locks for as long as it takes.
CREATE TABLE opponent_epoch (
    player_id   integer PRIMARY KEY REFERENCES player ON DELETE CASCADE,
    epoch       bigint NOT NULL
) WITH (fillfactor = 70);
COMMENT ON TABLE opponent_epoch IS 'Of a root: grows when whom the person has played becomes another person or is rated otherwise by a list. What is kept of a person rests on it, too.';

-- ---- which data it was --------------------------------------------------------------------------

ALTER TABLE judge_total ADD COLUMN version bigint NOT NULL DEFAULT 0;
ALTER TABLE player_total ADD COLUMN version bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN player_total.version IS 'Grows with every change, as that of player_year: keys what is computed from a career.';
COMMENT ON COLUMN judge_total.version IS 'Grows with every change of what its games give: sides stored or taken away, results, Elo tags, dates, events. The sum over a judge''s rows is the version of its data.';

-- Sides are counted where they are stored and taken away (judge_total_add). What goes away without
-- that, with its game, is seen here.
CREATE FUNCTION judged_side_gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE judge_total AS t
    SET version = t.version + 1
    FROM (
        SELECT j.judge_id, j.shard, j.time_class
        FROM judge_total AS j
        WHERE EXISTS (
            SELECT
            FROM gone AS s
            LEFT JOIN game AS g ON g.id = s.game_id
            WHERE
                s.judge_id = j.judge_id AND s.game_id % 16 = j.shard
                AND coalesce(g.time_class, j.time_class) = j.time_class
        )
        ORDER BY j.judge_id, j.shard, j.time_class
        FOR NO KEY UPDATE
    ) AS o
    WHERE (t.judge_id, t.shard, t.time_class) = (o.judge_id, o.shard, o.time_class);
    RETURN NULL;
END
$$;
CREATE TRIGGER judged_side_gone AFTER DELETE ON judged_side
REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION judged_side_gone();

CREATE FUNCTION game_told_otherwise() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE judge_total AS t
    SET version = t.version + 1
    FROM (
        SELECT j.judge_id
        FROM judge_total AS j
        WHERE
            j.shard = NEW.id % 16 AND j.time_class = NEW.time_class
            AND EXISTS (
                SELECT FROM judged_side AS s WHERE s.game_id = NEW.id AND s.judge_id = j.judge_id
            )
        ORDER BY j.judge_id
        FOR NO KEY UPDATE
    ) AS o
    WHERE t.judge_id = o.judge_id AND t.shard = NEW.id % 16 AND t.time_class = NEW.time_class;
    RETURN NULL;
END
$$;
-- At the end of the transaction: a judge's total is what every transaction locks last, and an
-- import changes games for minutes.
CREATE CONSTRAINT TRIGGER game_told_otherwise
AFTER UPDATE OF result, white_elo, black_elo, event_id, date ON game
DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW
WHEN (
    (OLD.result, OLD.white_elo, OLD.black_elo, OLD.event_id, OLD.date)
    IS DISTINCT FROM (NEW.result, NEW.white_elo, NEW.black_elo, NEW.event_id, NEW.date)
)
EXECUTE FUNCTION game_told_otherwise();

-- Some reports count games that nobody has judged. A row of totals would be locked to the end of an
-- import, and others would wait for it: changes are only added, one for a transaction and class,
-- and made one from time to time (game_changes_fold).
CREATE TABLE game_change (
    time_class   smallint NOT NULL,
    transactions bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
COMMENT ON TABLE game_change IS 'Transactions that have added, changed or deleted games of events: the sum over the rows of a class is the version of its games.';

CREATE FUNCTION game_change_add(class smallint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    -- A setting that ends with the transaction: whether it is on record already.
    mark constant text := 'intrinsic.game_change_' || class;
BEGIN
    IF coalesce(current_setting(mark, true), '') = '' THEN
        PERFORM set_config(mark, 'added', true);
        INSERT INTO game_change VALUES (class, 1);
    END IF;
END
$$;

CREATE FUNCTION games_come_or_gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM game_change_add(c.time_class)
    FROM (SELECT DISTINCT m.time_class FROM moved AS m WHERE m.event_id <> 0) AS c;
    RETURN NULL;
END
$$;
CREATE TRIGGER games_come AFTER INSERT ON game
REFERENCING NEW TABLE AS moved FOR EACH STATEMENT EXECUTE FUNCTION games_come_or_gone();
CREATE TRIGGER games_gone AFTER DELETE ON game
REFERENCING OLD TABLE AS moved FOR EACH STATEMENT EXECUTE FUNCTION games_come_or_gone();

CREATE FUNCTION game_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM game_change_add(OLD.time_class);
    PERFORM game_change_add(NEW.time_class);
    RETURN NULL;
END
$$;
CREATE TRIGGER game_changed
AFTER UPDATE OF
result, white_elo, black_elo, event_id, date, year, white_id, black_id, time_class, plies ON game
FOR EACH ROW
WHEN (
    (OLD.event_id <> 0 OR NEW.event_id <> 0)
    AND (
        OLD.result, OLD.white_elo, OLD.black_elo, OLD.event_id, OLD.date, OLD.year, OLD.white_id,
        OLD.black_id, OLD.time_class, OLD.plies
    ) IS DISTINCT FROM (
        NEW.result, NEW.white_elo, NEW.black_elo, NEW.event_id, NEW.date, NEW.year, NEW.white_id,
        NEW.black_id, NEW.time_class, NEW.plies
    )
)
EXECUTE FUNCTION game_changed();

-- The sequence itself says when a merge began, not when it was done: what persons are is the sum of
-- their epochs, which every merge, split and undo makes greater when it commits.
CREATE INDEX player_epoch ON player (epoch) WHERE epoch > 0;

-- ---- answers, and the queue of those that are wanted --------------------------------------------

CREATE FUNCTION report_pause(failures integer) RETURNS interval LANGUAGE sql IMMUTABLE AS $$
SELECT least(15, 1 << least(greatest(failures, 1) - 1, 4)) * interval '1 minute'
$$;
COMMENT ON FUNCTION report_pause IS 'How long one rests that has failed so many times in a row: a minute, two, four, at most fifteen.';

CREATE TABLE report (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind         text NOT NULL,
    params       text NOT NULL,
    judge_id     smallint NOT NULL REFERENCES judge ON DELETE CASCADE,
    time_classes smallint NOT NULL,
    usual        boolean NOT NULL,
    state        text NOT NULL DEFAULT 'wanted'
        CHECK (state IN ('wanted', 'running', 'kept', 'failed')),
    wanted       timestamptz NOT NULL DEFAULT now(),
    run_at       timestamptz NOT NULL DEFAULT now(),
    attempts     smallint NOT NULL DEFAULT 0,
    failures     smallint NOT NULL DEFAULT 0,
    lease_token  bigint,
    lease_until  timestamptz,
    failed       timestamptz,
    error        text,
    answer       text,
    data         bigint,
    calibration  text,
    version      integer,
    computed     timestamptz,
    seconds      double precision,
    used         timestamptz NOT NULL DEFAULT now(),
    UNIQUE (kind, params, judge_id, time_classes),
    CHECK (state <> 'kept' OR answer IS NOT NULL)
);
CREATE INDEX report_todo ON report (state) WHERE state IN ('wanted', 'running');
COMMENT ON TABLE report IS 'One row an answer that was asked for: the job that computes it and what was computed last, which is an older answer while the job is not done.';
COMMENT ON COLUMN report.params IS 'All parameters of the kind, checked, as JSON with sorted names.';
COMMENT ON COLUMN report.time_classes IS 'Set of the classes that it rests on: bit n for class n.';
COMMENT ON COLUMN report.usual IS 'Asked for without parameters of one''s own: such answers come first, always find a place and are not dropped.';
COMMENT ON COLUMN report.run_at IS 'Not before: where data changes all the time, an answer is computed again only after nine times as long as it took.';
COMMENT ON COLUMN report.failures IS 'Times in a row that all attempts came to nothing: it rests for longer and longer.';
COMMENT ON COLUMN report.lease_token IS 'Fencing: only the holder of the current token may keep an answer.';
COMMENT ON COLUMN report.data IS 'Version of the data that the answer rests on.';
COMMENT ON COLUMN report.calibration IS 'Digest of the calibration it rests on; empty when there was none.';
COMMENT ON COLUMN report.version IS 'Of its kind and the methods.';
COMMENT ON COLUMN report.used IS 'When it was last asked for, to the minute.';
