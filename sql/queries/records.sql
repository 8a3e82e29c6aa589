-- row: ipr_db_calibration
-- column id int32
-- column name text
-- column judge text as judge_json
-- column record text or NULL as record_json
-- column digest, created text

-- name: calibration_known :count inside
-- param name, digest text
SELECT id
FROM calibration
WHERE name = $1 AND digest = $2

-- name: calibration_drop :exec inside
-- param name text
DELETE FROM calibration
WHERE name = $1

-- name: calibration_add :exec inside
-- param name, judge_json, record_json, digest text
INSERT INTO calibration (name, judge, record, digest)
VALUES ($1, $2, $3, $4)

-- name: calibration_add_new :count inside
-- param name, judge_json, record_json, digest text
INSERT INTO calibration (name, judge, record, digest)
VALUES ($1, $2, $3, $4)
ON CONFLICT (name) DO NOTHING

-- name: calibration_get :one ipr_db_calibration
-- param name text
-- missing no such calibration
SELECT
    id,
    name,
    judge,
    record,
    digest,
    to_char(created AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS created
FROM calibration
WHERE name = $1

-- name: calibration_list :many ipr_db_calibration
-- All, by name; record_json is NULL in the rows.
SELECT
    id,
    name,
    judge,
    NULL AS record,
    digest,
    to_char(created AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS created
FROM calibration
ORDER BY name

-- name: rating_get :one
-- The answer cached for that version, else IPR_ENOTFOUND.
-- arg const struct ipr_db_rating_key *key
-- bind key->person int32
-- bind key->year int
-- bind key->judge_id, key->calibration_id int32
-- bind key->mismatch bool
-- bind key->times unsigned
-- bind key->version int64
-- param brief bool
-- column answer text                    -- or what rows of lists show of it
-- missing no kept answer
SELECT CASE WHEN $8::boolean THEN brief ELSE answer END AS answer
FROM rating
WHERE
    player_id = $1 AND year = $2 AND judge_id = $3 AND calibration_id = $4
    AND mismatch = $5::boolean AND time_classes = $6 AND version = $7

-- name: rating_put :exec
-- Caches an answer, unless one of a later version is cached.
-- arg const struct ipr_db_rating_key *key
-- bind key->person int32
-- bind key->year int
-- bind key->judge_id, key->calibration_id int32
-- bind key->mismatch bool
-- bind key->times unsigned
-- bind key->version int64
-- param answer_json, brief_json text
-- param estimate double
-- param methods int
INSERT INTO rating (
    player_id, year, judge_id, calibration_id, mismatch, time_classes, version, answer, brief,
    estimate, methods
)
VALUES ($1, $2, $3, $4, $5::boolean, $6, $7, $8, $9, nullif($10::double precision, 'NaN'), $11)
ON CONFLICT (player_id, year, judge_id, calibration_id, mismatch, time_classes) DO UPDATE
SET
    version = excluded.version, answer = excluded.answer, brief = excluded.brief,
    estimate = excluded.estimate, methods = excluded.methods
WHERE rating.version <= excluded.version

-- name: token_put :exec
-- `kind` "api" (may write) or "fishnet" (may judge).
-- param name, kind text
-- param digest digest
INSERT INTO token (name, kind, digest)
VALUES ($1, $2, $3)

-- name: token_end :count inside
-- param name, kind text
UPDATE token
SET revoked = now()
WHERE name = $1 AND kind = $2 AND revoked IS NULL

-- name: key_release :exec inside
-- param name text
--
-- After the key, so that it claims nothing more; elsewhere keys are locked after jobs, so locked
-- jobs are skipped here.
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

-- name: token_known :one
-- Name of the api token of that digest, NULL when there is none such; whether any was ever made,
-- revoked ones included.
-- param digest digest
-- column name text or NULL
-- column tokens bool as any
--
-- Revoked ones count: without any token all requests may write, and revoking the only one must not
-- lead to that.
SELECT
    (SELECT name FROM token WHERE digest = $1 AND kind = 'api' AND revoked IS NULL) AS name,
    EXISTS (SELECT FROM token WHERE kind = 'api') AS tokens
