-- name: idempotency_sweep :exec
-- Deletes answers older than a day, and requests whose process ended more than an hour ago.
DELETE FROM idempotent_answer
WHERE
    created < now() - interval '24 hours'
    OR (status IS NULL AND created < now() - interval '1 hour')

-- name: idempotency_claim :count
-- 1 when the key is new and this request is the first with it, 0 otherwise.
-- param writer, key text
-- param request digest
INSERT INTO idempotent_answer (writer, key, request)
VALUES ($1, $2, $3)
ON CONFLICT DO NOTHING

-- name: idempotency_find :one ipr_db_answer
-- The outcome of the first request with that key.
-- param writer, key text
-- param request digest
-- column same bool               -- it was this request
-- column status int or 0         -- 0 while it is running
-- column content_type text or NULL
-- column location text or NULL
-- column body text or NULL
-- missing no request with that key
SELECT request = $3 AS same, status, content_type, location, body
FROM idempotent_answer
WHERE writer = $1 AND key = $2

-- name: idempotency_keep :exec
-- param writer, key text
-- param status int
-- param content_type, location, body text
UPDATE idempotent_answer
SET status = $3, content_type = $4, location = $5, body = $6
WHERE writer = $1 AND key = $2

-- name: idempotency_release :exec
-- The request has no answer to store: the next one with the key is treated as the first.
-- param writer, key text
DELETE FROM idempotent_answer
WHERE writer = $1 AND key = $2 AND status IS NULL
