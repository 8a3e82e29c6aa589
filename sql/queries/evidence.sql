-- include db/turn_rows.h
-- include queries/turns_inside.h

-- name: evidence_games :many ipr_db_evidence_game
-- Games of a list, ascending id.
-- arg const int64_t *ids
-- arg size_t n_ids
-- bind ids[] int64[]
-- column id int64
-- column white_id, black_id int32        -- roots
-- column white, black text               -- names of these
-- column event_id int32
-- column event, site, date, round, eco text
-- column link text                     -- address of the game on its server
-- column white_elo, black_elo int
-- column year int
-- column result enum ipr_result IPR_RESULT_UNKNOWN..IPR_DRAW
-- column start_fen start as start
-- column moves moves
-- column notes bytes or NULL
-- column time_class int 0..IPR_TIME_CLASSES - 1
SELECT
    g.id,
    w.id AS white_id,
    b.id AS black_id,
    w.name AS white,
    b.name AS black,
    g.event_id,
    e.name AS event,
    g.site, g.date, g.round,
    coalesce(g.tags ->> 'ECO', '') AS eco,
    coalesce(g.tags ->> 'Link', g.tags ->> 'GameUrl', g.tags ->> 'GameURL', '') AS link,
    coalesce(g.white_elo, 0)::integer AS white_elo,
    coalesce(g.black_elo, 0)::integer AS black_elo,
    g.year, g.result, g.start_fen, g.moves, g.notes, g.time_class
FROM game AS g
INNER JOIN event AS e ON e.id = g.event_id
INNER JOIN player AS i ON i.id = g.white_id
INNER JOIN player AS w ON w.id = coalesce(i.merged_into, i.id)
INNER JOIN player AS o ON o.id = g.black_id
INNER JOIN player AS b ON b.id = coalesce(o.merged_into, o.id)
WHERE g.id = ANY($1::bigint[])
ORDER BY g.id

-- name: evidence_sides :many ipr_db_evidence_side inside
-- `own`: without those that were imported.
-- arg const int64_t *ids
-- arg size_t n_ids
-- bind ids[] int64[]
-- param judge_id int32
-- param own bool
-- column game_id int64
-- column strength_version int
-- column strength_score, strength_information int64
-- column strength_moves int32
-- column counts bool
-- also ipr_db_game_side as side
SELECT
    t.game_id,
    w.strength_version, w.strength_score, w.strength_information, w.strength_moves,
    w.strength_kept = 0 AS counts,
    t.colour, t.figures, t.lines, t.second_cp
FROM side_turns AS t
INNER JOIN judged_side AS w
    ON w.game_id = t.game_id AND w.judge_id = t.judge_id AND w.colour = t.colour
WHERE
    t.game_id = ANY($1::bigint[]) AND t.judge_id = $2
    AND NOT ($3::boolean AND w.imported)
ORDER BY t.game_id, t.colour

-- name: evidence_opponents :many ipr_db_evidence_opponent
-- Opponents of the person `root` in games of a list, by name.
-- arg const int64_t *ids
-- arg size_t n_ids
-- bind ids[] int64[]
-- param root int32
-- column id int32                        -- root
-- column name text
-- column games int
SELECT o.id, o.name, count(*)::integer AS games
FROM game AS g
INNER JOIN player AS w ON w.id = g.white_id
INNER JOIN player AS b ON b.id = g.black_id
INNER JOIN player AS o ON o.id = CASE
    WHEN coalesce(w.merged_into, w.id) = $2 THEN coalesce(b.merged_into, b.id)
    ELSE coalesce(w.merged_into, w.id)
END
WHERE g.id = ANY($1::bigint[])
GROUP BY o.id, o.name
ORDER BY o.name, o.id

-- name: games_with_moves :many
-- Analysed games of each player-year whose moves are stored and not figures alone; year 0: all years.
-- each const struct ipr_db_year_of years
-- bind years[].player, years[].year int32[]
-- column n int
--
-- The games of a player are read once, however many years are requested.
WITH asked AS (
    SELECT u.*
    FROM unnest($1::integer[], $2::integer[]) WITH ORDINALITY AS u (player, year, n)
),

person AS (
    SELECT DISTINCT
        player,
        person_identities(player) AS ids
    FROM asked
),

counted AS (
    SELECT
        p.player,
        g.year,
        count(*) AS games
    FROM person AS p
    INNER JOIN game AS g ON g.white_id = ANY(p.ids) OR g.black_id = ANY(p.ids)
    WHERE
        g.plies > 0 AND octet_length(g.moves) = 2 * g.plies
        AND EXISTS (
            SELECT
            FROM judged_side AS s
            WHERE
                s.game_id = g.id
                AND s.colour = CASE WHEN g.white_id = ANY(p.ids) THEN 0 ELSE 1 END
        )
    GROUP BY p.player, g.year
)

SELECT coalesce(sum(c.games), 0)::integer AS n
FROM asked AS u
LEFT JOIN counted AS c ON c.player = u.player AND (u.year = 0 OR c.year = u.year)
GROUP BY u.n
ORDER BY u.n

-- name: event_games_with_moves :one
-- Analysed games of an event whose moves are stored and not figures alone.
-- param event_id int32
-- column n int
SELECT count(*)::integer AS n
FROM game AS g
WHERE
    g.event_id = $1 AND g.plies > 0 AND octet_length(g.moves) = 2 * g.plies
    AND EXISTS (SELECT FROM judged_side AS s WHERE s.game_id = g.id)

-- name: games_shown :many
-- The newest games of a person whose moves are stored, with the person's moves analysed by the
-- engine setting, ascending id.
-- param player, judge_id int32
-- param times times
-- param limit int32
-- column id int64
SELECT f.id
FROM (
    SELECT g.id
    FROM game AS g
    WHERE
        (g.white_id = ANY(person_identities($1)) OR g.black_id = ANY(person_identities($1)))
        AND g.plies > 0 AND octet_length(g.moves) = 2 * g.plies
        AND EXISTS (
            SELECT
            FROM judged_side AS s
            WHERE
                s.game_id = g.id AND s.judge_id = ANY(ARRAY(SELECT unnest(judges_with($2))))
                AND s.colour = CASE WHEN g.white_id = ANY(person_identities($1)) THEN 0 ELSE 1 END
                AND (g.time_class + 16 * s.imported::integer) = ANY($3::smallint[])
        )
    ORDER BY g.year DESC, g.id DESC
    LIMIT $4
) AS f
ORDER BY f.id

-- name: rivals :many ipr_db_rival
-- The opponent whom a person met most in games with a result, in at least so many; nobody else.
-- param player int32
-- param times times
-- param games_from int32
-- column id int32                       -- root
-- column name text
-- column won, lost, drawn int32
SELECT
    o.id,
    o.name,
    count(*) FILTER (WHERE g.result = g.win)::integer AS won,
    count(*) FILTER (WHERE g.result NOT IN (g.win, 3))::integer AS lost,
    count(*) FILTER (WHERE g.result = 3)::integer AS drawn
FROM (
    SELECT black_id AS other, result, 1 AS win, time_class
    FROM game
    WHERE white_id = ANY(person_identities($1))
    UNION ALL
    SELECT white_id AS other, result, 2 AS win, time_class
    FROM game
    WHERE black_id = ANY(person_identities($1))
) AS g
INNER JOIN player AS i ON i.id = g.other
INNER JOIN player AS o ON o.id = coalesce(i.merged_into, i.id)
WHERE o.id <> 0 AND g.result > 0 AND g.time_class = ANY($2::smallint[])
GROUP BY o.id, o.name
HAVING count(*) >= $3
ORDER BY count(*) DESC, o.id
LIMIT 1
