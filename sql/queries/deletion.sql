-- Deletes what an upload added, or a game; under the lock of imports, so that no other transaction
-- adds games, players and events meanwhile.

-- name: game_before_keep :exec inside
-- param upload_id, game_id int64
--
-- The state before the first change by an upload. Games that it added itself are deleted with it.
INSERT INTO game_before (game_id, upload_id, before)
SELECT g.id, $1::bigint, row_to_json(g)
FROM game AS g
WHERE g.id = $2 AND g.upload_id IS DISTINCT FROM $1
ON CONFLICT DO NOTHING

-- name: sides_confirm :exec inside
-- param game_id int64
-- param judge_id int32
-- param sides unsigned
-- param upload_id int64
-- param source text
INSERT INTO side_confirmation (game_id, judge_id, colour, upload_id, source)
SELECT s.game_id, s.judge_id, s.colour, $4::bigint, $5::text
FROM judged_side AS s
WHERE
    s.game_id = $1 AND s.judge_id = $2 AND ($3::integer >> s.colour) & 1 = 1
    AND s.imported AND s.upload_id IS DISTINCT FROM $4
ON CONFLICT DO NOTHING

-- name: upload_lock :one inside
-- param upload_id int64
-- column id int64
-- missing no such upload
SELECT id
FROM upload
WHERE id = $1
FOR UPDATE

-- name: upload_improved_as :many ipr_db_deleted_game inside
-- Games that an upload completed, as they are before it is deleted.
-- param upload_id int64
-- column white_id, black_id, event_id int32
-- column white, black text              -- as tagged
SELECT
    g.white_id, g.black_id, g.event_id,
    coalesce(g.tags ->> 'White', '') AS white,
    coalesce(g.tags ->> 'Black', '') AS black
FROM game_before AS b
INNER JOIN game AS g ON g.id = b.game_id
WHERE b.upload_id = $1

-- name: upload_improved :many ipr_db_improved_game inside
-- param upload_id int64
-- column game_id int64
-- column later int64                    -- the next upload that added something; 0 none
-- column new_moves bool                 -- and not only their key was known before
-- column loses_moves bool               -- only their key was known before
SELECT
    b.game_id,
    coalesce(
        (
            SELECT min(l.upload_id)
            FROM game_before AS l
            WHERE l.game_id = b.game_id AND l.upload_id > b.upload_id
        ), 0
    ) AS later,
    b.before ->> 'moves_key' <> g.moves_key::text AS new_moves,
    b.before ->> 'moves' = '\x' AND octet_length(g.moves) > 0
    AND b.before ->> 'moves_key' = g.moves_key::text AS loses_moves
FROM game_before AS b
INNER JOIN game AS g ON g.id = b.game_id
WHERE b.upload_id = $1
ORDER BY b.game_id

-- name: game_before_pass_on :exec inside
-- param upload_id, game_id, later int64
UPDATE game_before AS l
SET before = b.before
FROM game_before AS b
WHERE
    b.upload_id = $1 AND b.game_id = $2 AND l.game_id = b.game_id AND l.upload_id = $3::bigint

-- name: game_restore :exec inside
-- param upload_id, game_id int64
--
-- A side that was moved since then is unchanged.
UPDATE game AS g
SET
    year = b.year, date = b.date, event_id = b.event_id, site = b.site, round = b.round,
    result = b.result, white_elo = b.white_elo, black_elo = b.black_elo,
    time_class = b.time_class, time_known = b.time_known, moves = b.moves, plies = b.plies,
    moves_key = b.moves_key, stem = b.stem, tags = b.tags, notes = b.notes,
    white_id = CASE WHEN 0 = ANY(d.colours) THEN g.white_id ELSE b.white_id END,
    black_id = CASE WHEN 1 = ANY(d.colours) THEN g.black_id ELSE b.black_id END
FROM game_before AS k
CROSS JOIN LATERAL json_populate_record(NULL::game, k.before) AS b
CROSS JOIN LATERAL (
    SELECT coalesce(array_agg(s.colour), '{}') AS colours
    FROM identity_change_side AS s
    INNER JOIN identity_change AS c ON c.id = s.change_id
    WHERE s.game_id = k.game_id AND c.undone IS NULL
) AS d
WHERE k.upload_id = $1 AND k.game_id = $2 AND g.id = k.game_id

-- name: upload_unqueue :exec inside
-- param upload_id int64
--
-- Jobs for games that were there before, queued by the import.
DELETE FROM job AS j
USING upload AS u
WHERE
    u.id = $1 AND j.created = u.created
    AND j.game_id IN (SELECT d.game_id FROM upload_duplicate AS d WHERE d.upload_id = $1)

-- name: sides_hand_over :exec inside
-- param upload_id int64
--
-- Evaluations that another upload sent as well belong to that upload from now on.
WITH next AS (
    SELECT DISTINCT ON (c.game_id, c.judge_id, c.colour) c.*
    FROM side_confirmation AS c
    INNER JOIN judged_side AS s
        ON s.game_id = c.game_id AND s.judge_id = c.judge_id AND s.colour = c.colour
    WHERE s.upload_id = $1
    ORDER BY c.game_id, c.judge_id, c.colour, c.upload_id
),

gone AS (
    DELETE FROM side_confirmation AS c
    USING next AS n
    WHERE
        (c.game_id, c.judge_id, c.colour, c.upload_id)
        = (n.game_id, n.judge_id, n.colour, n.upload_id)
)

UPDATE judged_side AS s
SET upload_id = n.upload_id, source = n.source
FROM next AS n
WHERE s.game_id = n.game_id AND s.judge_id = n.judge_id AND s.colour = n.colour

-- name: games_hand_over :count inside
-- param upload_id int64
--
-- The same for games: a game then belongs to the first other upload that sent it.
WITH next AS (
    SELECT DISTINCT ON (d.game_id) d.game_id, d.upload_id, d.ordinal
    FROM upload_duplicate AS d
    INNER JOIN game AS g ON g.id = d.game_id
    WHERE g.upload_id = $1 AND d.upload_id <> $1
    ORDER BY d.game_id, d.upload_id, d.ordinal
),

gone AS (
    DELETE FROM upload_duplicate AS d
    USING next AS n
    WHERE d.upload_id = n.upload_id AND d.ordinal = n.ordinal
),

counts AS (
    UPDATE upload AS u
    SET imported = u.imported + n.games, duplicate = u.duplicate - n.games
    FROM (SELECT upload_id, count(*) AS games FROM next GROUP BY upload_id) AS n
    WHERE u.id = n.upload_id
)

UPDATE game AS g
SET upload_id = n.upload_id, ordinal = n.ordinal
FROM next AS n
WHERE g.id = n.game_id

-- name: upload_judged :many ipr_db_judged_sides inside
-- The evaluations that an upload added.
-- param upload_id int64
-- column game_id int64
-- column judge_id int32
-- column sides unsigned 1..3            -- bit 0 White, bit 1 Black
SELECT game_id, judge_id, bit_or(1 << colour) AS sides
FROM judged_side
WHERE upload_id = $1
GROUP BY game_id, judge_id
ORDER BY game_id, judge_id

-- name: game_sides_with_lines :many ipr_db_judged_sides inside
-- param game_id int64
SELECT
    t.game_id,
    t.judge_id,
    bit_or(1 << t.colour) AS sides
FROM side_turns AS t
WHERE t.game_id = $1 AND t.second_cp IS NULL
GROUP BY t.game_id, t.judge_id
ORDER BY t.judge_id

-- name: games_judged :many inside
-- param upload_id, game_id int64
-- column id int64
--
-- Games of an upload, or one game, that have evaluations from another source.
SELECT DISTINCT g.id
FROM game AS g
INNER JOIN judged_side AS s ON s.game_id = g.id
WHERE ($1::bigint <> 0 AND g.upload_id = $1) OR ($2::bigint <> 0 AND g.id = $2)
ORDER BY g.id

-- name: games_delete :many ipr_db_deleted_game inside
-- Games of an upload, or one game; at most `limit`.
-- param upload_id, game_id int64
-- param limit int
DELETE FROM game AS g
WHERE
    g.id IN (
        SELECT o.id
        FROM game AS o
        WHERE ($1::bigint <> 0 AND o.upload_id = $1) OR ($2::bigint <> 0 AND o.id = $2)
        LIMIT $3
    )
RETURNING
    g.white_id, g.black_id, g.event_id,
    coalesce(g.tags ->> 'White', '') AS white,
    coalesce(g.tags ->> 'Black', '') AS black

-- name: events_delete :count inside
-- Those without games.
-- param ids int32[]
DELETE FROM event AS e
WHERE
    e.id = ANY($1::integer[]) AND e.id <> 0
    AND NOT EXISTS (SELECT FROM game AS g WHERE g.event_id = e.id)
    AND e.id NOT IN (SELECT (b.before ->> 'event_id')::integer FROM game_before AS b)

-- name: players_delete :count inside
-- Players without games that no merge, split or declaration of two persons refers to.
-- param ids int32[]
WITH gone AS MATERIALIZED (
    SELECT p.id
    FROM player AS p
    WHERE
        p.id = ANY($1::integer[]) AND p.id <> 0 AND p.merged_into IS NULL
        AND NOT EXISTS (SELECT FROM game AS g WHERE g.white_id = p.id)
        AND NOT EXISTS (SELECT FROM game AS g WHERE g.black_id = p.id)
        AND NOT EXISTS (SELECT FROM player AS m WHERE m.merged_into = p.id)
        AND NOT EXISTS (
            SELECT FROM identity_change AS c
            WHERE p.id IN (c.player_id, c.other_id) OR p.id = ANY(c.moved)
        )
        AND NOT EXISTS (SELECT FROM identity_change_side AS s WHERE s.player_id = p.id)
        AND p.id NOT IN (
            SELECT unnest(ARRAY[
                (b.before ->> 'white_id')::integer, (b.before ->> 'black_id')::integer
            ])
            FROM game_before AS b
        )
),

years AS (
    DELETE FROM player_year WHERE player_id IN (SELECT id FROM gone)
),

totals AS (
    DELETE FROM player_total WHERE player_id IN (SELECT id FROM gone)
),

ratings AS (
    DELETE FROM rating WHERE player_id IN (SELECT id FROM gone)
),

counts AS (
    DELETE FROM player_games WHERE player_id IN (SELECT id FROM gone)
),

surnames AS (
    DELETE FROM surname WHERE player_id IN (SELECT id FROM gone)
)

DELETE FROM player
WHERE id IN (SELECT id FROM gone)

-- name: names_tagged :many ipr_db_tagged_name inside
-- Every name under which these players occur in games.
-- param ids int32[]
-- column id int32
-- column name text
SELECT DISTINCT u.id, u.name
FROM (
    SELECT white_id AS id, coalesce(tags ->> 'White', '') AS name
    FROM game WHERE white_id = ANY($1::integer[])
    UNION ALL
    SELECT black_id AS id, coalesce(tags ->> 'Black', '') AS name
    FROM game WHERE black_id = ANY($1)
) AS u

-- name: spellings_delete :exec inside
-- Deletes these keys of players, except each player's own key.
-- param ids int32[]
-- param keys text[]
WITH gone AS (
    DELETE FROM spelling AS s
    USING unnest($1::integer[], $2::text[]) AS u (id, key), player AS p
    WHERE s.player_id = u.id AND s.key = u.key AND p.id = u.id AND p.name_key <> u.key
    RETURNING s.player_id, s.key
)

DELETE FROM surname AS n
WHERE
    (n.player_id, n.block) IN (
        SELECT g.player_id, w.block
        FROM gone AS g CROSS JOIN LATERAL name_surnames(g.key) AS w
    )
    AND (n.player_id, n.block) NOT IN (
        SELECT s.player_id, w.block
        FROM spelling AS s CROSS JOIN LATERAL name_surnames(s.key) AS w
        WHERE
            s.player_id IN (SELECT g.player_id FROM gone AS g)
            AND (s.player_id, s.key) NOT IN (SELECT g.player_id, g.key FROM gone AS g)
    )

-- name: upload_deleting :exec inside
-- Of one that is deleted in parts: if that ends early, it is gone on with (upload_abandoned).
-- param upload_id int64
UPDATE upload
SET state = 'cancelled', ended = now()
WHERE id = $1 AND state IN ('stored', 'cancelled')

-- name: upload_remove :exec inside
-- param upload_id int64
DELETE FROM upload
WHERE id = $1

-- name: deletion_note :exec inside
--
-- Changes the version of lists of games, also if no event lost a game.
SELECT game_change_add(0::smallint), pg_notify('progress', '')
