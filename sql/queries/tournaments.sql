-- include queries/turns_inside.h
-- include queries/strength_inside.h

-- Tournaments: the events that games name. Row 0 means no event; it is not listed.

-- part: event_order e
@e.part,
CASE WHEN $5 THEN @e.year END,
CASE WHEN $5 THEN @e.id END,
@e.year DESC, @e.id DESC

-- part: event_asked
AND e.id <> 0
AND ((SELECT words IS NULL FROM asked) OR e.words @@ (SELECT words FROM asked))
AND e.year >= CASE WHEN $4::integer > 0 THEN greatest($3::integer, 1) ELSE $3 END
AND ($4 = 0 OR e.year <= $4)
AND ($7::integer < 0 OR e.part > $11::boolean OR (e.part = $11 AND CASE
    WHEN $5::boolean THEN (e.year, e.id) > ($7, $8::integer)
    ELSE (e.year, e.id) < ($7, $8)
END))
AND EXISTS (SELECT FROM game AS g WHERE g.event_id = e.id)

-- name: tournament_list :many ipr_db_tournament
-- Those with games, those with games missing last; year descending (undated ones last), id
-- descending; ascending the other way round.
-- arg const struct ipr_db_tournament_query *q
-- bind q->search text
-- bind q->player, q->from, q->to int
-- bind q->ascending bool
-- bind q->judge_id int32
-- bind q->after_year int
-- bind q->after_id int32
-- bind q->limit int
-- bind IPR_TOURNAMENT_GAMES + 1 int
-- bind q->after_part bool
-- bind q->upload int64
-- planned
-- column id int32
-- column name text
-- column year int                       -- 0 unknown
-- column part bool                      -- games are plainly missing
-- column games int32                    -- of any class; more than IPR_TOURNAMENT_GAMES: at least so
--     many
-- column judged, analysed, players int32 -- among these games; analysed: for the rating
--
-- Games are counted for the rows of the page only: rows are read in order up to the limit. At most
-- $10 games of each are read, since some collections name one event for a million games. A list of
-- a player's or an upload's events, or a search that matches few, starts from these; another search reads
-- the events in order and soon has a full page. The games of a player are read from their table: a
-- condition that is false leaves it out at once, beside the one of a view it does not.
WITH asked AS MATERIALIZED (
    SELECT name_query(name_fold(lower($1::text))) AS words
),

hit AS MATERIALIZED (
    (
        SELECT e.id
        FROM event AS e
        WHERE $2::integer = 0 AND $12::bigint = 0 AND e.words @@ (SELECT words FROM asked)
        LIMIT 1000
    )
    UNION
    SELECT g.event_id
    FROM public.game AS g
    WHERE $2 <> 0 AND g.white_id = ANY(person_identities($2))
    UNION
    SELECT g.event_id
    FROM public.game AS g
    WHERE $2 <> 0 AND g.black_id = ANY(person_identities($2))
    UNION
    SELECT g.event_id
    FROM public.game AS g
    WHERE $12 <> 0 AND g.upload_id = $12
    UNION
    SELECT g.event_id
    FROM public.upload_duplicate AS d
    INNER JOIN public.game AS g ON g.id = d.game_id
    WHERE $12 <> 0 AND d.upload_id = $12
),

few AS MATERIALIZED (
    SELECT $2 <> 0 OR $12 <> 0 OR (words IS NOT NULL AND (SELECT count(*) FROM hit) < 1000) AS few FROM asked
),

page AS (
    SELECT w.id, w.name, w.year, w.part
    FROM (
        (
            SELECT e.id, e.name, e.year, e.part
            FROM hit
            INNER JOIN event AS e ON e.id = hit.id
            WHERE
                (SELECT few FROM few)
                @event_asked()
        )
        UNION ALL
        (
            SELECT e.id, e.name, e.year, e.part
            FROM event AS e
            WHERE
                NOT (SELECT few FROM few)
                @event_asked()
            ORDER BY
                @event_order(e)
            LIMIT $9
        )
    ) AS w
    ORDER BY
        @event_order(w)
    LIMIT $9
)

SELECT
    page.id, page.name, page.year, page.part, g.games, g.judged, g.analysed, p.players
FROM page
CROSS JOIN LATERAL (
    SELECT
        count(*) AS games,
        count(*) FILTER (
            WHERE EXISTS (
                SELECT FROM judged_side AS s
                WHERE s.game_id = f.id AND s.judge_id = ANY(ARRAY(SELECT unnest(judges_with($6))))
            )
        ) AS judged,
        count(*) FILTER (
            WHERE EXISTS (
                SELECT FROM judged_side AS s WHERE s.game_id = f.id AND s.strength_version > 0
            )
        ) AS analysed
    FROM (SELECT id FROM game WHERE event_id = page.id LIMIT $10) AS f
) AS g
CROSS JOIN LATERAL (
    SELECT count(DISTINCT coalesce(i.merged_into, i.id)) AS players
    FROM (SELECT white_id, black_id FROM game WHERE event_id = page.id LIMIT $10) AS f
    INNER JOIN player AS i ON i.id IN (f.white_id, f.black_id)
    WHERE i.id <> 0
) AS p
ORDER BY
    @event_order(page)

-- name: tournament_get :one ipr_db_tournament_games
-- IPR_ENOTFOUND.
-- param id, judge_id int32
-- param times times
-- bind IPR_TOURNAMENT_GAMES + 1 int
-- column id int32
-- column name text
-- column year int
-- column games int32                    -- more than IPR_TOURNAMENT_GAMES: at least so many
-- column class_0..10 int32 as in_class   -- games of each class
-- column judged int32                   -- by the judge, of the classes of `times`
-- column result_0..3 int32 as results   -- of these classes, by enum ipr_result
-- missing no such event
--
-- Its games (at most $4), their number by class, and of the classes $3 the judged ones and the
-- results.
SELECT
    e.id, e.name, e.year, g.*
FROM event AS e
CROSS JOIN LATERAL (
    SELECT
        count(*) AS games,
        count(*) FILTER (WHERE f.time_class = 0) AS class_0,
        count(*) FILTER (WHERE f.time_class = 1) AS class_1,
        count(*) FILTER (WHERE f.time_class = 2) AS class_2,
        count(*) FILTER (WHERE f.time_class = 3) AS class_3,
        count(*) FILTER (WHERE f.time_class = 4) AS class_4,
        count(*) FILTER (WHERE f.time_class = 5) AS class_5,
        count(*) FILTER (WHERE f.time_class = 6) AS class_6,
        count(*) FILTER (WHERE f.time_class = 7) AS class_7,
        count(*) FILTER (WHERE f.time_class = 8) AS class_8,
        count(*) FILTER (WHERE f.time_class = 9) AS class_9,
        count(*) FILTER (WHERE f.time_class = 10) AS class_10,
        count(*) FILTER (WHERE f.asked AND f.judged) AS judged,
        count(*) FILTER (WHERE f.asked AND f.result = 0) AS result_0,
        count(*) FILTER (WHERE f.asked AND f.result = 1) AS result_1,
        count(*) FILTER (WHERE f.asked AND f.result = 2) AS result_2,
        count(*) FILTER (WHERE f.asked AND f.result = 3) AS result_3
    FROM (
        SELECT
            time_class,
            result,
            time_class = ANY($3::smallint[]) AS asked,
            EXISTS (
                SELECT FROM judged_side AS s
                WHERE
                    s.game_id = game.id AND s.judge_id = ANY(ARRAY(SELECT unnest(judges_with($2))))
                    AND (game.time_class + 16 * s.imported::integer) = ANY($3)
            ) AS judged
        FROM game
        WHERE event_id = e.id
        LIMIT $4
    ) AS f
) AS g
WHERE e.id = $1 AND e.id <> 0

-- name: tournament_sides :many ipr_db_tournament_side inside
-- param id, judge_id int32
-- param times times
-- also ipr_db_player_side as side
-- column person int32
-- column person_name text as name
--
-- As player_sides, for all players of the event.
WITH side AS (
    SELECT g.*, 0 AS colour FROM game AS g WHERE g.event_id = $1
    UNION ALL
    SELECT g.*, 1 AS colour FROM game AS g WHERE g.event_id = $1
)

SELECT
    p.id AS person,
    p.name AS person_name,
    @columns_of_side()
FROM side AS s
INNER JOIN player AS pi ON pi.id = CASE s.colour WHEN 0 THEN s.white_id ELSE s.black_id END
INNER JOIN player AS p ON p.id = coalesce(pi.merged_into, pi.id)
@parts_of_side($2; $3::smallint[])
WHERE p.id <> 0 AND s.time_class = ANY($3::smallint[])
ORDER BY p.id, s.id, s.colour

-- name: event_queue :one ipr_db_event_queue
-- The games of an event in the queue, with any engine setting, and those with moves that the engine
-- setting of that name has not analysed both sides of and is not queued for; *turns: approximately,
-- from their plies.
-- param event int32
-- param judge text
-- column ready, running, paused, failed int64
-- column games, turns int64
WITH of_event AS MATERIALIZED (
    SELECT id, plies, octet_length(moves) > 0 AS moves_there
    FROM game
    WHERE event_id = $1
),

queued AS MATERIALIZED (
    SELECT q.game_id, q.judge, q.state
    FROM of_event AS g
    INNER JOIN job AS q ON q.game_id = g.id AND q.kind = 'judge'
),

open AS (
    SELECT g.plies, d.first_move, s.judged
    FROM of_event AS g
    INNER JOIN judge_definition AS d ON d.name = $2::text
    CROSS JOIN LATERAL (
        SELECT count(DISTINCT j.colour) AS judged
        FROM judged_side AS j
        INNER JOIN judge AS by ON by.id = j.judge_id
        WHERE j.game_id = g.id AND by.name = $2
    ) AS s
    WHERE
        g.moves_there AND s.judged < 2
        AND NOT EXISTS (SELECT FROM queued AS q WHERE q.game_id = g.id AND q.judge = $2)
)

SELECT
    (SELECT count(*) FROM queued WHERE state = 'ready') AS ready,
    (SELECT count(*) FROM queued WHERE state = 'leased') AS running,
    (SELECT count(*) FROM queued WHERE state = 'paused') AS paused,
    (SELECT count(*) FROM queued WHERE state = 'failed') AS failed,
    count(*) AS games,
    coalesce(sum(greatest(0, plies - 2 * (first_move - 1)) * (2 - judged) / 2), 0)::bigint AS turns
FROM open

-- name: event_games :many ipr_db_event_game
-- The games of an event with moves.
-- param event int32
-- bind IPR_TOURNAMENT_GAMES int
-- column id int64
SELECT id
FROM game
WHERE event_id = $1 AND octet_length(moves) > 0
ORDER BY id
LIMIT $2

-- name: upload_events :many ipr_db_upload_event
-- Events of an upload of which no games are plainly missing, those of most games first: an arbiter's.
-- param upload int64
-- column id int32
-- column name text
-- column games int32
SELECT
    e.id,
    e.name,
    count(*)::integer AS games
FROM game AS g
INNER JOIN event AS e ON e.id = g.event_id
WHERE g.upload_id = $1 AND e.id <> 0 AND NOT e.part
GROUP BY e.id, e.name
HAVING count(*) > 1
ORDER BY games DESC, e.id
LIMIT 10

-- name: event_sections :many ipr_db_event_section
-- The sections of an event with the number of their games, by name: events of its year whose names differ
-- in the words for a section alone. None where it is the only one.
-- param event int32
-- column id int32
-- column name text
-- column here bool
-- column games int32
SELECT
    id,
    name,
    id = $1 AS here,
    (SELECT count(*) FROM game AS g WHERE g.event_id = s.id)::integer AS games
FROM (
    SELECT
        e.id,
        e.name,
        count(*) OVER () AS sections
    FROM event AS mine
    INNER JOIN
        event AS e
        ON
            e.year = mine.year AND md5(event_whole(e.name)) = md5(event_whole(mine.name))
            AND event_whole(e.name) IS NOT NULL
    WHERE mine.id = $1 AND mine.year > 0
) AS s
WHERE sections > 1
ORDER BY name, id
LIMIT 40

-- name: event_sums :many ipr_db_event_sums
-- Both sides of every game of an event with the sums that ratings are computed from; ascending
-- game_id, colour.
-- param event int32
-- param times times
-- column game_id int64
-- column colour int 0..1
-- column round text
-- column moves int32                    -- that count; -1: not analysed
-- column score, information int64       -- millionths
-- also ipr_strength_mix as mix
SELECT
    g.id AS game_id,
    c.colour,
    g.round,
    coalesce(j.strength_moves, -1)::integer AS moves,
    coalesce(j.strength_score, 0) AS score,
    coalesce(j.strength_information, 0) AS information,
    @columns_of_mix(j; q)
FROM game AS g
CROSS JOIN (VALUES (0), (1)) AS c (colour)
LEFT JOIN judged_side AS j
    ON
        j.game_id = g.id AND j.colour = c.colour AND j.strength_version > 0
        AND (g.time_class + 16 * j.imported::integer) = ANY($2::smallint[])
LEFT JOIN judge AS q ON q.id = j.judge_id
WHERE g.event_id = $1 AND g.time_class = ANY($2::smallint[])
GROUP BY g.id, g.round, c.colour, j.strength_moves, j.strength_score, j.strength_information
ORDER BY g.id, c.colour

-- name: lines_of_sides :many ipr_db_side_lines inside
-- param judge_id int32
-- each const struct ipr_db_person_side sides
-- bind sides[].person int32[]
-- bind sides[].side->game_id int64[]
-- bind sides[].side->colour, sides[].side->year int[]
--
-- Like player_lines, for given sides.
SELECT
    u.person, t.game_id, u.year, j.multipv, t.colour, t.figures, t.lines, t.second_cp
FROM unnest($2::integer[], $3::bigint[], $4::smallint[], $5::smallint[])
    AS u (person, game_id, colour, year)
INNER JOIN judged_side AS w
    ON
        w.game_id = u.game_id AND w.judge_id = ANY(ARRAY(SELECT unnest(judges_with($1))))
        AND w.colour = u.colour
        AND w.strength_kept = 0
INNER JOIN judge AS j ON j.id = w.judge_id
INNER JOIN side_turns AS t
    ON t.game_id = u.game_id AND t.judge_id = j.id AND t.colour = u.colour
ORDER BY u.person, t.game_id, t.colour
