-- include pgn/time_class.h
-- include queries/turns_inside.h

-- fill: ipr_db_judged_game
-- column id int64
-- column year int
-- column result int -1..1
-- column known bool
-- column white_elo int as elo[0]
-- column black_elo int as elo[1]
-- column turns int 1..INT32_MAX

-- part: sides_that_count own
-- By the judge $1 and those counted with it; `own`: not imported.
judge_id = ANY(ARRAY(SELECT unnest(judges_with($1))))
AND strength_kept = 0 AND turns > 0 AND NOT (@own AND imported)

-- name: reported_games :many ipr_db_judged_game inside
-- arg const struct ipr_db_judged_scope *scope
-- bind scope->judge_id int32
-- bind scope->times times
-- bind scope->both bool
-- bind scope->limit int
-- bind scope->times & IPR_TIME_OWN bool
--
-- $3: both sides must have judged turns.
SELECT
    g.id,
    g.year,
    (g.result = 1)::integer - (g.result = 2)::integer AS result,
    g.result <> 0 AS known,
    coalesce(g.white_elo, 0) AS white_elo,
    coalesce(g.black_elo, 0) AS black_elo,
    s.turns
FROM (
    SELECT
        game_id,
        bit_or(1 << colour) AS sides,
        sum(turns) AS turns
    FROM judged_side
    WHERE
        @sides_that_count($5::boolean)
    GROUP BY game_id
) AS s
INNER JOIN game AS g ON g.id = s.game_id
WHERE g.time_class = ANY($2::smallint[]) AND (s.sides = 3 OR NOT $3::boolean)
ORDER BY g.year DESC, g.id DESC
LIMIT $4

-- name: reported_games_count :one inside
-- param judge_id int32
-- param times times
-- bind times & IPR_TIME_OWN bool
-- column available, one_sided int64
SELECT
    count(*) AS available,
    count(*) FILTER (WHERE s.sides <> 3) AS one_sided
FROM (
    SELECT
        game_id,
        bit_or(1 << colour) AS sides
    FROM judged_side
    WHERE
        @sides_that_count($3::boolean)
    GROUP BY game_id
) AS s
INNER JOIN game AS g ON g.id = s.game_id
WHERE g.time_class = ANY($2::smallint[])

-- name: reported_sides :many ipr_db_side_figures inside
-- arg const struct ipr_db_judged_scope *scope
-- bind scope->judge_id int32
-- each const struct ipr_db_judged_game games
-- bind games[].id int64[]
-- bind games[].year int[]
-- bind scope->times & IPR_TIME_OWN bool
--
-- In the order of the list.
SELECT
    k.n - 1 AS game,
    k.year,
    t.colour,
    t.figures
FROM unnest($2::bigint[], $3::smallint[]) WITH ORDINALITY AS k (id, year, n)
CROSS JOIN LATERAL (
    SELECT
        judge_id,
        colour
    FROM judged_side
    WHERE
        game_id = k.id AND
        @sides_that_count($4::boolean)
) AS w
CROSS JOIN LATERAL (
    SELECT f.colour, f.figures
    FROM side_turns AS f
    WHERE f.game_id = k.id AND f.judge_id = w.judge_id AND f.colour = w.colour
    OFFSET 0
) AS t
ORDER BY k.n, t.colour

-- row: ipr_db_match
-- Two persons who met several times in one event.
-- column event_id int32 as event
-- column event_name text
-- column year int                       -- of the event, of its last game where that is not known
--     or no game's; never 0
-- column one int32 as person[0]         -- ascending id
-- column two int32 as person[1]
-- column name_one text as name[0]
-- column name_two text as name[1]
-- column games int                      -- with moves and a known result
-- column unplayed int                   -- with a result and no move

-- name: matches_found :many ipr_db_match_found inside
-- arg const struct ipr_db_match_scope *scope
-- bind scope->judge_id int32
-- bind scope->times times
-- bind scope->least, scope->back, scope->limit, scope->later int
-- also ipr_db_match as match
-- column available int64
--
-- Persons without judged turns, who are the majority, are excluded before anything is counted. A
-- game without moves was not played, whatever its result.
WITH judged AS MATERIALIZED (
    SELECT DISTINCT coalesce(m.merged_into, m.id) AS id
    FROM player_total AS t
    INNER JOIN player AS m ON m.id = t.player_id
    WHERE
        t.judge_id = ANY(ARRAY(SELECT unnest(judges_with($1))))
        AND t.time_class = ANY($2::smallint[]) AND t.turns > 0
),

member AS MATERIALIZED (
    SELECT
        id,
        id AS root
    FROM judged
    UNION ALL
    SELECT
        p.id,
        p.merged_into AS root
    FROM player AS p
    INNER JOIN judged AS j ON j.id = p.merged_into
),

judged_year AS MATERIALIZED (
    SELECT DISTINCT
        m.root,
        y.year
    FROM member AS m
    INNER JOIN player_year AS y ON y.player_id = m.id
    WHERE
        y.judge_id = ANY(ARRAY(SELECT unnest(judges_with($1))))
        AND y.time_class = ANY($2::smallint[]) AND y.turns > 0
),

pair AS (
    SELECT
        g.event_id,
        least(w.root, b.root) AS one,
        greatest(w.root, b.root) AS two,
        count(*) FILTER (WHERE g.plies > 0) AS games,
        count(*) FILTER (WHERE g.plies = 0) AS unplayed,
        min(g.year) AS first_year,
        max(g.year) AS last_year
    FROM game AS g
    INNER JOIN member AS w ON w.id = g.white_id
    INNER JOIN member AS b ON b.id = g.black_id
    WHERE
        g.event_id <> 0
        AND g.result <> 0
        AND w.root <> b.root
        AND g.time_class = ANY($2::smallint[])
    GROUP BY 1, 2, 3
    HAVING count(*) FILTER (WHERE g.plies > 0) >= $3
),

dated AS (
    SELECT
        pair.*,
        e.name AS event_name,
        CASE WHEN e.year BETWEEN pair.first_year AND pair.last_year THEN e.year ELSE pair.last_year END
            AS year
    FROM pair
    INNER JOIN event AS e ON e.id = pair.event_id
)

SELECT
    d.event_id,
    d.event_name,
    d.year,
    d.one,
    d.two,
    p1.name AS name_one,
    p2.name AS name_two,
    d.games,
    d.unplayed,
    count(*) OVER () AS available
FROM dated AS d
INNER JOIN player AS p1 ON p1.id = d.one
INNER JOIN player AS p2 ON p2.id = d.two
WHERE
    d.year > 0
    AND EXISTS (
        SELECT FROM judged_year AS j
        WHERE j.root = d.one AND j.year BETWEEN d.year - $4 AND d.year - $4 + $6
    )
    AND EXISTS (
        SELECT FROM judged_year AS j
        WHERE j.root = d.two AND j.year BETWEEN d.year - $4 AND d.year - $4 + $6
    )
ORDER BY d.games DESC, d.year DESC, d.event_id DESC, d.one, d.two
LIMIT $5

-- name: match_games :many ipr_db_match_game
-- Its games with moves and known results, ascending id.
-- arg const struct ipr_db_match *match
-- bind match->event, match->person[0], match->person[1] int32
-- param judge_id int32
-- param times times
-- column id int64
-- column half_points int                -- of the first of the two: 0, 1, 2
-- column year int                       -- 0 unknown
-- column judged_one bool as judged[0]   -- whether there are judged turns of each
-- column judged_two bool as judged[1]
WITH side AS (
    SELECT
        g.id,
        g.year,
        g.time_class,
        CASE g.result WHEN 1 THEN 2 WHEN 2 THEN 0 ELSE 1 END AS white_points,
        coalesce(w.merged_into, w.id) AS white,
        coalesce(b.merged_into, b.id) AS black
    FROM game AS g
    INNER JOIN player AS w ON w.id = g.white_id
    INNER JOIN player AS b ON b.id = g.black_id
    WHERE
        g.event_id = $1 AND g.result <> 0 AND g.plies > 0 AND g.time_class = ANY($5::smallint[])
),

game_of AS (
    SELECT
        s.*,
        s.white = $2 AS one_white
    FROM side AS s
    WHERE (s.white = $2 AND s.black = $3) OR (s.white = $3 AND s.black = $2)
)

SELECT
    g.id,
    g.year,
    CASE WHEN g.one_white THEN g.white_points ELSE 2 - g.white_points END AS half_points,
    coalesce(j.white, FALSE) AND g.one_white OR coalesce(j.black, FALSE) AND NOT g.one_white
        AS judged_one,
    coalesce(j.black, FALSE) AND g.one_white OR coalesce(j.white, FALSE) AND NOT g.one_white
        AS judged_two
FROM game_of AS g
LEFT JOIN LATERAL (
    SELECT
        bool_or(colour = 0) AS white,
        bool_or(colour = 1) AS black
    FROM judged_side
    WHERE
        game_id = g.id AND judge_id = ANY(ARRAY(SELECT unnest(judges_with($4)))) AND turns > 0
        AND (g.time_class + 16 * imported::integer) = ANY($5)
) AS j ON TRUE
ORDER BY g.id

-- name: transition_games :many
-- Ids of the games that ipr_db_player_transitions numbers from 0, in that order.
-- param person int32
-- param year int
-- param judge_id int32
-- param times times
-- column id int64
--
-- The games of player_transitions (turns.sql), in its order.
WITH member AS MATERIALIZED (
    SELECT id FROM player WHERE id = $1 OR merged_into = $1
),

side AS MATERIALIZED (
    SELECT g.id, g.year, g.time_class, 0 AS colour
    FROM member INNER JOIN game AS g ON g.white_id = member.id
    UNION ALL
    SELECT g.id, g.year, g.time_class, 1 AS colour
    FROM member INNER JOIN game AS g ON g.black_id = member.id
)

SELECT DISTINCT s.id
FROM side AS s
WHERE
    ($2::integer = 0 OR s.year BETWEEN 1 AND $2)
    AND s.time_class = ANY($4::smallint[])
    AND EXISTS (
        SELECT FROM judged_side AS w
        WHERE
            w.game_id = s.id AND w.judge_id = ANY(ARRAY(SELECT unnest(judges_with($3))))
            AND w.colour = s.colour
            AND w.strength_kept = 0 AND w.turns > 0
            AND (s.time_class + 16 * w.imported::integer) = ANY($4)
    )
ORDER BY s.id

-- name: most_judged :many ipr_db_most_judged
-- Persons with the most judged turns, at least `least`, in descending order.
-- param judge_id int32
-- param times times
-- param least int64
-- param limit int
-- column id int32
-- column name text
-- column turns int64
SELECT
    p.id,
    p.name,
    sum(t.turns)::bigint AS turns
FROM player_total AS t
INNER JOIN player AS m ON m.id = t.player_id
INNER JOIN player AS p ON p.id = coalesce(m.merged_into, m.id)
WHERE
    t.judge_id = ANY(ARRAY(SELECT unnest(judges_with($1))))
    AND t.time_class = ANY($2::smallint[])
GROUP BY p.id, p.name
HAVING sum(t.turns) >= $3
ORDER BY sum(t.turns) DESC, p.id
LIMIT $4

-- part: example_of_game
g.id,
w.id AS white_id,
b.id AS black_id,
w.name AS white,
b.name AS black,
e.name AS event,
g.year, g.result,
octet_length(g.moves) = 2 * g.plies AS moves_stored

-- part: event_and_players
-- Of a game g; the players' roots are w and b.
INNER JOIN event AS e ON e.id = g.event_id
INNER JOIN player AS i ON i.id = g.white_id
INNER JOIN player AS w ON w.id = coalesce(i.merged_into, i.id)
INNER JOIN player AS o ON o.id = g.black_id
INNER JOIN player AS b ON b.id = coalesce(o.merged_into, o.id)

-- name: report_examples :many ipr_db_report_example
-- The latest games of a list, first those whose moves are stored and not figures alone, and how many
-- these are.
-- arg const int64_t *ids
-- arg size_t n_ids
-- bind ids[] int64[]
-- param limit int
-- column id int64
-- column white_id, black_id int32        -- roots
-- column white, black text               -- names of these
-- column event text
-- column year int
-- column result enum ipr_result IPR_RESULT_UNKNOWN..IPR_DRAW
-- column moves_stored bool
-- column stored int64                    -- of the whole list, those with moves
SELECT
    @example_of_game(),
    g.stored
FROM (
    SELECT
        g.*,
        count(*) FILTER (WHERE octet_length(g.moves) = 2 * g.plies) OVER () AS stored
    FROM game AS g
    WHERE g.id = ANY($1::bigint[]) AND g.plies > 0
    ORDER BY octet_length(g.moves) = 2 * g.plies DESC, g.year DESC, g.date DESC, g.id DESC
    LIMIT $2
) AS g
@event_and_players()
ORDER BY octet_length(g.moves) = 2 * g.plies DESC, g.year DESC, g.date DESC, g.id DESC

-- name: class_examples :many ipr_db_report_example
-- The latest stored of the last 100,000 games, of classes of time control, with a side analysed by
-- the judge; `with_moves`: whose moves are stored and not figures alone.
-- param judge_id int32
-- param times times
-- param with_moves bool
-- param limit int
SELECT
    @example_of_game(),
    0::bigint AS stored
FROM (
    SELECT g.*
    FROM game AS g
    WHERE
        g.id > (SELECT coalesce(max(id), 0) - 100000 FROM game)
        AND g.time_class = ANY($2::smallint[]) AND g.plies > 0
        AND (octet_length(g.moves) = 2 * g.plies OR NOT $3::boolean)
        AND EXISTS (
            SELECT FROM judged_side AS s
            WHERE
                s.game_id = g.id AND s.judge_id = ANY(ARRAY(SELECT unnest(judges_with($1))))
                AND s.turns > 0
        )
    ORDER BY g.id DESC
    LIMIT $4
) AS g
@event_and_players()
ORDER BY g.id DESC
