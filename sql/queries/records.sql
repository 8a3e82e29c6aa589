-- name: calibration_known
SELECT id
FROM calibration
WHERE name = $1 AND digest = $2

-- name: calibration_drop
DELETE FROM calibration
WHERE name = $1

-- name: calibration_add
INSERT INTO calibration (name, judge, record, digest)
VALUES ($1, $2, $3, $4)

-- name: calibration_new
INSERT INTO calibration (name, judge, record, digest)
VALUES ($1, $2, $3, $4)
ON CONFLICT (name) DO NOTHING

-- name: calibration_get
SELECT
    id,
    name,
    judge,
    record,
    digest,
    to_char(created AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS created
FROM calibration
WHERE name = $1

-- name: calibration_list
SELECT
    id,
    name,
    judge,
    NULL AS record,
    digest,
    to_char(created AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS created
FROM calibration
ORDER BY name

-- name: rating_get
SELECT answer
FROM rating
WHERE
    player_id = $1 AND year = $2 AND judge_id = $3 AND calibration_id = $4
    AND mismatch = $5::boolean AND time_classes = $6 AND version = $7

-- name: rating_put
INSERT INTO rating (
    player_id, year, judge_id, calibration_id, mismatch, time_classes, version, answer
)
VALUES ($1, $2, $3, $4, $5::boolean, $6, $7, $8)
ON CONFLICT (player_id, year, judge_id, calibration_id, mismatch, time_classes) DO UPDATE
SET version = excluded.version, answer = excluded.answer
WHERE rating.version <= excluded.version

-- name: token_put
INSERT INTO token (name, kind, digest)
VALUES ($1, $2, $3)

-- name: token_revoke
UPDATE token
SET revoked = now()
WHERE name = $1 AND kind = $2 AND revoked IS NULL

-- name: key_release
-- After the key, so that it claims nothing more; keys come after jobs elsewhere, so what others
-- are at is left to them.
WITH held AS MATERIALIZED (
    SELECT id
    FROM job
    WHERE state = 'leased' AND program = 'fishnet' AND worker = 'fishnet:' || $1::text
    ORDER BY id
    FOR UPDATE SKIP LOCKED
)

UPDATE job
SET
    state = 'ready', attempts = attempts - 1, turns_done = 0, run_at = now(), last_worker = NULL,
    lease_token = NULL, lease_until = NULL, leased_at = NULL, worker = NULL
FROM held
WHERE job.id = held.id
RETURNING pg_notify('progress', '')

-- name: token_known
-- Revoked ones count: whoever takes back the only token does not mean to let everybody write.
SELECT
    (SELECT name FROM token WHERE digest = $1 AND kind = 'api' AND revoked IS NULL) AS name,
    EXISTS (SELECT FROM token WHERE kind = 'api') AS tokens
