-- row: ipr_db_upload
-- column id int64
-- column created text                   -- RFC 3339
-- column source text                    -- file name or "api"
-- column state text                     -- waiting, importing, stored, failed, cancelled
-- column ended text or ""               -- RFC 3339; "" when it has not, or that is not on record
-- column problem, detail text or ""     -- of a failed one
-- column bytes_read int64
-- column judge text                     -- "" when not queued
-- column bytes int64
-- column games_read, imported, duplicate, rejected, judged int32
-- column variations int64               -- skipped in its games
-- column created_by text or ""          -- "" when not on record
-- column queued int32                   -- of its games that were to be judged: waiting, or paused
-- column running int32                  -- being judged
-- column analysed int32                 -- both sides judged by its judge
-- column failed int32                   -- reason in jobs
-- column turns_done int64               -- judged turns of its games, without failed games; those
--     of a running game count until its lease is lost and it begins again
-- column turns_total int64              -- turns_done and those still to be judged

-- name: private_id :one
-- Of a private upload that begins.
-- column id int64
SELECT nextval('private.id') AS id

-- name: upload_begin :one
-- Puts an upload on record: it waits for its import. In the space of a private one, with the digest of
-- its key.
-- param source text
-- param digest digest
-- param bytes int64
-- param judge text or ""
-- param created_by text
-- param key bytes or NULL
-- column id int64
INSERT INTO upload (source, digest, bytes, judge, created_by, key, state)
VALUES ($1, $2, $3, $4, $5, $6, 'waiting')
RETURNING id

-- name: upload_of_keys :maybe
-- The private upload with one of these keys, as digests in hexadecimal digits, and one of these ids:
-- its own, of a player, an event or a game. Without ids: any with such a key.
-- param keys text[]
-- param ids int64[]
-- column id int64
-- column key text
SELECT
    u.id,
    encode(u.key, 'hex') AS key
FROM public.upload AS u
WHERE
    u.key = ANY(ARRAY(SELECT decode(k.key, 'hex') FROM unnest($1::text[]) AS k (key)))
    AND (
        $2::bigint[] = '{}'
        OR u.id = ANY($2)
        OR EXISTS (SELECT FROM public.player AS p WHERE p.id = ANY($2) AND p.space = u.id)
        OR EXISTS (SELECT FROM public.event AS e WHERE e.id = ANY($2) AND e.space = u.id)
        OR EXISTS (SELECT FROM public.game AS g WHERE g.id = ANY($2) AND g.upload_id = u.id)
    )
ORDER BY u.id
LIMIT 1

-- name: upload_start :exec
-- Its import begins.
-- param id int64
-- missing IPR_ECONFLICT upload_cancelled "The upload was deleted before it was imported."
UPDATE upload
SET state = 'importing'
WHERE id = $1 AND state = 'waiting'
RETURNING pg_notify('progress', id::text)

-- part: upload_held id
-- Sessions that import this upload.
SELECT
FROM pg_locks AS l
WHERE
    l.locktype = 'advisory' AND l.granted AND l.classid = 7460301 AND l.objsubid = 2
    AND l.objid = (@id & 2147483647)::oid
    AND l.database = (SELECT d.oid FROM pg_database AS d WHERE d.datname = current_database())

-- name: upload_hold :exec
-- This session shows that the import goes on, until it ends or lets go (upload_abandoned).
-- param id int64
SELECT pg_advisory_lock(7460301, ($1::bigint & 2147483647)::integer)
WHERE NOT EXISTS (
    @upload_held($1)
    AND l.pid = pg_backend_pid()
)

-- name: upload_resume :exec
-- Within each transaction of its import: jobs that this queues get the time of the upload.
-- param id int64
-- missing IPR_ECONFLICT upload_cancelled "The upload was deleted while it was imported."
SELECT set_config('intrinsic.created', created::text, true) AS created
FROM upload
WHERE id = $1 AND state IN ('waiting', 'importing')

-- name: upload_let_go :exec
-- Its import has ended, in whatever way.
-- param id int64
SELECT pg_advisory_unlock(7460301, ($1::bigint & 2147483647)::integer)

-- name: upload_look :one
-- Within its import: whether it was cancelled, and whether another session waits for the lock of
-- imports.
-- param id int64
-- column cancelled bool
-- column awaited bool
SELECT
    NOT EXISTS (SELECT FROM upload WHERE id = $1 AND state = 'importing') AS cancelled,
    EXISTS (
        SELECT
        FROM pg_locks AS l
        WHERE
            l.locktype = 'advisory' AND NOT l.granted AND l.objsubid = 1
            AND l.classid = (7460301958214906 >> 32)::oid
            AND l.objid = (7460301958214906 & 4294967295)::oid
            AND l.database = (
                SELECT d.oid FROM pg_database AS d WHERE d.datname = current_database()
            )
    ) AS awaited

-- name: upload_progress :exec
-- What an import has read and would store so far, for those who look at it.
-- arg const struct ipr_db_upload *u
-- bind u->id, u->bytes_read int64
-- bind u->games_read, u->imported, u->duplicate, u->rejected, u->judged int32
UPDATE upload
SET
    bytes = greatest(bytes, $2), bytes_read = $2, games_read = $3, imported = $4, duplicate = $5, rejected = $6, judged = $7
WHERE id = $1 AND state IN ('waiting', 'importing')
RETURNING pg_notify('progress', id::text)

-- name: upload_withdraw :count
-- Deletes the record of one that waits: nothing of it is stored.
-- param id int64
DELETE FROM upload
WHERE id = $1 AND state = 'waiting'

-- name: upload_cancel :count
-- Of one that is not finished: its import stops at its next look.
-- param id int64
UPDATE upload
SET state = 'cancelled', ended = now()
WHERE id = $1 AND state IN ('waiting', 'importing')

-- name: upload_fail :exec
-- Of an upload of which nothing is stored, or no more than its row, its errors and its duplicates.
-- param id int64
-- param problem, detail text
WITH errors AS (
    DELETE FROM upload_error WHERE upload_id = $1
),

duplicates AS (
    DELETE FROM upload_duplicate WHERE upload_id = $1
),

changes AS (
    DELETE FROM game_before WHERE upload_id = $1
),

confirmations AS (
    DELETE FROM side_confirmation WHERE upload_id = $1
)

UPDATE upload
SET
    state = 'failed', ended = now(), problem = $2, detail = $3, imported = 0, duplicate = 0,
    rejected = 0, judged = 0, variations = 0
WHERE id = $1 AND state IN ('waiting', 'importing')
RETURNING pg_notify('progress', id::text)

-- name: uploads_interrupt :count
-- Those that wait for an import that nobody will make fail: all (0), for a service that starts, or
-- one.
-- param id int64
UPDATE upload
SET
    state = 'failed', ended = now(), problem = 'upload_interrupted',
    detail = 'The service ended, or lost its database, before this upload was imported.'
WHERE state = 'waiting' AND $1::bigint IN (0, id)

-- name: upload_abandoned :one inside
-- column id int64                       -- an unfinished upload that nobody imports; 0 none
-- column cancelled bool
--
-- Who cancels one also deletes it, within a moment.
SELECT
    coalesce(min(u.id), 0) AS id,
    coalesce((array_agg(u.state ORDER BY u.id))[1] = 'cancelled', FALSE) AS cancelled
FROM upload AS u
WHERE
    u.state NOT IN ('stored', 'failed')
    AND (u.state = 'importing' OR u.ended < now() - interval '1 minute')
    AND NOT EXISTS (
        @upload_held(u.id)
    )

-- name: upload_count_later :exec
-- For an import: from now on upload_count alone counts new games for their players.
SELECT set_config('intrinsic.uncounted', (coalesce(max(id), 0) + 1)::text, true)
FROM game

-- name: upload_count :exec
-- Counts the games that are stored since upload_count_later, and tells of their events whether games
-- are missing.
--
-- Players and years in one order, so that two transactions wait for each other instead of
-- deadlocking.
WITH told AS (
    UPDATE event AS e
    SET part = p.part
    FROM (
        SELECT DISTINCT g.event_id
        FROM game AS g
        WHERE g.id >= current_setting('intrinsic.uncounted')::bigint AND g.event_id <> 0
    ) AS n
    CROSS JOIN LATERAL (SELECT event_is_part(n.event_id) AS part) AS p
    WHERE e.id = n.event_id AND e.part <> p.part
),

total AS MATERIALIZED (
    SELECT
        p.player_id,
        g.year,
        g.time_class,
        count(*) AS games,
        count(p.elo) AS elo_games,
        coalesce(sum(p.elo), 0) AS elo_sum
    FROM game AS g
    CROSS JOIN (VALUES (0), (1)) AS c (colour)
    CROSS JOIN LATERAL (
        SELECT
            CASE c.colour WHEN 0 THEN g.white_id ELSE g.black_id END AS player_id,
            CASE c.colour WHEN 0 THEN g.white_elo ELSE g.black_elo END AS elo
    ) AS p
    WHERE g.id >= current_setting('intrinsic.uncounted')::bigint AND p.player_id <> 0
    GROUP BY p.player_id, g.year, g.time_class
)

INSERT INTO player_games AS t (player_id, year, time_class, games, elo_games, elo_sum)
SELECT player_id, year, time_class, games, elo_games, elo_sum
FROM total
ORDER BY player_id, year, time_class
ON CONFLICT (player_id, year, time_class) DO UPDATE
SET
    games = t.games + excluded.games,
    elo_games = t.elo_games + excluded.elo_games,
    elo_sum = t.elo_sum + excluded.elo_sum

-- row: ipr_db_upload_error
-- column game int32                     -- 1-based; below 0: no game, but a file of an archive that
--     cannot be read
-- column line int32
-- column col int32 as column
-- column ply int32 or -1
-- column type, detail, white, black text

-- name: upload_error_add :exec
-- param id int64
-- arg const struct ipr_db_upload_error *e
-- bind e->game, e->line, e->column, e->ply int32
-- bind e->type, e->detail, e->white, e->black text
INSERT INTO upload_error (upload_id, game, line, col, ply, type, detail, white, black)
VALUES (
    $1, $2, $3, $4, CASE WHEN $5::integer >= 0 THEN $5::integer END, $6, $7, $8, $9
)
ON CONFLICT DO NOTHING

-- name: upload_end :exec
-- Stores the final counts: its import has ended well.
-- arg const struct ipr_db_upload *u
-- bind u->id int64
-- bind u->games_read, u->imported, u->duplicate, u->rejected, u->judged int32
-- bind u->variations int64
-- missing IPR_ECONFLICT upload_cancelled "The upload was deleted while it was imported."
UPDATE upload
SET
    games_read = $2, imported = $3, duplicate = $4, rejected = $5, judged = $6, variations = $7,
    bytes_read = bytes, state = 'stored', ended = now()
WHERE id = $1 AND state IN ('waiting', 'importing')
RETURNING pg_notify('progress', id::text)

-- name: upload_by_digest :one
-- Newest upload with this digest; IPR_ENOTFOUND when these bytes are new.
-- param digest digest
-- column id int64
-- missing no upload of these bytes
SELECT id
FROM upload
WHERE digest = $1 AND state = 'stored'
ORDER BY id DESC
LIMIT 1

-- name: upload_list :many ipr_db_upload
-- Newest first, from number `first` down.
-- param first int64
-- param limit int
--
-- Turns of games that failed are in neither sum. What is not counted yet is counted here
-- (upload_count_games).
SELECT
    u.id,
    to_char(u.created AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS created,
    to_char(u.ended AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS ended,
    u.source, u.state, u.problem, u.detail, u.bytes, u.bytes_read, u.judge, u.games_read, u.imported, u.duplicate, u.rejected, u.judged,
    u.variations, u.created_by,
    q.queued, q.running, q.failed,
    r.turns_done + d.turns AS turns_done,
    r.turns_done + q.turns_left + d.turns AS turns_total,
    d.analysed
FROM (
    SELECT *
    FROM upload
    WHERE id <= $1
    ORDER BY id DESC
    LIMIT $2
) AS u
CROSS JOIN LATERAL (
    SELECT
        coalesce(sum(k.jobs) FILTER (WHERE k.state IN ('ready', 'paused')), 0) AS queued,
        coalesce(sum(k.jobs) FILTER (WHERE k.state = 'leased'), 0) AS running,
        coalesce(sum(k.jobs) FILTER (WHERE k.state = 'failed'), 0) AS failed,
        coalesce(sum(k.turns) FILTER (WHERE k.state <> 'failed'), 0) AS turns_left
    FROM (
        SELECT
            t.state,
            t.jobs,
            t.turns
        FROM job_total AS t
        WHERE t.upload_id = u.id AND t.judge = u.judge AND t.kind = 'judge'
        UNION ALL
        SELECT
            j.state,
            1,
            greatest(j.turns_total - j.turns_done, 0)
        FROM shared_jobs(u.id, u.judge) AS j
        WHERE u.judge <> ''
    ) AS k
) AS q
CROSS JOIN LATERAL (
    SELECT coalesce(sum(j.turns_done), 0) AS turns_done
    FROM job AS j
    WHERE
        j.state = 'leased' AND j.judge = u.judge AND j.kind = 'judge'
        AND (
            j.upload_id = u.id
            OR EXISTS (
                SELECT
                FROM upload_duplicate AS d
                WHERE d.game_id = j.game_id AND d.upload_id = u.id
            )
        )
) AS r
CROSS JOIN LATERAL (
    SELECT
        coalesce(sum(t.games), 0) AS analysed,
        coalesce(sum(t.turns), 0) AS turns
    FROM (
        SELECT k.games, k.turns
        FROM upload_total AS k
        WHERE k.upload_id = u.id AND u.judge <> '' AND u.count_after IS DISTINCT FROM '0'
        UNION ALL
        SELECT w.games, w.turns
        FROM upload_whole(u.id, u.judge) AS w
        WHERE u.judge <> '' AND u.count_after = '0' AND u.state = 'stored'
    ) AS t
) AS d
ORDER BY u.id DESC

-- name: upload_to_count :one inside
-- column id int64                       -- of an upload whose games are to be counted; 0 none
SELECT coalesce(min(id), 0) AS id
FROM upload
WHERE count_after <= pg_snapshot_xmin(pg_current_snapshot()) AND state = 'stored'

-- name: upload_patience :exec inside
--
-- A million games take longer than the timeout of other statements.
SELECT set_config('statement_timeout', '600000', true)

-- name: upload_count_games :one inside
-- param id int64
-- column counted bool
SELECT upload_count_games($1) AS counted

-- name: upload_counted :exec
-- param id int64
--
-- What sees that the upload was counted begins after this: what began before may have changed a game
-- of an upload that it saw still to be counted, and the second count waits for it.
UPDATE upload
SET count_after = pg_current_xact_id()
WHERE id = $1 AND count_after <> '0'

-- name: upload_errors :many ipr_db_upload_error
-- param id int64
SELECT game, line, col, ply, type, detail, white, black
FROM upload_error
WHERE upload_id = $1
ORDER BY game

-- name: duplicates :many ipr_db_duplicate
-- Duplicates after a game number, ascending, at most `limit`.
-- param upload_id int64
-- param after int32
-- param limit int
-- column ordinal int32 as game          -- 1-based number in the upload
-- column kind enum ipr_duplicate 0..IPR_DUPLICATE_NONE - 1
-- column game_id int64 as kept          -- of the stored game
-- column improved bool
-- column conflicts unsigned 0..(1 << IPR_CONFLICTS) - 1 -- set of IPR_CONFLICT_...
SELECT ordinal, game_id, kind, improved, conflicts
FROM upload_duplicate
WHERE upload_id = $1 AND ordinal > $2
ORDER BY ordinal
LIMIT $3

-- name: upload_failed :many ipr_db_failed_job
-- param id int64
-- column game_id int64
-- column white, black, reason text
SELECT
    j.game_id,
    w.name AS white,
    b.name AS black,
    coalesce(j.last_error, '') AS reason
FROM job AS j
INNER JOIN upload AS u ON u.id = $1 AND u.judge = j.judge
INNER JOIN game AS g ON g.id = j.game_id
INNER JOIN player AS w ON w.id = g.white_id
INNER JOIN player AS b ON b.id = g.black_id
WHERE
    j.state = 'failed' AND j.kind = 'judge'
    AND (
        j.upload_id = u.id
        OR EXISTS (
            SELECT
            FROM upload_duplicate AS d
            WHERE d.game_id = j.game_id AND d.upload_id = u.id
        )
    )
ORDER BY j.game_id

-- name: upload_players :many ipr_db_upload_player
-- The players of an upload's games, most games first, with the years they played in.
-- param id int64
-- param limit int
-- column player_id int32
-- column name text
-- column year int                       -- 0 unknown
-- column games int32
--
-- For a person with one identity only the years with most games are read.
WITH side AS (
    SELECT k.player_id, k.year, k.games
    FROM upload AS u
    CROSS JOIN LATERAL (
        (
            SELECT t.player_id, t.year, t.games
            FROM upload_player AS t
            INNER JOIN player AS p ON p.id = t.player_id
            WHERE
                t.upload_id = u.id AND p.merged_into IS NULL
                AND NOT EXISTS (SELECT FROM player AS m WHERE m.merged_into = p.id)
            ORDER BY t.games DESC, t.player_id, t.year
            LIMIT $2
        )
        UNION ALL
        SELECT t.player_id, t.year, t.games
        FROM (
            SELECT m.id FROM player AS m WHERE m.merged_into IS NOT NULL
            UNION
            SELECT m.merged_into FROM player AS m WHERE m.merged_into IS NOT NULL
        ) AS m
        INNER JOIN upload_player AS t ON t.upload_id = u.id AND t.player_id = m.id
    ) AS k
    WHERE u.id = $1 AND u.count_after IS DISTINCT FROM '0'
    UNION ALL
    SELECT w.player_id, w.year, w.games
    FROM upload AS u
    CROSS JOIN LATERAL upload_sides(u.id) AS w
    WHERE u.id = $1 AND u.count_after = '0' AND u.state = 'stored'
)

SELECT
    p.player_id,
    (SELECT r.name FROM player AS r WHERE r.id = p.player_id) AS name,
    p.year,
    p.games
FROM (
    SELECT
        (SELECT coalesce(i.merged_into, i.id) FROM player AS i WHERE i.id = s.player_id)
            AS player_id,
        s.year,
        sum(s.games) AS games
    FROM side AS s
    GROUP BY 1, 2
    ORDER BY sum(s.games) DESC, 1, 2
    LIMIT $2
) AS p
WHERE p.player_id <> 0
ORDER BY p.games DESC, p.player_id, p.year
