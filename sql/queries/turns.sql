-- include db/aggregates.h
-- include db/turn_rows.h

-- row: ipr_db_game_side
-- A side's turns as they are stored (db/side_turns.h).
-- column colour int 0..1
-- column figures, lines bytes
-- column second_cp bytes or NULL as second

-- row: ipr_db_side_lines
-- A side's stored turns, with the person, game, year and number of lines.
-- column person int32
-- column game_id int64
-- column year int
-- column multipv int
-- also ipr_db_game_side as side

-- row: ipr_db_side_figures
-- The figures of a side's turns, for models that do not need the moves.
-- column game int64
-- column year int
-- column colour int 0..1
-- column figures bytes

-- row: ipr_db_player_side
-- One side of a game that a person played, judged or not.
-- column id int64 as game_id
-- column game int32                     -- of the judged ones, as in their turns; -1: no turn of it
--     was judged
-- column turns int32 -1..INT32_MAX      -- judged by the judge; -1: the side was not judged
-- column year int                       -- 0 unknown
-- column plies int 0..INT16_MAX         -- half-moves of the game; 0: it was not played
-- column colour int 0..1                -- 0 White, 1 Black
-- column half_points int -1..2          -- 2 won, 1 drawn, 0 lost; -1 unknown
-- column elo, opponent_elo int          -- in the tags; 0 none
-- column opponent int32                 -- root of the other player; 0 nobody
-- column opponent_name text
-- column date text                      -- as in the tag

-- name: game_lock :one ipr_db_locked_game inside
-- A game, locked; it may have been read before a split.
-- param game_id int64
-- column white_id int32 as player[0]
-- column black_id int32 as player[1]
-- column year, time_class int
-- missing no such game any more
--
-- Two workers storing sides of one game wait here; a deleted game is noticed here. Who played may
-- have changed since the game was read.
SELECT white_id, black_id, year, time_class
FROM game
WHERE id = $1
FOR NO KEY UPDATE

-- name: games_lock :many ipr_db_locked_games inside
-- Locks several games, by ascending id. Returns for each the sides that a judge has analysed.
-- each const struct ipr_db_new_side sides
-- bind sides[].game->id int64[]
-- bind sides[].judge_id int32[]
-- param version int
-- column id int64
-- column judge_id int32
-- column white_id int32 as player[0]
-- column black_id int32 as player[1]
-- column year, time_class int
-- column there unsigned 0..3            -- bit 0 White, bit 1 Black
-- column other unsigned 0..3            -- those rated by another version
SELECT
    g.id, u.judge_id, g.white_id, g.black_id, g.year, g.time_class,
    coalesce(j.there, 0) AS there,
    coalesce(j.other, 0) AS other
FROM unnest($1::bigint[], $2::integer[]) AS u (id, judge_id)
INNER JOIN game AS g ON g.id = u.id
CROSS JOIN LATERAL (
    SELECT
        bit_or(1 << s.colour) AS there,
        bit_or(1 << s.colour)
        FILTER (WHERE greatest(s.strength_version, s.strength_kept) <> $3::smallint) AS other
    FROM judged_side AS s
    WHERE s.game_id = g.id AND s.judge_id = u.judge_id
) AS j
ORDER BY g.id, u.judge_id
FOR NO KEY UPDATE OF g

-- name: colours_judged :many ipr_db_judged_colour inside
-- param game_id int64
-- param judge_id int32
-- column colour unsigned 0..1
-- column imported bool
-- column strength_version int
-- column strength_score, strength_information int64
-- column strength_moves int
-- column kept bool
--
-- Sums of evaluations in files (a negative version) are in no aggregate, kept sides in none of a player.
SELECT
    s.colour,
    s.imported,
    r.version AS strength_version,
    CASE WHEN r.version > 0 THEN s.strength_score ELSE 0 END AS strength_score,
    CASE WHEN r.version > 0 THEN s.strength_information ELSE 0 END AS strength_information,
    CASE WHEN r.version > 0 THEN s.strength_moves ELSE 0::smallint END AS strength_moves,
    s.strength_kept <> 0 AS kept
FROM judged_side AS s
CROSS JOIN LATERAL (
    SELECT greatest(s.strength_version, s.strength_kept, 0::smallint) AS version
) AS r
WHERE s.game_id = $1 AND s.judge_id = $2

-- name: game_judges :many inside
-- param game_id int64
-- column id int32
--
-- In the order in which every transaction locks the aggregates of several judges.
SELECT DISTINCT judge_id AS id
FROM judged_side
WHERE game_id = $1
ORDER BY judge_id

-- name: game_forget :exec inside
-- param game_id int64
WITH sides AS (
    DELETE FROM judged_side WHERE game_id = $1
),

confirmed AS (
    DELETE FROM confirmation WHERE game_id = $1
)

DELETE FROM side_turns
WHERE game_id = $1

-- name: judgement_delete :exec inside
-- param game_id int64
-- param judge_id int32
-- param sides unsigned
WITH gone AS (
    DELETE FROM judged_side
    WHERE game_id = $1 AND judge_id = $2 AND ($3::integer >> colour) & 1 = 1
)

DELETE FROM side_turns
WHERE game_id = $1 AND judge_id = $2 AND ($3 >> colour) & 1 = 1

-- name: side_add :exec inside
-- param game_id int64
-- param judge_id int32
-- param colour int
-- arg const struct ipr_db_work *work
-- bind work->source text
-- param cached, strength_version int
-- arg const struct ipr_contribution *c
-- bind c->turns, c->nodes int64
-- bind work->search_ms[colour] int
-- bind c->strength_score, c->strength_information int64
-- bind c->strength_moves int
-- bind work->upload_id int64
INSERT INTO judged_side (
    game_id, judge_id, colour, source, cached, strength_version, turns, nodes, search_ms,
    strength_score, strength_information, strength_moves, imported, upload_id
)
VALUES (
    $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13::bigint <> 0, nullif($13, 0)
)

-- name: side_turns_add :exec inside
-- param game_id int64
-- param judge_id int32
-- param colour int
-- param figures, lines bytes
-- param second bytes or NULL
-- arg const unsigned char **keys
-- arg size_t n_keys
-- bind keys[] uuid[]
INSERT INTO side_turns (game_id, judge_id, colour, figures, lines, second_cp, position_keys)
VALUES ($1, $2, $3, $4, $5, $6, nullif($7::uuid[], '{}'))

-- name: side_lines_add :count inside
-- For a side that is stored with the same figures, but without lines.
-- param game_id int64
-- param judge_id int32
-- param colour int
-- param figures, lines bytes
UPDATE side_turns
SET lines = $5, second_cp = NULL
WHERE
    game_id = $1 AND judge_id = $2 AND colour = $3 AND figures = $4 AND second_cp IS NOT NULL

-- name: sides_with_positions :many ipr_db_position_side inside
-- param judge_id int32
-- arg unsigned char (*keys)[16]
-- arg size_t n_keys
-- bind keys[] uuid[]
-- param game_id int64
-- also ipr_db_game_side as side
-- column keys bytes -- 16 for each of its first turns; zeros: the key is stored with another side
--
-- Sides with turns in any of these positions. Each key is stored only with the side that the
-- position was searched for, so a position that occurs in many games is found once. Sides of private
-- uploads are of use to games of their own upload alone: how fast a game is analysed tells its
-- uploader what was there.
SELECT
    s.colour, s.figures, s.lines, s.second_cp,
    (
        SELECT string_agg(coalesce(uuid_send(k.key), decode(repeat('00', 16), 'hex')), '' ORDER BY k.n)
        FROM unnest(s.position_keys) WITH ORDINALITY AS k (key, n)
    ) AS keys
FROM side_turns AS s
WHERE
    s.judge_id = $1 AND s.position_keys && $2::uuid[]
    AND (
        s.game_id < private_from()
        OR EXISTS (
            SELECT
            FROM game AS g
            INNER JOIN game AS own ON own.upload_id = g.upload_id
            WHERE g.id = s.game_id AND own.id = $3
        )
    )
ORDER BY s.game_id, s.colour

-- name: player_years_add :exec inside
-- Adds judged sides to player-years, in the caller's transaction. Does nothing for games without a
-- year and for the unknown player. No aggregate may occur twice. They are locked in the given
-- order.
-- each const struct ipr_db_share shares
-- bind shares[].of.player_id, shares[].of.year, shares[].of.judge_id, shares[].of.time_class int[]
-- bind shares[].sides int[]
-- bind shares[].sum.turns, shares[].sum.counted, shares[].sum.at_0, shares[].sum.at_30 int32[]
-- bind shares[].sum.strength_moves int32[]
-- bind shares[].sum.strength_score, shares[].sum.strength_information int64[]
INSERT INTO player_year (
    player_id, year, judge_id, time_class, version, games, turns, counted, at_0, at_30,
    strength_moves, strength_score, strength_information
)
SELECT
    player_id, year, judge_id, time_class, 1, games, turns, counted, at_0, at_30, strength_moves,
    strength_score, strength_information
FROM unnest(
    $1::integer[], $2::smallint[], $3::smallint[], $4::smallint[], $5::integer[], $6::integer[],
    $7::integer[], $8::integer[], $9::integer[], $10::integer[], $11::bigint[], $12::bigint[]
) WITH ORDINALITY AS u (
    player_id, year, judge_id, time_class, games, turns, counted, at_0, at_30, strength_moves,
    strength_score, strength_information, n
)
WHERE player_id <> 0 AND year <> 0
ORDER BY n
ON CONFLICT (player_id, year, judge_id, time_class) DO UPDATE
SET
    version = player_year.version + 1,
    games = player_year.games + excluded.games,
    turns = player_year.turns + excluded.turns,
    counted = player_year.counted + excluded.counted,
    at_0 = player_year.at_0 + excluded.at_0,
    at_30 = player_year.at_30 + excluded.at_30,
    strength_moves = player_year.strength_moves + excluded.strength_moves,
    strength_score = player_year.strength_score + excluded.strength_score,
    strength_information = player_year.strength_information + excluded.strength_information

-- name: player_totals_add :exec inside
-- Adds the same to the players' totals, dated or not.
-- each const struct ipr_db_share shares
-- bind shares[].of.player_id, shares[].of.judge_id, shares[].of.time_class int[]
-- bind shares[].sides int[]
-- bind shares[].sum.turns, shares[].sum.strength_moves int32[]
-- bind shares[].sum.strength_score, shares[].sum.strength_information int64[]
INSERT INTO player_total (
    player_id, judge_id, time_class, version, games, turns,
    strength_moves, strength_score, strength_information
)
SELECT
    player_id, judge_id, time_class, 1, games, turns, strength_moves, strength_score,
    strength_information
FROM unnest(
    $1::integer[], $2::smallint[], $3::smallint[], $4::integer[], $5::integer[], $6::integer[],
    $7::bigint[], $8::bigint[]
) WITH ORDINALITY AS u (
    player_id, judge_id, time_class, games, turns, strength_moves, strength_score,
    strength_information, n
)
WHERE player_id <> 0
ORDER BY n
ON CONFLICT (player_id, judge_id, time_class) DO UPDATE
SET
    version = player_total.version + 1,
    games = player_total.games + excluded.games,
    turns = player_total.turns + excluded.turns,
    strength_moves = player_total.strength_moves + excluded.strength_moves,
    strength_score = player_total.strength_score + excluded.strength_score,
    strength_information = player_total.strength_information + excluded.strength_information

-- name: judge_totals_add :exec inside
-- Adds them to the judges' totals.
-- each const struct ipr_db_share shares
-- bind shares[].of.judge_id, shares[].shard, shares[].of.time_class int[]
-- bind shares[].games, shares[].sides int[]
-- bind shares[].sum.turns int32[]
INSERT INTO public.judge_total AS t (judge_id, shard, time_class, version, games, sides, turns)
SELECT judge_id, shard, time_class, 1, games, sides, turns
FROM unnest(
    $1::smallint[], $2::smallint[], $3::smallint[], $4::integer[], $5::integer[], $6::integer[]
) WITH ORDINALITY AS u (judge_id, shard, time_class, games, sides, turns, n)
ORDER BY n
ON CONFLICT (judge_id, shard, time_class) DO UPDATE
SET
    version = t.version + 1,
    games = t.games + excluded.games,
    sides = t.sides + excluded.sides,
    turns = t.turns + excluded.turns

-- name: sides_of_game :many ipr_db_game_side inside
-- param game_id int64
-- param judge_id int32
SELECT colour, figures, lines, second_cp
FROM side_turns
WHERE game_id = $1 AND judge_id = $2
ORDER BY colour

-- name: confirm_sides :many ipr_db_game_side inside
-- The sides of a game that count for the rating, whichever judges have analysed them; one that none
-- has analysed by the evaluations in its file.
-- param game_id int64
SELECT DISTINCT ON (s.colour) t.colour, t.figures, t.lines, t.second_cp
FROM judged_side AS s
INNER JOIN judge AS j ON j.id = s.judge_id
INNER JOIN side_turns AS t
    ON t.game_id = s.game_id AND t.judge_id = s.judge_id AND t.colour = s.colour
WHERE
    s.game_id = $1
    AND (j.equation IS NOT NULL AND s.strength_kept = 0 OR s.strength_version < 0)
ORDER BY s.colour, j.equation IS NULL

-- part: in_scope
-- Whether a side s is of the years, event, opponents and upload of a scope; other_id is the other
-- player. In an upload no game counts whose two players are one person of `member`.
($3::integer = 0 OR s.year BETWEEN $2::integer AND $3)
AND ($4::integer = 0 OR s.event_id = $4)
AND (
    $7::text IS NULL
    OR s.other_id IN (
        SELECT o.id FROM player AS o
        WHERE o.id = ANY($7::integer[]) OR o.merged_into = ANY($7::integer[])
    )
)
AND (
    $8::bigint = 0
    OR (
        s.other_id NOT IN (SELECT o.id FROM member AS o)
        AND (
            s.upload_id = $8
            OR EXISTS (SELECT FROM upload_duplicate AS d WHERE (d.upload_id, d.game_id) = ($8, s.id))
        )
    )
)

-- part: sides_of_scope
-- The parameters of a scope (db/turns.h) are the first eight.
WITH member AS MATERIALIZED (
    SELECT id FROM player WHERE id = $1 OR merged_into = $1
),

side AS (
    SELECT s.*
    FROM (
        SELECT g.*, 0 AS colour, g.black_id AS other_id
        FROM member INNER JOIN game AS g ON g.white_id = member.id
        WHERE $5::integer & 1 = 1
        UNION ALL
        SELECT g.*, 1 AS colour, g.white_id AS other_id
        FROM member INNER JOIN game AS g ON g.black_id = member.id
        WHERE $5::integer & 2 = 2
    ) AS s
    WHERE
        @in_scope()
)

-- part: turns_of_side
-- Side by side, so that only the partitions of these judges are read.
CROSS JOIN LATERAL (
    SELECT k.*
    FROM side_turns AS k
    WHERE k.game_id = s.id AND k.judge_id = w.judge_id AND k.colour = s.colour
    OFFSET 0
) AS t

-- name: player_lines :many ipr_db_side_lines inside
-- param scope scope
-- param judge_id int32
@sides_of_scope()

SELECT
    $1 AS person, t.game_id, s.year, j.multipv, t.colour, t.figures, t.lines, t.second_cp
FROM side AS s
INNER JOIN judged_side AS w
    ON
        w.game_id = s.id AND w.judge_id = ANY(ARRAY(SELECT unnest(judges_with($9))))
        AND w.colour = s.colour
        AND w.strength_kept = 0
INNER JOIN judge AS j ON j.id = w.judge_id
@turns_of_side()
WHERE (s.time_class + 16 * w.imported::integer) = ANY($6::smallint[])
ORDER BY t.game_id, t.colour

-- part: columns_of_side
-- What ipr_db_player_side has, of sides s that parts_of_side joins.
s.id,
-1 AS game,
s.year,
s.date,
s.plies,
s.colour,
CASE s.result WHEN 1 THEN 2 - 2 * s.colour WHEN 2 THEN 2 * s.colour WHEN 3 THEN 1 ELSE -1 END
    AS half_points,
coalesce(CASE s.colour WHEN 0 THEN s.white_elo ELSE s.black_elo END, 0) AS elo,
coalesce(CASE s.colour WHEN 0 THEN s.black_elo ELSE s.white_elo END, 0) AS opponent_elo,
o.id AS opponent,
o.name AS opponent_name,
coalesce(j.turns, -1) AS turns

-- part: parts_of_side judge times
INNER JOIN player AS i ON i.id = CASE s.colour WHEN 0 THEN s.black_id ELSE s.white_id END
INNER JOIN player AS o ON o.id = coalesce(i.merged_into, i.id)
LEFT JOIN judged_side AS j
    ON
        j.game_id = s.id AND j.judge_id = ANY(ARRAY(SELECT unnest(judges_with(@judge))))
        AND j.colour = s.colour
        AND j.strength_kept = 0
        AND (s.time_class + 16 * j.imported::integer) = ANY(@times)

-- name: player_sides :many ipr_db_player_side inside
-- param scope scope
-- param judge_id int32
@sides_of_scope()

SELECT
    @columns_of_side()
FROM side AS s
@parts_of_side($9; $6::smallint[])
WHERE s.time_class = ANY($6::smallint[])
ORDER BY s.id, s.colour

-- name: scope_classes :many ipr_db_class_games inside
-- param scope scope
-- column time_class int 0..IPR_TIME_CLASSES - 1
-- column games int32
@sides_of_scope()

SELECT
    time_class,
    count(*) AS games
FROM side
WHERE time_class = ANY($6::smallint[])
GROUP BY time_class

-- name: player_figures :many ipr_db_side_figures inside
-- param person int32
-- param year int
-- param judge_id int32
-- param times times
WITH member AS MATERIALIZED (
    SELECT id FROM player WHERE id = $1 OR merged_into = $1
),

side AS (
    SELECT g.id, g.year, g.time_class, 0 AS colour
    FROM member INNER JOIN game AS g ON g.white_id = member.id
    WHERE
        ($2::integer = 0 OR g.year BETWEEN 1 AND $2) AND g.time_class = ANY($4::smallint[])
    UNION ALL
    SELECT g.id, g.year, g.time_class, 1 AS colour
    FROM member INNER JOIN game AS g ON g.black_id = member.id
    WHERE
        ($2::integer = 0 OR g.year BETWEEN 1 AND $2) AND g.time_class = ANY($4::smallint[])
)

SELECT t.game_id AS game, s.year, t.colour, t.figures
FROM side AS s
INNER JOIN judged_side AS w
    ON
        w.game_id = s.id AND w.judge_id = ANY(ARRAY(SELECT unnest(judges_with($3))))
        AND w.colour = s.colour
        AND w.strength_kept = 0 AND w.turns > 0
@turns_of_side()
WHERE (s.time_class + 16 * w.imported::integer) = ANY($4::smallint[])
ORDER BY t.game_id, t.colour

-- name: notify_progress :exec inside
--
-- Equal notifications of one transaction are sent once.
SELECT pg_notify('progress', '')
