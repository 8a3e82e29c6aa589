-- Judging: judges as data, a queue that is fair and can be steered, workers that are known, a cache
-- of positions, endgame truth, other people's machines.

-- ---- judges ----

ALTER TABLE judge
    ADD COLUMN nodes integer NOT NULL DEFAULT 0 CHECK (nodes >= 0),
    ADD COLUMN time_ms integer NOT NULL DEFAULT 0 CHECK (time_ms >= 0),
    ADD COLUMN clear text NOT NULL DEFAULT 'position'
        CHECK (clear IN ('position', 'game', 'remote')),
    ADD COLUMN apart text NOT NULL DEFAULT 'searchmoves'
        CHECK (apart IN ('searchmoves', 'after', 'each')),
    ADD COLUMN options text NOT NULL DEFAULT '',
    DROP CONSTRAINT judge_depth_check,
    ADD CHECK (depth BETWEEN 0 AND 60),
    ADD CHECK ((depth > 0)::integer + (nodes > 0)::integer + (time_ms > 0)::integer = 1),
    DROP CONSTRAINT judge_name_engine_network_multipv_depth_hash_mb_threads_fir_key,
    ADD CONSTRAINT judge_identity UNIQUE (
        name, engine, network, multipv, depth, hash_mb, threads, first_move, nodes, time_ms, clear,
        apart, options
    );
COMMENT ON COLUMN judge.options IS 'What else the engine was set to; of tablebases the size and a digest of the set.';

CREATE TABLE judge_definition (
    name        text PRIMARY KEY CHECK (name ~ '^[a-z0-9][a-z0-9_-]{0,30}$'),
    program     text NOT NULL CHECK (program ~ '^[a-z0-9][a-z0-9_-]{0,30}$'),
    multipv     smallint NOT NULL CHECK (multipv BETWEEN 1 AND 250),
    depth       smallint NOT NULL CHECK (depth BETWEEN 0 AND 60),
    nodes       integer NOT NULL CHECK (nodes >= 0),
    time_ms     integer NOT NULL CHECK (time_ms >= 0),
    hash_mb     integer NOT NULL CHECK (hash_mb BETWEEN 1 AND 65536),
    threads     smallint NOT NULL CHECK (threads >= 1),
    first_move  smallint NOT NULL CHECK (first_move >= 1),
    clear       text NOT NULL CHECK (clear IN ('position', 'game', 'remote')),
    tablebases  boolean NOT NULL,
    built_in    boolean NOT NULL,
    creator     text NOT NULL,
    created     timestamptz NOT NULL DEFAULT now(),
    CHECK ((depth > 0)::integer + (nodes > 0)::integer + (time_ms > 0)::integer = 1)
);
COMMENT ON TABLE judge_definition IS 'What a judge''s name asks for. Never changed: figures of one name would otherwise be of two searches. The judge itself, with the engine''s own name, is a row of judge once it has judged.';
COMMENT ON COLUMN judge_definition.program IS 'One of the operator''s engines (INTRINSIC_ENGINES), or "fishnet": other people''s machines.';

-- ---- workers ----

CREATE TABLE worker (
    name        text PRIMARY KEY,
    version     text NOT NULL,
    engines     text[] NOT NULL,
    tablebases  smallint NOT NULL,
    threads     smallint NOT NULL,
    started     timestamptz NOT NULL DEFAULT now(),
    seen        timestamptz NOT NULL DEFAULT now(),
    games       bigint NOT NULL DEFAULT 0,
    turns       bigint NOT NULL DEFAULT 0,
    cached      bigint NOT NULL DEFAULT 0,
    failures    bigint NOT NULL DEFAULT 0,
    leases_lost bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);
COMMENT ON TABLE worker IS 'Processes that judge, with what they have done since they started; one that says nothing for a while is forgotten.';
COMMENT ON COLUMN worker.name IS 'host:pid';
COMMENT ON COLUMN worker.tablebases IS 'Men of the largest tablebase it has; 0: none.';
COMMENT ON COLUMN worker.cached IS 'Of the turns, those that were known from another game.';

-- ---- the queue ----

ALTER TABLE job
    ADD COLUMN kind text NOT NULL DEFAULT 'judge' CHECK (kind IN ('judge', 'check')),
    ADD COLUMN owner text NOT NULL DEFAULT 'local',
    ADD COLUMN program text NOT NULL DEFAULT 'stockfish',
    ADD COLUMN place bigint NOT NULL DEFAULT 0,
    ADD COLUMN upload_id bigint NOT NULL DEFAULT 0,
    ADD COLUMN last_worker text,
    ADD COLUMN created timestamptz NOT NULL DEFAULT now(),
    ADD COLUMN leased_at timestamptz,
    DROP CONSTRAINT job_state_check,
    ADD CHECK (state IN ('ready', 'leased', 'failed', 'paused')),
    DROP CONSTRAINT job_game_id_judge_key,
    ADD CONSTRAINT job_once UNIQUE (game_id, judge, kind);
-- The judges of that time all began at move 9.
UPDATE job
SET
    place = job.id, turns_total = greatest(game.plies - 16, 0),
    upload_id = coalesce(game.upload_id, 0)
FROM game
WHERE game.id = job.game_id;
COMMENT ON COLUMN job.kind IS 'judge: judge the game; check: judge some of its turns again and compare, because it came from somebody else''s machine.';
COMMENT ON COLUMN job.owner IS 'Who asked: the name of the token, "local", or "import". Owners take turns.';
COMMENT ON COLUMN job.place IS 'Start-time fair queueing (Goyal, Vin and Cheng 1996): within a priority, the virtual time at which its owner''s turn comes, whatever the local program. Given when queued.';
COMMENT ON COLUMN job.upload_id IS 'The upload that brought the game; 0: not on record.';
COMMENT ON COLUMN job.turns_total IS 'Turns its judge will judge, estimated from the number of plies until a worker knows.';
DROP INDEX job_ready;
CREATE INDEX job_ready ON job (program, priority, place, id) WHERE state = 'ready';
CREATE INDEX job_owner ON job (owner, program, priority, place) WHERE state = 'ready';
CREATE INDEX job_paused ON job (id) WHERE state = 'paused';
CREATE INDEX job_upload ON job (upload_id);
CREATE INDEX job_oldest ON job (judge, kind, created) WHERE state = 'ready';

-- What pages ask of a long queue, without reading it. A row of totals would be locked from each
-- claim to the end of its transaction, and workers would wait for each other: changes are only
-- added, and made one from time to time (queue_totals_fold). Statements that change no total, such
-- as a job's pause that does nothing, add nothing.
CREATE TABLE job_total (
    program     text NOT NULL,
    judge       text NOT NULL,
    kind        text NOT NULL,
    state       text NOT NULL,
    owner       text NOT NULL,
    priority    smallint NOT NULL,
    upload_id   bigint NOT NULL,
    jobs        bigint NOT NULL,
    turns       bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
COMMENT ON TABLE job_total IS 'Jobs that are alike: their number and turns are the sums over all rows of a kind, each a change.';
COMMENT ON COLUMN job_total.turns IS 'Not judged yet.';

INSERT INTO job_total
SELECT
    program, judge, kind, state, owner, priority, upload_id, count(*),
    sum(greatest(turns_total - turns_done, 0))
FROM job
GROUP BY program, judge, kind, state, owner, priority, upload_id;

CREATE FUNCTION job_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO job_total
    SELECT
        program, judge, kind, state, owner, priority, upload_id, count(*),
        sum(greatest(turns_total - turns_done, 0))
    FROM fresh
    GROUP BY program, judge, kind, state, owner, priority, upload_id;
    RETURN NULL;
END
$$;

CREATE FUNCTION job_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO job_total
    SELECT
        program, judge, kind, state, owner, priority, upload_id, -count(*),
        -sum(greatest(turns_total - turns_done, 0))
    FROM gone
    GROUP BY program, judge, kind, state, owner, priority, upload_id;
    RETURN NULL;
END
$$;

CREATE FUNCTION job_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO job_total
    SELECT
        c.program, c.judge, c.kind, c.state, c.owner, c.priority, c.upload_id,
        sum(c.sign), sum(c.sign * c.turns)
    FROM (
        SELECT
            program, judge, kind, state, owner, priority, upload_id, 1 AS sign,
            greatest(turns_total - turns_done, 0) AS turns
        FROM fresh
        UNION ALL
        SELECT
            program, judge, kind, state, owner, priority, upload_id, -1,
            greatest(turns_total - turns_done, 0)
        FROM gone
    ) AS c
    GROUP BY c.program, c.judge, c.kind, c.state, c.owner, c.priority, c.upload_id
    HAVING sum(c.sign) <> 0 OR sum(c.sign * c.turns) <> 0;
    RETURN NULL;
END
$$;

CREATE FUNCTION job_emptied() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM job_total;
    RETURN NULL;
END
$$;

CREATE TRIGGER job_added AFTER INSERT ON job
REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION job_added();
CREATE TRIGGER job_removed AFTER DELETE ON job
REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION job_removed();
CREATE TRIGGER job_changed AFTER UPDATE ON job
REFERENCING OLD TABLE AS gone NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION job_changed();
CREATE TRIGGER job_emptied AFTER TRUNCATE ON job
FOR EACH STATEMENT EXECUTE FUNCTION job_emptied();

CREATE VIEW program AS
SELECT DISTINCT
    program AS name,
    program = 'fishnet' AS remote
FROM judge_definition;
COMMENT ON VIEW program IS 'Those that jobs can be for. The local ones have one queue, the remote one another.';

CREATE VIEW program_at_work AS
SELECT p.name
FROM program AS p
WHERE
    EXISTS (
        SELECT FROM worker AS w
        WHERE w.seen > now() - interval '1 minute' AND p.name = ANY(w.engines)
    )
    OR NOT EXISTS (SELECT FROM worker AS w WHERE w.seen > now() - interval '1 minute');
COMMENT ON VIEW program_at_work IS 'Programs that a living worker has; all of them while none lives.';

CREATE FUNCTION queue_place(of_remote boolean, of_priority smallint, of_owner text) RETURNS bigint
-- The first and the last are asked for in the order of an index: min and max read all of them where
-- statistics still call the table empty, as within an import.
LANGUAGE sql STABLE AS $$
SELECT greatest(
    1,
    (SELECT min(greatest(f.place, w.place))
     FROM program AS p
     LEFT JOIN LATERAL (
         SELECT place FROM job
         WHERE
             state = 'ready' AND program = p.name AND priority = of_priority
             AND (p.remote OR p.name IN (SELECT a.name FROM program_at_work AS a))
         ORDER BY place LIMIT 1
     ) AS f ON true
     CROSS JOIN LATERAL (
         SELECT max(place) AS place FROM job
         WHERE state = 'leased' AND program = p.name AND priority = of_priority
     ) AS w
     WHERE p.remote = of_remote),
    (SELECT max(l.place) + 1
     FROM program AS p
     CROSS JOIN LATERAL (
         SELECT place FROM job
         WHERE
             state = 'ready' AND owner = of_owner AND program = p.name
             AND priority = of_priority
         ORDER BY place DESC LIMIT 1
     ) AS l
     WHERE p.remote = of_remote),
    (SELECT max(place) + 1 FROM job
     WHERE
         state = 'leased' AND owner = of_owner AND priority = of_priority
         AND (program = 'fishnet') = of_remote)
)
$$;
COMMENT ON FUNCTION queue_place IS 'The next place of an owner: after its last one, and not before those whose turn it is now. Of no owner (NULL): the place whose turn it is. All local programs have their places in common, fishnet has its own. Whose turn it is: where the program is that is least far, by its last job at work and its first one waiting, those of a program that no living worker has left out.';

CREATE FUNCTION selected_games(
    of_upload bigint, of_game bigint, of_person integer, of_year integer
) RETURNS TABLE (game_id bigint)
-- Not STRICT, and branches that exclude each other, so that it becomes part of a query and the
-- index of the narrowest condition is used.
LANGUAGE sql STABLE AS $$
SELECT g.id
FROM game AS g
WHERE
    of_game <> 0 AND g.id = of_game
    AND (
        of_upload = 0
        OR EXISTS (
            SELECT FROM upload_game AS u WHERE u.upload_id = of_upload AND u.game_id = g.id
        )
    )
    AND (
        of_person = 0
        OR g.white_id = ANY(person_identities(of_person))
        OR g.black_id = ANY(person_identities(of_person))
    )
    AND (of_year = 0 OR g.year = of_year)
UNION ALL
SELECT g.id
FROM (SELECT DISTINCT u.game_id FROM upload_game AS u WHERE u.upload_id = of_upload) AS sent
INNER JOIN game AS g ON g.id = sent.game_id
WHERE
    of_upload <> 0 AND of_game = 0
    AND (
        of_person = 0
        OR g.white_id = ANY(person_identities(of_person))
        OR g.black_id = ANY(person_identities(of_person))
    )
    AND (of_year = 0 OR g.year = of_year)
UNION ALL
SELECT g.id
FROM game AS g
WHERE
    of_person <> 0 AND of_upload = 0 AND of_game = 0
    AND (
        g.white_id = ANY(person_identities(of_person))
        OR g.black_id = ANY(person_identities(of_person))
    )
    AND (of_year = 0 OR g.year = of_year)
$$;
COMMENT ON FUNCTION selected_games IS 'Games for which all conditions hold that are not 0; at least one of upload, game and person must be.';

CREATE FUNCTION selected_jobs(
    of_upload bigint, of_game bigint, of_person integer, of_year integer, of_judge text
) RETURNS SETOF job
LANGUAGE sql STABLE AS $$
SELECT j.*
FROM job AS j
WHERE
    of_upload = 0 AND of_game = 0 AND of_person = 0 AND j.kind = 'judge'
    AND (of_judge IS NULL OR j.judge = of_judge)
UNION ALL
-- An upload has many games that were judged long ago: its jobs are found without them.
SELECT j.*
FROM job AS j
WHERE
    of_upload <> 0 AND of_game = 0 AND of_person = 0 AND j.kind = 'judge'
    AND j.upload_id = of_upload
    AND (of_judge IS NULL OR j.judge = of_judge)
UNION ALL
SELECT j.*
FROM (SELECT DISTINCT d.game_id FROM upload_duplicate AS d WHERE d.upload_id = of_upload) AS sent
INNER JOIN job AS j ON j.game_id = sent.game_id
WHERE
    of_upload <> 0 AND of_game = 0 AND of_person = 0 AND j.kind = 'judge'
    AND j.upload_id <> of_upload
    AND (of_judge IS NULL OR j.judge = of_judge)
UNION ALL
SELECT j.*
FROM selected_games(of_upload, of_game, of_person, of_year) AS s
INNER JOIN job AS j ON j.game_id = s.game_id
WHERE
    (of_game <> 0 OR of_person <> 0) AND j.kind = 'judge'
    AND (of_judge IS NULL OR j.judge = of_judge)
$$;
COMMENT ON FUNCTION selected_jobs IS 'Jobs of the games selected, or of the whole queue when nothing is; checks of other people''s work are left alone.';

-- ---- the cache, and what a turn cost ----

ALTER TABLE turn
    ADD COLUMN position_key uuid,
    ADD COLUMN apart_nodes bigint NOT NULL DEFAULT 0;
CREATE INDEX turn_position ON turn (position_key, judge_id) WHERE position_key IS NOT NULL;
COMMENT ON COLUMN turn.position_key IS 'BLAKE2b-128 of what the engine was sent: the position after the last irreversible move (without the number of the move) and the moves since. NULL where the judge is not a pure function of it, or where the evaluation came from somebody else.';
COMMENT ON COLUMN turn.apart_nodes IS 'Of its nodes, those of the move played, judged apart: where it is one of the lines, or nobody asks for it, they were not spent.';

ALTER TABLE judged_side
    ADD COLUMN cached smallint NOT NULL DEFAULT 0,
    ADD COLUMN search_ms integer NOT NULL DEFAULT 0;
CREATE INDEX judged_side_searched ON judged_side (judge_id, finished) WHERE search_ms > 0;
COMMENT ON COLUMN judged_side.cached IS 'Turns that were not searched, because the position was known.';
COMMENT ON COLUMN judged_side.search_ms IS 'Time its other turns took; 0 where that is not known.';

-- ---- endgame truth ----

CREATE TABLE endgame_turn (
    game_id     bigint NOT NULL REFERENCES game ON DELETE CASCADE,
    ply         smallint NOT NULL,
    mover       smallint NOT NULL CHECK (mover IN (0, 1)),
    men         smallint NOT NULL,
    before      smallint NOT NULL CHECK (before BETWEEN -2 AND 2),
    after       smallint NOT NULL CHECK (after BETWEEN -2 AND 2),
    dtz_before  smallint,
    dtz_after   smallint,
    PRIMARY KEY (game_id, ply)
);
COMMENT ON TABLE endgame_turn IS 'What Syzygy tablebases say of a turn; true whatever the judge.';
COMMENT ON COLUMN endgame_turn.before IS 'With best play, mover''s view: -2 lost, -1 lost but for the fifty-move rule, 0 drawn, 1 won but for it, 2 won.';
COMMENT ON COLUMN endgame_turn.after IS 'The same after the move played, still the mover''s view.';
COMMENT ON COLUMN endgame_turn.dtz_before IS 'Half-moves to the next capture or pawn move with best play; NULL in a drawn position or where the table is missing.';

-- ---- other people's machines ----

ALTER TABLE token
    ADD COLUMN kind text NOT NULL DEFAULT 'api' CHECK (kind IN ('api', 'fishnet')),
    ADD COLUMN suspended text,
    ADD COLUMN refused integer NOT NULL DEFAULT 0,
    ADD COLUMN silent integer NOT NULL DEFAULT 0,
    ADD COLUMN silences bigint NOT NULL DEFAULT 0,
    ADD COLUMN seen timestamptz,
    ADD COLUMN revoked timestamptz,
    ADD COLUMN games bigint NOT NULL DEFAULT 0,
    ADD COLUMN checked bigint NOT NULL DEFAULT 0,
    ADD COLUMN failed bigint NOT NULL DEFAULT 0;
CREATE INDEX job_remote ON job (worker) WHERE state = 'leased' AND program = 'fishnet';
CREATE UNIQUE INDEX token_fishnet ON token (name) WHERE kind = 'fishnet' AND revoked IS NULL;
COMMENT ON COLUMN token.kind IS 'api: may write; fishnet: may judge.';
COMMENT ON COLUMN token.suspended IS 'Why the key is no longer taken; NULL: it is.';
COMMENT ON COLUMN token.revoked IS 'Since when it is not taken, for good. The row stays: games were judged under the key, and writing goes on needing a token.';
COMMENT ON COLUMN token.refused IS 'What weighs against the key: five for each result that was refused, less one for each that was taken.';
COMMENT ON COLUMN token.silent IS 'Leases that ran out under this key, halved by each result that was taken: beyond some it is given one game at a time.';
COMMENT ON COLUMN token.silences IS 'All leases that ran out under this key.';
COMMENT ON COLUMN token.games IS 'Results that were taken under this key, ever; kept here because pages must not count them.';
COMMENT ON COLUMN token.checked IS 'Of these, those a local worker has looked at.';
COMMENT ON COLUMN token.failed IS 'Of these, those found to be wrong.';
COMMENT ON COLUMN token.seen IS 'When it last asked for a game.';

CREATE TABLE remote_check (
    game_id     bigint NOT NULL REFERENCES game ON DELETE CASCADE,
    judge_id    smallint NOT NULL REFERENCES judge,
    token_id    integer NOT NULL REFERENCES token ON DELETE CASCADE,
    judged      timestamptz NOT NULL DEFAULT now(),
    checked     timestamptz,
    turns       smallint NOT NULL DEFAULT 0,
    difference  real,
    passed      boolean,
    PRIMARY KEY (game_id, judge_id)
);
COMMENT ON TABLE remote_check IS 'Games judged under a fishnet key, and what judging some of their turns again has shown.';
COMMENT ON COLUMN remote_check.difference IS 'Mean absolute difference of the evaluations in centipawns; NULL: not checked.';
CREATE INDEX remote_check_token ON remote_check (token_id);

CREATE TABLE remote_engine (
    token_id    integer NOT NULL REFERENCES token ON DELETE CASCADE,
    engine      text NOT NULL,
    since       timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (token_id, engine)
);
COMMENT ON TABLE remote_engine IS 'Engines that games were judged with under a fishnet key, by the clients'' own account. Names cost nothing, and each makes judges: a key may bring a few.';
