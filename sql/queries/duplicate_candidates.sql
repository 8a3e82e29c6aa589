-- name: import_lock :one inside
-- column mine bool
--
-- One import at a time: what one stores the next must see. Any number will do as long as it stays.
SELECT pg_try_advisory_xact_lock(7460301958214906) AS mine

-- name: import_settings :exec inside
--
-- Tables grow from nothing within the transaction of an import. Plans follow their size, which a
-- plan made once for an empty table would not; of what is in them there are no statistics, and
-- without those only an index is never wrong. A long text without games is no idleness.
SELECT
    set_config('plan_cache_mode', 'force_custom_plan', true),
    set_config('enable_seqscan', 'off', true),
    set_config('idle_in_transaction_session_timeout', '0', true)

-- name: import_before :one inside
-- column had_games bool
-- column last_player int32
--
-- Games stored before an import, and players: those it adds have greater ids.
SELECT
    EXISTS (SELECT FROM game) AS had_games,
    coalesce(max(id), 0) AS last_player
FROM player

-- name: candidates_pair
-- Games of the same two players: with the same moves first, then those that begin with the same, or
-- are too short to tell. The limits keep a pair that played thousands of games from costing more
-- than others.
SELECT
    u.n - 1 AS at,
    g.id, g.moves_key, g.plies, g.date, g.round, g.result, g.event_id
FROM unnest($1::integer[], $2::integer[], $3::integer[], $4::bigint[], $5::smallint[])
    WITH ORDINALITY AS u (white, black, stem, moves_key, year, n)
CROSS JOIN LATERAL (
    (
        SELECT c.id, c.moves_key, c.plies, c.date, c.round, c.result, c.event_id, c.year
        FROM game AS c
        WHERE
            c.white_id = u.white AND c.black_id = u.black AND c.stem = u.stem
            AND c.moves_key = u.moves_key
        LIMIT 128
    )
    UNION ALL
    (
        SELECT c.id, c.moves_key, c.plies, c.date, c.round, c.result, c.event_id, c.year
        FROM game AS c
        WHERE
            c.white_id = u.white AND c.black_id = u.black AND c.stem IN (u.stem, 0)
            AND c.moves_key <> u.moves_key
        LIMIT 32
    )
) AS g
WHERE g.year = u.year OR g.year = 0 OR u.year = 0

-- name: candidates_pair_short
-- The same for a game too short for a stem.
SELECT
    u.n - 1 AS at,
    g.id, g.moves_key, g.plies, g.date, g.round, g.result, g.event_id
FROM unnest($1::integer[], $2::integer[], $3::bigint[], $4::smallint[])
    WITH ORDINALITY AS u (white, black, moves_key, year, n)
CROSS JOIN LATERAL (
    (
        SELECT c.id, c.moves_key, c.plies, c.date, c.round, c.result, c.event_id, c.year
        FROM game AS c
        WHERE
            c.white_id = u.white AND c.black_id = u.black AND c.stem = 0
            AND c.moves_key = u.moves_key
        LIMIT 128
    )
    UNION ALL
    (
        SELECT c.id, c.moves_key, c.plies, c.date, c.round, c.result, c.event_id, c.year
        FROM game AS c
        WHERE c.white_id = u.white AND c.black_id = u.black AND c.moves_key <> u.moves_key
        LIMIT 32
    )
) AS g
WHERE g.year = u.year OR g.year = 0 OR u.year = 0

-- name: persons_changed :many inside
-- column id int32
--
-- Persons whose games are not all under the identity that their tags say: merged ones, and those
-- that games were split from.
SELECT merged_into AS id
FROM player
WHERE merged_into IS NOT NULL
UNION
SELECT coalesce(p.merged_into, p.id)
FROM identity_change AS c
INNER JOIN player AS p ON p.id = c.player_id
WHERE c.kind = 'split' AND c.undone IS NULL
ORDER BY id

-- name: candidates_persons
-- As candidates_pair and candidates_pair_short, for them.
SELECT
    u.n - 1 AS at,
    g.id, g.moves_key, g.plies, g.date, g.round, g.result, g.event_id
FROM unnest($1::integer[], $2::integer[], $3::integer[], $4::bigint[], $5::smallint[])
    WITH ORDINALITY AS u (white, black, stem, moves_key, year, n)
CROSS JOIN LATERAL (
    (
        SELECT c.id, c.moves_key, c.plies, c.date, c.round, c.result, c.event_id, c.year
        FROM game AS c
        WHERE
            c.white_id = ANY(tagged_identities(u.white))
            AND c.black_id = ANY(tagged_identities(u.black))
            AND c.stem = u.stem AND c.moves_key = u.moves_key
        LIMIT 128
    )
    UNION ALL
    (
        SELECT c.id, c.moves_key, c.plies, c.date, c.round, c.result, c.event_id, c.year
        FROM game AS c
        WHERE
            c.white_id = ANY(tagged_identities(u.white))
            AND c.black_id = ANY(tagged_identities(u.black))
            AND (u.stem = 0 OR c.stem IN (u.stem, 0)) AND c.moves_key <> u.moves_key
        LIMIT 32
    )
) AS g
WHERE g.year = u.year OR g.year = 0 OR u.year = 0

-- name: candidates_moves
-- Games of the same year, or none, with the same moves, of any players.
SELECT
    u.n - 1 AS at,
    g.id, g.moves_key, g.plies, g.date, g.round, g.result, g.event_id
FROM unnest($1::bigint[], $2::smallint[]) WITH ORDINALITY AS u (moves_key, year, n)
CROSS JOIN LATERAL (
    SELECT c.*
    FROM game AS c
    WHERE c.moves_key = u.moves_key AND c.year IN (u.year, 0)
    LIMIT 16
) AS g

-- name: candidates_moves_undated
SELECT
    u.n - 1 AS at,
    g.id, g.moves_key, g.plies, g.date, g.round, g.result, g.event_id
FROM unnest($1::bigint[]) WITH ORDINALITY AS u (moves_key, n)
CROSS JOIN LATERAL (
    SELECT c.*
    FROM game AS c
    WHERE c.moves_key = u.moves_key
    LIMIT 16
) AS g

-- name: games_load
SELECT
    g.id, g.white_id, g.black_id, g.event_id, g.year, g.date, g.site, g.round, g.result,
    g.white_elo, g.black_elo, g.time_class, g.time_known, g.start_fen, g.moves, g.moves_key,
    g.stem, g.tags, g.notes,
    e.name AS event,
    e.year AS event_year,
    w.name AS white,
    w.name_key AS white_key,
    w.fide_id AS white_fide,
    coalesce(w.merged_into, w.id) AS white_person,
    coalesce(g.tags ->> 'White', '') AS white_tagged,
    coalesce(0 = ANY(d.colours), false) AS white_decided,
    b.name AS black,
    b.name_key AS black_key,
    b.fide_id AS black_fide,
    coalesce(b.merged_into, b.id) AS black_person,
    coalesce(g.tags ->> 'Black', '') AS black_tagged,
    coalesce(1 = ANY(d.colours), false) AS black_decided
FROM unnest($1::bigint[]) AS u (id)
INNER JOIN game AS g ON g.id = u.id
INNER JOIN event AS e ON e.id = g.event_id
INNER JOIN player AS w ON w.id = g.white_id
INNER JOIN player AS b ON b.id = g.black_id
CROSS JOIN LATERAL (
    SELECT array_agg(s.colour) AS colours
    FROM identity_change_side AS s
    INNER JOIN identity_change AS c ON c.id = s.change_id
    WHERE s.game_id = g.id AND c.undone IS NULL
) AS d

-- name: identities_known :many ipr_db_known_name inside
-- param ids int32[]
-- column id int32
-- column name_key text as key
SELECT id, name_key
FROM player
WHERE id = ANY($1::integer[])
ORDER BY id

-- name: persons_distinct :many ipr_db_pair
-- Pairs of persons declared distinct, or split.
-- column a, b int32
SELECT
    coalesce(p.merged_into, p.id) AS a,
    coalesce(o.merged_into, o.id) AS b
FROM identity_change AS c
INNER JOIN player AS p ON p.id = c.player_id
INNER JOIN player AS o ON o.id = c.other_id
WHERE c.kind IN ('distinct', 'split') AND c.undone IS NULL

-- name: game_update
-- Who played changes only where it is still whom the import knew.
UPDATE game
SET
    year = $2, date = $3, event_id = $4, site = $5, round = $6, result = $7, white_elo = $8,
    black_elo = $9, time_class = $10, time_known = $11, moves = $12, plies = $13, moves_key = $14,
    stem = $15, tags = $16::json, notes = $17,
    white_id = CASE WHEN white_id = $18 THEN $19::integer ELSE white_id END,
    black_id = CASE WHEN black_id = $20 THEN $21::integer ELSE black_id END
WHERE id = $1

-- name: game_unqueue :many ipr_db_unqueued inside
-- param game_id int64
-- column judge, owner text
--
-- Its moves have changed: the judges that have judged it, are at it or have it before them, as far
-- as they can judge it again.
WITH gone AS (
    DELETE FROM job WHERE game_id = $1
    RETURNING judge, owner, kind
)

SELECT DISTINCT ON (a.judge) a.judge, a.owner
FROM (
    SELECT judge, owner FROM gone WHERE kind = 'judge'
    UNION ALL
    SELECT
        j.name,
        'import'
    FROM judged_side AS s
    INNER JOIN judge AS j ON j.id = s.judge_id
    WHERE s.game_id = $1
) AS a (judge, owner)
INNER JOIN judge_definition AS d ON d.name = a.judge
ORDER BY a.judge, a.owner
