-- name: key_get
SELECT id, name, suspended
FROM token
WHERE digest = $1 AND kind = 'fishnet' AND revoked IS NULL

-- name: key_refused
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

-- name: key_good
-- Keys are locked after jobs.
UPDATE token
SET games = games + 1, refused = greatest(refused - 1, 0), silent = silent / 2
WHERE id = $1

-- name: key_asks
-- The row stays locked: what the key holds is counted by one request at a time.
UPDATE token
SET seen = now()
WHERE id = $1 AND revoked IS NULL
RETURNING silent

-- name: key_held
SELECT count(*) AS held
FROM job
WHERE state = 'leased' AND program = 'fishnet' AND worker = $1

-- name: key_engine
SELECT
    coalesce(bool_or(engine = $2), FALSE) AS known,
    count(*) FILTER (WHERE since > now() - interval '30 days') AS fresh
FROM remote_engine
WHERE token_id = $1

-- name: key_engine_add
INSERT INTO remote_engine (token_id, engine)
VALUES ($1, $2)
ON CONFLICT (token_id, engine) DO NOTHING

-- name: key_suspend
UPDATE token
SET suspended = $2
WHERE id = $1 AND suspended IS NULL

-- name: token_list
SELECT
    name,
    kind,
    to_char(created AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS created,
    suspended,
    to_char(revoked AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS revoked,
    silences,
    games,
    checked,
    failed
FROM token
ORDER BY kind, name, id

-- name: token_resume
UPDATE token
SET suspended = NULL, refused = 0, silent = 0
WHERE name = $1 AND kind = 'fishnet' AND revoked IS NULL AND suspended IS NOT NULL

-- name: token_suspend
UPDATE token
SET suspended = 'by the operator'
WHERE name = $1 AND kind = 'fishnet' AND revoked IS NULL AND suspended IS NULL

-- name: lease_of
SELECT
    worker IS NOT DISTINCT FROM $3::text AS own,
    coalesce(floor(extract(EPOCH FROM now() - leased_at))::bigint, 0) AS age
FROM job
WHERE id = $1 AND lease_token = $2 AND state = 'leased'

-- name: remote_judged
-- A game that was judged before, and then forgotten, begins anew.
INSERT INTO remote_check (game_id, judge_id, token_id)
VALUES ($1, $2, $3)
ON CONFLICT (game_id, judge_id) DO UPDATE
SET
    token_id = excluded.token_id, judged = now(), checked = NULL, turns = 0, difference = NULL,
    passed = NULL

-- name: unchecked_get
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
    c.game_id = $1 AND j.name = $2 AND c.checked IS NULL
    AND EXISTS (
        SELECT FROM judged_side AS s
        WHERE s.game_id = c.game_id AND s.judge_id = c.judge_id AND s.turns > 0
    )
ORDER BY c.judged DESC
LIMIT 1

-- name: unchecked_list
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
    c.token_id = $1 AND c.checked IS NULL
    AND EXISTS (
        SELECT FROM judged_side AS s
        WHERE s.game_id = c.game_id AND s.judge_id = c.judge_id AND s.turns > 0
    )
ORDER BY c.game_id, c.judge_id

-- name: remote_checked
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

-- name: judgement_forget
WITH sides AS (
    DELETE FROM judged_side WHERE game_id = $1 AND judge_id = $2
)

DELETE FROM turn
WHERE game_id = $1 AND judge_id = $2

-- name: queue_status
SELECT
    s.system,
    count(j.id) FILTER (WHERE j.state = 'leased') AS acquired,
    count(j.id) FILTER (WHERE j.state = 'ready') AS queued,
    coalesce(
        floor(extract(EPOCH FROM now() - min(j.created) FILTER (WHERE j.state = 'ready')))::bigint, 0
    ) AS oldest
FROM (VALUES (0), (1)) AS s (system)
LEFT JOIN job AS j
    ON
        (j.priority > 5)::integer = s.system AND j.kind = 'judge'
        AND j.state IN ('leased', 'ready') AND ($1::text IS NULL OR j.program = $1)
GROUP BY s.system
ORDER BY s.system
