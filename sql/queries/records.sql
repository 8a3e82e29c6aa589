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
    WHERE
        state = 'leased' AND (program = 'fishnet' OR kind = 'confirm')
        AND worker = 'fishnet:' || $1::text
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

-- name: token_limit :exec
-- What the api token of that digest may do: scopes (resource/scopes.h); days until it expires and
-- bytes a day, 0: no limit.
-- param digest digest
-- param scopes, days int
-- param quota int64
UPDATE token
SET
    scopes = $2,
    expires = CASE WHEN $3 > 0 THEN now() + make_interval(days => $3) END,
    quota = nullif($4, 0)
WHERE digest = $1 AND kind = 'api'

-- name: token_known :one
-- The api token of that digest; name is NULL when there is none such. Whether any was ever made,
-- revoked ones included.
-- param digest digest
-- column name text or NULL
-- column scopes int or 0
-- column expired bool
-- column tokens bool as any
--
-- Revoked ones count: without any token all requests may write, and revoking the only one must not
-- lead to that.
SELECT
    t.name,
    t.scopes,
    coalesce(t.expires <= now(), false) AS expired,
    EXISTS (SELECT FROM token WHERE kind = 'api') AS tokens
FROM (SELECT 1) AS one
LEFT JOIN token AS t ON t.digest = $1 AND t.kind = 'api' AND t.revoked IS NULL

-- name: token_use :count
-- Counts a write of so many bytes. 0 rows: the quota of the day does not have them; without `limited`
-- it may be passed.
-- param digest digest
-- param bytes int64
-- param limited bool
UPDATE token
SET
    seen = now(),
    day = (now() AT TIME ZONE 'UTC')::date,
    day_bytes = CASE WHEN day = (now() AT TIME ZONE 'UTC')::date THEN day_bytes ELSE 0 END + $2
WHERE
    digest = $1
    AND (
        NOT $3 OR quota IS NULL
        OR CASE WHEN day = (now() AT TIME ZONE 'UTC')::date THEN day_bytes ELSE 0 END + $2 <= quota
    )

-- name: audit_add :one
-- Notes a write; of more than 100,000 the oldest are deleted. status 0: it has no answer yet.
-- param writer, client, method, path text
-- param status int
-- param request text
-- column id int64
WITH old AS (
    DELETE FROM audit
    WHERE id <= (SELECT max(id) FROM audit) - 99999
)

INSERT INTO audit (writer, client, method, path, status, request)
VALUES ($1, $2, $3, $4, $5, $6)
RETURNING id

-- name: audit_end :exec
-- The status of its answer.
-- param id int64
-- param status int
UPDATE audit SET status = $2 WHERE id = $1

-- name: audit_list :many ipr_db_audit
-- The latest writes, newest first; of one writer, unless "".
-- param writer text
-- param max int
-- column at, writer, client, method, path text
-- column status int
-- column request text
SELECT
    to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS at,
    writer,
    client,
    method,
    path,
    status,
    request
FROM audit
WHERE $1 = '' OR writer = $1
ORDER BY id DESC
LIMIT $2
