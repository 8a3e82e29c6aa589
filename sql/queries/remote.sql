-- name: key_get :one ipr_db_key
-- The fishnet key of that digest; IPR_ENOTFOUND when there is none.
-- param digest digest
-- column id int32
-- column name text
-- column suspended text or NULL         -- the reason, NULL: it may judge
-- missing no such key
SELECT id, name, suspended
FROM token
WHERE digest = $1 AND kind = 'fishnet' AND revoked IS NULL

-- name: key_refused :one
-- A result under this key was rejected. *suspended: whether the key is suspended for it.
-- param key_id int32
-- bind IPR_DB_KEY_REFUSAL int
-- bind IPR_DB_KEY_REFUSAL * IPR_DB_KEY_REFUSALS int
-- param reason text
-- column suspended bool
-- missing no such key
UPDATE token
SET
    refused = refused + $2::integer,
    suspended = CASE
        WHEN suspended IS NULL AND refused + $2::integer >= $3::integer
            THEN 'too many results refused, the last one: ' || $4::text
        ELSE suspended
    END
WHERE id = $1
RETURNING suspended IS NOT NULL AS suspended

-- name: key_good :exec
-- A result under this key was accepted: it is counted, and lowers the penalty of the key. In the
-- transaction that stores it, after its job, for keys are locked after jobs.
-- param key_id int32
--
-- Keys are locked after jobs.
UPDATE token
SET games = games + 1, refused = greatest(refused - 1, 0), silent = silent / 2
WHERE id = $1

-- name: key_lock :one inside
-- param key_id int32
-- column silent int32
-- missing no such key
--
-- The row stays locked, so that only one request at a time counts the leases of the key.
UPDATE token
SET seen = now()
WHERE id = $1 AND revoked IS NULL
RETURNING silent

-- name: key_held :one inside
-- param worker text
-- column held int64
SELECT count(*) AS held
FROM job
WHERE state = 'leased' AND (program = 'fishnet' OR kind = 'confirm') AND worker = $1

-- name: key_engines :one inside
-- param key_id int32
-- param engine text
-- column known bool
-- column fresh int64
SELECT
    coalesce(bool_or(engine = $2), FALSE) AS known,
    count(*) FILTER (WHERE since > now() - interval '30 days') AS fresh
FROM remote_engine
WHERE token_id = $1

-- name: key_engine_add :exec
-- param key_id int32
-- param engine text
INSERT INTO remote_engine (token_id, engine)
VALUES ($1, $2)
ON CONFLICT (token_id, engine) DO NOTHING

-- name: key_suspend :exec
-- Suspends a key; an existing reason is unchanged.
-- param key_id int32
-- param reason text
UPDATE token
SET suspended = $2
WHERE id = $1 AND suspended IS NULL

-- name: token_list :many ipr_db_token
-- All tokens, for the operator, by kind and name.
-- column name, kind text
-- column created text                   -- RFC 3339
-- column suspended text or NULL         -- NULL: it is taken,
-- column revoked text or NULL           -- unless this is set: since when not
-- column games, checked, failed int64   -- of a fishnet key, ever
-- column silences int64                 -- leases that ran out under it
-- column scopes int                     -- of an api token, as the rest
-- column expires, seen text or NULL     -- NULL: never
-- column expired bool
-- column quota, used int64              -- bytes of a day, 0: no limit; those of today
SELECT
    name,
    kind,
    scopes,
    to_char(expires AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS expires,
    to_char(seen AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS seen,
    coalesce(expires <= now(), false) AS expired,
    coalesce(quota, 0) AS quota,
    CASE WHEN day = (now() AT TIME ZONE 'UTC')::date THEN day_bytes ELSE 0 END AS used,
    to_char(created AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS created,
    suspended,
    to_char(revoked AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS revoked,
    silences,
    games,
    checked,
    failed
FROM token
ORDER BY kind, name, id

-- name: token_resume :exec
-- Resumes the suspended fishnet keys of that name and resets their penalty.
-- param name text
-- missing IPR_ENOTFOUND "no suspended key is named %s", name
UPDATE token
SET suspended = NULL, refused = 0, silent = 0
WHERE name = $1 AND kind = 'fishnet' AND revoked IS NULL AND suspended IS NOT NULL

-- name: token_suspend :exec
-- Suspends the fishnet keys of that name.
-- param name text
-- missing IPR_ENOTFOUND "no good key is named %s", name
UPDATE token
SET suspended = 'by the operator'
WHERE name = $1 AND kind = 'fishnet' AND revoked IS NULL AND suspended IS NULL

-- name: lease_of :one
-- Whether a lease is held under this name (as it was claimed), and for how long, in seconds.
-- arg const struct ipr_db_job *job
-- bind job->id, job->token int64
-- param worker text
-- column own bool
-- column age int64
-- missing IPR_ECONFLICT the lease is over
SELECT
    worker IS NOT DISTINCT FROM $3::text AS own,
    greatest(0, floor(extract(EPOCH FROM now() - leased_at))::bigint) AS age
FROM job
WHERE id = $1 AND lease_token = $2 AND state = 'leased'

-- name: remote_judged :exec
-- Notes that a game was judged under a key. In the transaction that stores it.
-- param game_id int64
-- param judge_id, key_id int32
--
-- A game whose earlier judgement was deleted is counted from the start.
INSERT INTO remote_check (game_id, judge_id, token_id)
VALUES ($1, $2, $3)
ON CONFLICT (game_id, judge_id) DO UPDATE
SET
    token_id = excluded.token_id, judged = now(), checked = NULL, turns = 0, difference = NULL,
    passed = NULL

-- row: ipr_db_unchecked
-- A game judged by a remote machine and not checked yet.
-- column game_id int64
-- column judge_id int32
-- column token_id int32 as key_id
-- column judge, key text                -- names

-- part: unchecked_games
SELECT
    c.game_id,
    c.judge_id,
    c.token_id,
    j.name AS judge,
    t.name AS key
FROM remote_check AS c
INNER JOIN judge AS j ON j.id = c.judge_id
INNER JOIN token AS t ON t.id = c.token_id
WHERE
    c.checked IS NULL
    AND (
        EXISTS (
            SELECT FROM judged_side AS s
            WHERE s.game_id = c.game_id AND s.judge_id = c.judge_id AND s.turns > 0
        )
        OR EXISTS (
            SELECT FROM confirmation AS f
            WHERE f.game_id = c.game_id AND f.judge_id = c.judge_id
        )
    )

-- name: unchecked_get :one ipr_db_unchecked
-- The one of a game by a judge of that name; IPR_ENOTFOUND when there is none, or its evaluations
-- are no longer stored.
-- param game_id int64
-- param judge text
-- missing no judgement of this game to check
@unchecked_games()
    AND c.game_id = $1 AND j.name = $2
ORDER BY c.judged DESC
LIMIT 1

-- name: unchecked_list :many ipr_db_unchecked
-- All of a key, ascending by game.
-- param key_id int32
@unchecked_games()
    AND c.token_id = $1
ORDER BY c.game_id, c.judge_id

-- name: remote_checked :exec
-- What a check has shown: turns compared, mean absolute difference in centipawns.
-- arg const struct ipr_db_unchecked *of
-- bind of->game_id int64
-- bind of->judge_id int32
-- param turns unsigned
-- param difference double
-- param passed bool
WITH done AS (
    UPDATE remote_check
    SET checked = now(), turns = $3, difference = $4, passed = $5
    WHERE game_id = $1 AND judge_id = $2
    RETURNING token_id, passed
)

UPDATE token
SET checked = token.checked + 1, failed = token.failed + (NOT done.passed)::integer
FROM done
WHERE token.id = done.token_id

-- row: ipr_db_status
-- Jobs as the fishnet protocol groups them.
-- column acquired, queued int64
-- column oldest int64 as oldest_s       -- age of the oldest queued one; 0: none

-- name: queue_status :many ipr_db_status inside
-- param program text
SELECT
    count(j.id) FILTER (WHERE j.state = 'leased') AS acquired,
    count(j.id) FILTER (WHERE j.state = 'ready') AS queued,
    greatest(
        0, floor(extract(EPOCH FROM now() - min(j.created) FILTER (WHERE j.state = 'ready')))::bigint
    ) AS oldest
FROM (VALUES (0), (1)) AS s (system)
LEFT JOIN job AS j
    ON
        (j.priority > 5)::integer = s.system AND j.kind = 'judge'
        AND j.state IN ('leased', 'ready') AND ($1::text IS NULL OR j.program = $1)
GROUP BY s.system
ORDER BY s.system
