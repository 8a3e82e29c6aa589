-- row: ipr_db_worker
-- A process that judges, as registered. Counts are since its start.
-- column name text                      -- host:pid
-- column version text
-- column engines text                   -- programs, separated by spaces
-- column started text                   -- RFC 3339; read only
-- column tablebases int                 -- men of the largest; 0: none
-- column threads int                    -- engines at work
-- column games, turns, cached, failures, leases_lost int64
-- column seen_s double                  -- seconds since its last heartbeat; read only

-- name: worker_beat :exec
-- Heartbeat of a worker: adds it, or updates its counts. Workers without a heartbeat for an hour
-- are deleted.
-- arg const struct ipr_db_worker *w
-- bind w->name, w->version, w->engines text
-- bind w->tablebases, w->threads int
-- bind w->games, w->turns, w->cached, w->failures, w->leases_lost int64
--
-- Smaller counts than before are of another process with the same name.
WITH gone AS (
    DELETE FROM worker
    WHERE name IN (
        SELECT w.name
        FROM worker AS w
        WHERE w.seen < now() - interval '1 hour' AND w.name <> $1
        ORDER BY w.name
        FOR UPDATE SKIP LOCKED
    )
)

INSERT INTO worker (
    name, version, engines, tablebases, threads, games, turns, cached, failures, leases_lost
)
VALUES ($1, $2, string_to_array($3, ' '), $4, $5, $6, $7, $8, $9, $10)
ON CONFLICT (name) DO UPDATE
SET
    version = excluded.version, engines = excluded.engines, tablebases = excluded.tablebases,
    threads = excluded.threads, seen = now(), games = excluded.games, turns = excluded.turns,
    cached = excluded.cached, failures = excluded.failures, leases_lost = excluded.leases_lost,
    started = CASE
        WHEN (excluded.games, excluded.turns) < (worker.games, worker.turns) THEN now()
        ELSE worker.started
    END

-- name: worker_leave :exec
-- An orderly end.
-- param name text
DELETE FROM worker
WHERE name = $1

-- name: workers :many ipr_db_worker
-- Workers with a heartbeat in the last minute, by name.
SELECT
    name, version, tablebases, threads, games, turns, cached, failures, leases_lost,
    array_to_string(engines, ' ') AS engines,
    to_char(started AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS started,
    greatest(0, extract(epoch FROM now() - seen))::double precision AS seen_s
FROM worker
WHERE seen > now() - interval '1 minute'
ORDER BY name
