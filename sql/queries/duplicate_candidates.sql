-- name: import_lock :one inside
-- column mine bool
--
-- One import at a time: what one stores the next must see. Any number will do as long as it stays.
SELECT pg_try_advisory_xact_lock(7460301958214906) AS mine

-- name: import_lock_wait :exec inside
SELECT pg_advisory_xact_lock(7460301958214906)

-- name: import_lock_patience :exec inside
-- param ms int32
SELECT set_config('lock_timeout', $1::integer::text, true)

-- name: domain_set :exec inside
-- Of a database without games.
-- param name text
INSERT INTO domain AS d (name)
VALUES ($1)
ON CONFLICT (only_row) DO UPDATE
SET name = excluded.name
WHERE d.name <> excluded.name AND NOT EXISTS (SELECT FROM game)

-- name: domain_get :one inside
-- column name text
SELECT name
FROM domain

-- name: import_settings :exec inside
--
-- Tables may grow from empty within the transaction of an import: there are no statistics of their
-- contents, and without these only an index is always a good plan. A long text without games does
-- not end the session as idle.
SELECT
    set_config('enable_seqscan', 'off', true),
    set_config('idle_in_transaction_session_timeout', '0', true)

-- name: players_analyse :exec inside
SELECT analyse_players()

-- name: candidates_settings :exec inside
--
-- Which index is best depends on the present size of the tables.
SELECT set_config('plan_cache_mode', 'force_custom_plan', true)

-- name: copy_settings :exec inside
--
-- PostgreSQL looks up each reference of a row with a query; to plan each of these again took more
-- time than the rows.
SELECT set_config('plan_cache_mode', 'auto', true)

-- name: import_before :one inside
-- column had_games bool
-- column last_player int32
-- column last_event int32
--
-- Games, players and events stored before an import: those that it adds have greater ids.
SELECT
    EXISTS (SELECT FROM game) AS had_games,
    coalesce(max(id), 0) AS last_player,
    (SELECT coalesce(max(e.id), 0) FROM event AS e) AS last_event
FROM player

-- name: import_tidy :exec inside
-- param last_player, last_event int
--
-- Players and events that an import has added for games that turned out to be stored already: nobody
-- would find them again when the upload is deleted.
WITH gone AS MATERIALIZED (
    SELECT p.id
    FROM player AS p
    WHERE
        p.id > $1
        AND NOT EXISTS (SELECT FROM game AS g WHERE g.white_id = p.id)
        AND NOT EXISTS (SELECT FROM game AS g WHERE g.black_id = p.id)
),

surnames AS (
    DELETE FROM surname WHERE player_id IN (SELECT id FROM gone)
),

events AS (
    DELETE FROM event AS e
    WHERE e.id > $2 AND NOT EXISTS (SELECT FROM game AS g WHERE g.event_id = e.id)
)

DELETE FROM player
WHERE id IN (SELECT id FROM gone)

-- fill: ipr_db_candidate
-- column at unsigned 0..INT32_MAX
-- column id int64 as game.id
-- column moves_key int64 as game.moves_key
-- column plies uint64 0..INT16_MAX as game.n_moves
-- column date text as game.date
-- column round text as game.round
-- column result enum ipr_result IPR_RESULT_UNKNOWN..IPR_DRAW as game.result
-- column event_id int32 as game.event_id

-- part: same_moves
-- Of games u: those of the same two with the same moves. Each SELECT reads no more of the index
-- game_pair than its limit: a condition beside the equalities would read all games of a pair that
-- played the same few moves again and again.
CROSS JOIN LATERAL (
    SELECT s.*
    FROM (
        (
            SELECT c.*
            FROM game AS c
            WHERE
                c.white_id = u.white AND c.black_id = u.black AND c.stem = u.stem
                AND c.moves_key = u.moves_key
            LIMIT 128
        )
        UNION ALL
        (
            SELECT c.*
            FROM game AS c
            WHERE
                c.white_id = u.white AND c.black_id = u.black AND c.stem = 0
                AND c.moves_key = u.moves_key AND u.stem <> 0
            LIMIT 128
        )
    ) AS s
    LIMIT 128
) AS g

-- part: other_moves
-- Those that begin with the same moves or are too short to compare; for a game too short for a stem,
-- all. Other moves are before and after the same ones in the index, so 32 from either end contain
-- some however many have the same.
CROSS JOIN LATERAL (
    (
        SELECT c.*
        FROM game AS c
        WHERE
            c.white_id = u.white AND c.black_id = u.black AND c.stem = u.stem
        ORDER BY c.moves_key
        LIMIT 32
    )
    UNION ALL
    (
        SELECT c.*
        FROM game AS c
        WHERE
            c.white_id = u.white AND c.black_id = u.black AND c.stem = u.stem
        ORDER BY c.moves_key DESC
        LIMIT 32
    )
    UNION ALL
    (
        SELECT c.*
        FROM game AS c
        WHERE
            c.white_id = u.white AND c.black_id = u.black AND c.stem = 0
            AND u.stem <> 0
        LIMIT 32
    )
    UNION ALL
    (
        SELECT c.*
        FROM game AS c
        WHERE
            c.white_id = u.white AND c.black_id = u.black AND c.stem < 0
            AND u.stem = 0
        LIMIT 32
    )
    UNION ALL
    (
        SELECT c.*
        FROM game AS c
        WHERE
            c.white_id = u.white AND c.black_id = u.black AND c.stem > 0
            AND u.stem = 0
        LIMIT 32
    )
) AS g

-- name: candidates_pair_same :many ipr_db_candidate inside
-- each const struct ipr_db_new_game *const games
-- bind games[]->white_id.id, games[]->black_id.id, games[]->stem int32[]
-- bind games[]->moves_key int64[]
--
-- Games of the same two players. The limits bound the cost of a pair that played thousands of games.
SELECT
    u.n - 1 AS at,
    g.id, g.moves_key, g.plies, g.date, g.round, g.result, g.event_id
FROM unnest($1::integer[], $2::integer[], $3::integer[], $4::bigint[])
    WITH ORDINALITY AS u (white, black, stem, moves_key, n)
@same_moves()

-- name: candidates_pair_other :many ipr_db_candidate inside
-- each const struct ipr_db_new_game *const games
-- bind games[]->white_id.id, games[]->black_id.id, games[]->stem int32[]
SELECT
    u.n - 1 AS at,
    g.id, g.moves_key, g.plies, g.date, g.round, g.result, g.event_id
FROM unnest($1::integer[], $2::integer[], $3::integer[])
    WITH ORDINALITY AS u (white, black, stem, n)
@other_moves()

-- name: persons_changed :many inside
-- column id int32
--
-- Persons whose games are not all under the identity in their tags: merged ones, and those that
-- games were split from.
SELECT merged_into AS id
FROM player
WHERE merged_into IS NOT NULL
UNION
SELECT coalesce(p.merged_into, p.id)
FROM identity_change AS c
INNER JOIN player AS p ON p.id = c.player_id
WHERE c.kind = 'split' AND c.undone IS NULL
ORDER BY id

-- part: identities_of
-- For each pair of the identities of two persons.
CROSS JOIN LATERAL unnest(tagged_identities(p.white_person)) AS white
CROSS JOIN LATERAL unnest(tagged_identities(p.black_person)) AS black

-- name: candidates_persons_same :many ipr_db_candidate inside
-- each const struct ipr_db_new_game *const games
-- bind games[]->white_id.person, games[]->black_id.person, games[]->stem int32[]
-- bind games[]->moves_key int64[]
--
-- As candidates_pair_same, for them.
SELECT
    u.n - 1 AS at,
    g.id, g.moves_key, g.plies, g.date, g.round, g.result, g.event_id
FROM (
    SELECT
        white,
        black,
        p.stem,
        p.moves_key,
        p.n
    FROM unnest($1::integer[], $2::integer[], $3::integer[], $4::bigint[])
        WITH ORDINALITY AS p (white_person, black_person, stem, moves_key, n)
    @identities_of()
) AS u
@same_moves()

-- name: candidates_persons_other :many ipr_db_candidate inside
-- each const struct ipr_db_new_game *const games
-- bind games[]->white_id.person, games[]->black_id.person, games[]->stem int32[]
SELECT
    u.n - 1 AS at,
    g.id, g.moves_key, g.plies, g.date, g.round, g.result, g.event_id
FROM (
    SELECT
        white,
        black,
        p.stem,
        p.n
    FROM unnest($1::integer[], $2::integer[], $3::integer[])
        WITH ORDINALITY AS p (white_person, black_person, stem, n)
    @identities_of()
) AS u
@other_moves()

-- name: candidates_moves :many ipr_db_candidate inside
-- each const struct ipr_db_new_game *const games
-- bind games[]->moves_key int64[]
-- bind games[]->year int[]
--
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

-- name: candidates_moves_undated :many ipr_db_candidate inside
-- each const struct ipr_db_new_game *const games
-- bind games[]->moves_key int64[]
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

-- fill: ipr_db_new_game
-- column id int64
-- column white_id int32 as white_id.id
-- column black_id int32 as black_id.id
-- column white_person int32 as white_id.person
-- column black_person int32 as black_id.person
-- column white_decided bool as white_id.decided
-- column black_decided bool as black_id.decided
-- column white text as white.name
-- column black text as black.name
-- column white_key text as white.key
-- column black_key text as black.key
-- column white_fide int32 or 0 as white.fide_id
-- column black_fide int32 or 0 as black.fide_id
-- column white_tagged text as white.tagged_name
-- column black_tagged text as black.tagged_name
-- column event, date, site, round text
-- column event_id int32
-- column event_year, year int
-- column result enum ipr_result IPR_RESULT_UNKNOWN..IPR_DRAW
-- column white_elo, black_elo int32 or 0
-- column time_class enum ipr_time_class 0..IPR_TIME_CLASSES - 1
-- column time_known enum ipr_time_known 0..IPR_TIME_INFERRED
-- column start_fen text or NULL
-- column moves moves
-- column plies uint64 0..INT16_MAX as n_moves
-- column moves_key int64
-- column stem int32
-- column tags text as tags_json
-- column notes bytes or NULL

-- name: games_stored :many ipr_db_new_game inside
-- param ids int64[]
--
-- Game by game: without statistics a plan of joins may begin with all games.
SELECT
    g.id, g.white_id, g.black_id, g.event_id, g.year, g.date, g.site, g.round, g.result,
    g.white_elo, g.black_elo, g.time_class, g.time_known, g.start_fen, g.moves, g.plies, g.moves_key,
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
CROSS JOIN LATERAL (SELECT * FROM game WHERE id = u.id OFFSET 0) AS g
CROSS JOIN LATERAL (SELECT * FROM event WHERE id = g.event_id OFFSET 0) AS e
CROSS JOIN LATERAL (SELECT * FROM player WHERE id = g.white_id OFFSET 0) AS w
CROSS JOIN LATERAL (SELECT * FROM player WHERE id = g.black_id OFFSET 0) AS b
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

-- name: game_update :exec inside
-- arg const struct ipr_db_new_game *g
-- bind g->id int64
-- bind g->year int
-- bind g->date text
-- bind g->event_id int32
-- bind g->site, g->round text
-- bind (int)g->result int
-- bind g->white_elo, g->black_elo int
-- bind (int)g->time_class, (int)g->time_known int
-- bind g->moves moves
-- bind (int64_t)g->n_moves, g->moves_key int64
-- bind g->stem int32
-- bind g->tags_json text
-- bind g->notes bytes or NULL
-- bind g->white_id.was, g->white_id.id, g->black_id.was, g->black_id.id int32
--
-- A player changes only if it is still the one that the import read.
UPDATE game
SET
    year = $2, date = $3, event_id = $4, site = $5, round = $6, result = $7,
    white_elo = CASE WHEN $8::integer BETWEEN 1 AND 32767 THEN $8 END,
    black_elo = CASE WHEN $9::integer BETWEEN 1 AND 32767 THEN $9 END,
    time_class = $10, time_known = $11, moves = $12, plies = $13, moves_key = $14,
    stem = $15, tags = $16::json, notes = $17,
    white_id = CASE WHEN white_id = $18 THEN $19::integer ELSE white_id END,
    black_id = CASE WHEN black_id = $20 THEN $21::integer ELSE black_id END
WHERE id = $1

-- name: game_unqueue :many ipr_db_unqueued inside
-- param game_id int64
-- column judge, owner text
-- column sides int32
--
-- Deletes the jobs and confirmed moves of a game whose moves have changed. Returns the judges that have judged it or
-- had a job for it, as far as they can judge it again.
WITH gone AS (
    DELETE FROM job WHERE game_id = $1
    RETURNING judge, owner, kind, sides
),

unconfirmed AS (
    DELETE FROM confirmation WHERE game_id = $1
)

SELECT
    a.judge,
    min(a.owner) AS owner,
    bit_or(a.sides) AS sides
FROM (
    SELECT judge, owner, sides FROM gone WHERE kind = 'judge'
    UNION ALL
    SELECT
        j.name,
        'import',
        1 << s.colour
    FROM judged_side AS s
    INNER JOIN judge AS j ON j.id = s.judge_id
    WHERE s.game_id = $1
) AS a (judge, owner, sides)
INNER JOIN judge_definition AS d ON d.name = a.judge
GROUP BY a.judge
ORDER BY a.judge
