-- include db/contribution.h
-- include db/players.h
-- include db/turns.h

-- fill: ipr_strength_mix
-- column shift_error, scale_error, centre, other, unknown double or 0.0

-- row: ipr_db_strength
-- Sums over the moves of a set of sides, from which their player's strength is estimated.
-- column score, information int64      -- millionths
-- column moves, games int64            -- numbers of moves and games in the sums
-- column tagged_moves int64             -- of these moves, those in games with the player's Elo
-- column elo double or 0.0              -- mean of this Elo, weighted by information; 0 none
-- column year double or 0.0             -- mean year, weighted by information; 0 none
-- column judge_id int32 or 0
-- column events double or 0.0           -- sum of the squares of the events' shares in information
-- column classes unsigned 0..INT16_MAX   -- set of IPR_TIME_BIT: of the games in the sums
-- also ipr_strength_mix as mix
-- column engines char[160]              -- names of those whose evaluations are brought to the scale

-- part: columns_of_mix sums engine
sum(@sums.strength_information * @engine.equation[1]) AS shift_error,
sum(@sums.strength_information * @engine.equation[2]) AS scale_error,
sum(@sums.strength_information * @engine.equation[3]) AS centre,
sum(@sums.strength_information * @engine.equation[4]) AS other,
sum(@sums.strength_information * @engine.equation[5]) AS unknown

-- part: columns_of_engines sums engine
@columns_of_mix(@sums; @engine),
coalesce(
    string_agg(DISTINCT @engine.engine, ', ')
    FILTER (WHERE @engine.equation[4] > 0 AND @sums.strength_information > 0), ''
) AS engines

-- part: sides_of_person
-- Of the person and the colours of a scope. Read once, even where the planner takes it that hardly any side is
-- rated.
member AS MATERIALIZED (
    SELECT id FROM player WHERE id = $1 OR merged_into = $1
),

side AS MATERIALIZED (
    SELECT
        g.id, g.year, g.event_id, g.time_class, 0 AS colour, g.white_elo AS elo,
        g.black_elo AS opponent, g.result, 1 AS won, g.black_id AS other_id, g.upload_id
    FROM member INNER JOIN game AS g ON g.white_id = member.id
    WHERE $5::integer & 1 = 1
    UNION ALL
    SELECT
        g.id, g.year, g.event_id, g.time_class, 1, g.black_elo, g.white_elo, g.result, 2,
        g.white_id, g.upload_id
    FROM member INNER JOIN game AS g ON g.black_id = member.id
    WHERE $5::integer & 2 = 2
)

-- part: columns_of_sides tags sums engine
coalesce(sum(@sums.strength_score), 0)::bigint AS score,
coalesce(sum(@sums.strength_information), 0)::bigint AS information,
coalesce(sum(@sums.strength_moves), 0) AS moves,
count(*) FILTER (WHERE @sums.strength_moves > 0) AS games,
sum(@tags.elo * @sums.strength_information)::double precision
/ nullif(sum(@sums.strength_information) FILTER (WHERE @tags.elo > 0), 0) AS elo,
coalesce(sum(@sums.strength_moves) FILTER (WHERE @tags.elo > 0), 0) AS tagged_moves,
sum(@tags.year * @sums.strength_information)::double precision
/ nullif(sum(@sums.strength_information) FILTER (WHERE @tags.year > 0), 0) AS year,
max(@sums.judge_id) AS judge_id,
coalesce(bit_or(1 << @tags.time_class) FILTER (WHERE @sums.strength_moves > 0), 0) AS classes,
@columns_of_engines(@sums; @engine)

-- name: strength_of_scope :one ipr_db_strength
-- `sign` is 1: of analysed sides; -1: of sides with evaluations in their files (core/file_evals.h),
-- which have negative versions.
-- param scope scope
-- param sign int
WITH
@sides_of_person(),

judged AS (
    SELECT
        s.*, j.strength_score, j.strength_information, j.strength_moves, j.judge_id, q.equation, q.engine
    FROM side AS s
    INNER JOIN judged_side AS j
        ON
            j.game_id = s.id AND j.colour = s.colour
            AND j.strength_version * $9::smallint > 0
    INNER JOIN judge AS q ON q.id = j.judge_id
    WHERE
        @in_scope()
        AND (s.time_class + 16 * j.imported::integer) = ANY($6::smallint[])
),

of_event AS (
    SELECT sum(strength_information)::double precision AS information
    FROM judged
    -- A game without an event is an event of its own.
    GROUP BY event_id, year, CASE event_id WHEN 0 THEN id END
),

shares AS (
    SELECT sum(information ^ 2) / nullif(sum(information) ^ 2, 0) AS squares FROM of_event
)

SELECT
    @columns_of_sides(s; s; s),
    (SELECT squares FROM shares) AS events
FROM judged AS s

-- part: columns_of_year
sum(j.strength_score)::bigint AS score,
sum(j.strength_information)::bigint AS information,
sum(j.strength_moves)::bigint AS moves,
count(*) AS games,
max(j.judge_id) AS judge_id,
bit_or(1 << s.time_class) AS classes,
@columns_of_mix(j; q)

-- row: ipr_db_year_strength
-- column year int
-- column score, information int64      -- millionths
-- column moves, games int64
-- column judge_id int32
-- column classes unsigned 0..INT16_MAX   -- set of IPR_TIME_BIT
-- also ipr_strength_mix as mix

-- name: strength_of_scope_years :many ipr_db_year_strength
-- Of each dated year of a scope; ascending year.
-- param scope scope
WITH
@sides_of_person()

SELECT
    s.year,
    @columns_of_year()
FROM side AS s
INNER JOIN judged_side AS j
    ON j.game_id = s.id AND j.colour = s.colour AND j.strength_version > 0
INNER JOIN judge AS q ON q.id = j.judge_id
WHERE
    @in_scope()
    AND (s.time_class + 16 * j.imported::integer) = ANY($6::smallint[])
    AND j.strength_moves > 0 AND s.year > 0
GROUP BY s.year
ORDER BY s.year

-- name: strength_up_to :many ipr_db_year_strength
-- Of each year up to `year`, or of a career (0) as year 0, without some games; ascending year.
-- param person, year int32
-- param times times
-- param without int64[]
-- bind 3 int
WITH
@sides_of_person()

SELECT
    CASE $2::integer WHEN 0 THEN 0 ELSE s.year END AS year,
    @columns_of_year()
FROM side AS s
INNER JOIN judged_side AS j
    ON j.game_id = s.id AND j.colour = s.colour AND j.strength_version > 0
INNER JOIN judge AS q ON q.id = j.judge_id
WHERE
    ($2::integer = 0 OR s.year BETWEEN 1 AND $2)
    AND (s.time_class + 16 * j.imported::integer) = ANY($3::smallint[])
    AND j.strength_moves > 0 AND s.id <> ALL($4::bigint[])
GROUP BY 1
ORDER BY 1

-- row: ipr_db_person_year
-- A year of a person with moves that count; 0: undated games.
-- column person int32                   -- root
-- column list_id int32                  -- that it is read from; 0: from games
-- column events double                  -- sum of the squares of the events' shares in information
-- also ipr_db_year_strength as of

-- part: members_of persons
SELECT
    p.id,
    coalesce(p.merged_into, p.id) AS person
FROM player AS p
WHERE p.id = ANY(@persons) OR p.merged_into = ANY(@persons)

-- part: years_of_members wanted sign
-- After `member`, identities with their persons, and `list`, sets of classes: person_year, what is
-- read of the games of each person, and of the years that are `wanted`.
side AS (
    SELECT
        m.person, g.id, g.year, g.event_id, g.time_class, 0 AS colour
    FROM member AS m INNER JOIN game AS g ON g.white_id = m.id
    WHERE @wanted
    UNION ALL
    SELECT
        m.person, g.id, g.year, g.event_id, g.time_class, 1
    FROM member AS m INNER JOIN game AS g ON g.black_id = m.id
    WHERE @wanted
),

of_event AS (
    SELECT
        l.id AS list_id,
        s.person,
        s.year,
        @columns_of_year()
    FROM side AS s
    INNER JOIN judged_side AS j
        ON j.game_id = s.id AND j.colour = s.colour AND j.strength_version * @sign > 0
    INNER JOIN judge AS q ON q.id = j.judge_id
    INNER JOIN list AS l ON (s.time_class + 16 * j.imported::integer) = ANY(l.times)
    WHERE j.strength_moves > 0
    -- A game without an event is an event of its own.
    GROUP BY l.id, s.person, s.year, s.event_id, CASE s.event_id WHEN 0 THEN s.id END
),

person_year AS (
    SELECT
        e.list_id,
        e.person,
        -- In one order, so that it is the same to the last digit wherever it is read.
        sum(e.information::double precision ^ 2 ORDER BY e.information)
        / nullif(sum(e.information)::double precision ^ 2, 0) AS events,
        e.year,
        sum(e.score)::bigint AS score,
        sum(e.information)::bigint AS information,
        sum(e.moves)::bigint AS moves,
        sum(e.games)::bigint AS games,
        max(e.judge_id) AS judge_id,
        bit_or(e.classes) AS classes,
        sum(e.shift_error) AS shift_error,
        sum(e.scale_error) AS scale_error,
        sum(e.centre) AS centre,
        sum(e.other) AS other,
        sum(e.unknown) AS unknown
    FROM of_event AS e
    GROUP BY e.list_id, e.person, e.year
    HAVING sum(e.information) > 0
)

-- part: years_of_list wanted
-- The same of the careers that are `wanted`, list_id and player_id, as these lists have them. Undated games
-- are those of the career that are of no year.
SELECT
    y.list_id,
    y.player_id AS person,
    y.events,
    y.year,
    (
        y.strength_score
        - CASE y.year WHEN 0 THEN coalesce(sum(y.strength_score) FILTER (WHERE y.year > 0) OVER w, 0) ELSE 0 END
    )::bigint AS score,
    (
        y.strength_information
        - CASE y.year WHEN 0 THEN coalesce(sum(y.strength_information) FILTER (WHERE y.year > 0) OVER w, 0) ELSE 0 END
    )::bigint AS information,
    y.strength_moves AS moves,
    y.strength_games AS games,
    y.strength_judge AS judge_id,
    y.classes,
    y.equation[1] AS shift_error,
    y.equation[2] AS scale_error,
    y.equation[3] AS centre,
    y.equation[4] AS other,
    y.equation[5] AS unknown
FROM @wanted AS c (list_id, player_id)
INNER JOIN listed_year AS y ON y.list_id = c.list_id AND y.player_id = c.player_id
WHERE y.strength_moves > 0
WINDOW w AS (PARTITION BY y.list_id, y.player_id)

-- name: strength_of_persons :many ipr_db_person_year
-- Of roots, ascending person, year. `sign` as above. From a list of these classes and this version,
-- where one is filled and nothing of a person has changed since; else from the games.
-- param persons int32[]
-- param times times
-- param sign int
-- param version int
-- planned
WITH stored AS MATERIALIZED (
    SELECT l.id
    FROM year_list AS l
    WHERE
        l.times = $2::smallint[] AND l.strength_version = $4::smallint AND l.filled IS NULL
        AND $3::smallint > 0
        AND NOT EXISTS (SELECT FROM changed_year OFFSET 1000 LIMIT 1)
    ORDER BY l.id
    LIMIT 1
),

unstored AS MATERIALIZED (
    SELECT u.id
    FROM unnest($1::integer[]) AS u (id)
    WHERE
        NOT EXISTS (SELECT FROM stored)
        OR u.id IN (
            SELECT coalesce(p.merged_into, p.id)
            FROM changed_year AS c INNER JOIN player AS p ON p.id = c.player_id
        )
),

stored_career AS (
    SELECT DISTINCT
        s.id AS list_id,
        p.id AS player_id
    FROM stored AS s CROSS JOIN unnest($1) AS p (id)
    WHERE p.id NOT IN (SELECT u.id FROM unstored AS u)
),

from_list AS (
    @years_of_list(stored_career)
),

member AS MATERIALIZED (
    @members_of(ARRAY(SELECT u.id FROM unstored AS u))
),

list AS (
    SELECT
        0 AS id,
        $2 AS times
),

@years_of_members(true; $3)

SELECT * FROM person_year
UNION ALL
SELECT * FROM from_list
ORDER BY person, year

-- row: ipr_db_results
-- Analysed games with a result, by the player's colour and the opponent's Elo, and sums over the
-- moves of both sides.
-- column person int32                   -- root; 0 if rows are not by person
-- column opponent int32                 -- Elo
-- column colour int 0..1                 -- of the player
-- column games int32
-- column half_points int32
-- column score, information int64       -- of the player's moves
-- column other_score, other_information int64   -- of the opponents' moves, as far as analysed

-- part: columns_of_results
s.opponent,
s.won - 1 AS colour,
count(*)::integer AS games,
sum(CASE s.result WHEN 3 THEN 1 WHEN s.won THEN 2 ELSE 0 END)::integer AS half_points,
sum(j.strength_score)::bigint AS score,
sum(j.strength_information)::bigint AS information,
coalesce(sum(o.strength_score), 0)::bigint AS other_score,
coalesce(sum(o.strength_information), 0)::bigint AS other_information

-- name: results_of_scope :many ipr_db_results
-- Only games with the opponent's Elo in the tags. Ascending opponent, colour.
-- param scope scope
WITH
@sides_of_person()

SELECT
    0 AS person,
    @columns_of_results()
FROM side AS s
INNER JOIN judged_side AS j
    ON j.game_id = s.id AND j.colour = s.colour AND j.strength_version > 0
LEFT JOIN judged_side AS o
    ON o.game_id = s.id AND o.colour <> s.colour AND o.strength_version > 0
WHERE
    @in_scope()
    AND (s.time_class + 16 * j.imported::integer) = ANY($6::smallint[])
    AND j.strength_moves > 0 AND s.opponent > 0 AND s.result > 0
GROUP BY s.opponent, s.won
ORDER BY s.opponent, s.won

-- name: results_of_event :many ipr_db_results
-- The same for all players of an event. Ascending person, opponent, colour.
-- param event int32
-- param times times
SELECT
    coalesce(p.merged_into, p.id) AS person,
    @columns_of_results()
FROM game AS g
INNER JOIN judged_side AS j ON j.game_id = g.id AND j.strength_version > 0
CROSS JOIN LATERAL (
    SELECT
        CASE j.colour WHEN 0 THEN g.white_id ELSE g.black_id END AS player_id,
        CASE j.colour WHEN 0 THEN g.black_elo ELSE g.white_elo END AS opponent,
        g.result,
        j.colour + 1 AS won
) AS s
INNER JOIN player AS p ON p.id = s.player_id
LEFT JOIN judged_side AS o
    ON o.game_id = g.id AND o.colour <> j.colour AND o.strength_version > 0
WHERE
    g.event_id = $1 AND p.id <> 0
    AND (g.time_class + 16 * j.imported::integer) = ANY($2::smallint[])
    AND j.strength_moves > 0 AND s.opponent > 0 AND s.result > 0
GROUP BY coalesce(p.merged_into, p.id), s.opponent, s.won
ORDER BY coalesce(p.merged_into, p.id), s.opponent, s.won

-- row: ipr_db_player_strength
-- column person int32                   -- root; 0 if rows are not by person
-- column colour int 0..1                -- 0 if rows are not by colour
-- also ipr_db_strength as sums

-- name: strength_of_event :many ipr_db_player_strength
-- Of everybody in an event, ascending person. `sign` as above.
-- param event int32
-- param times times
-- param sign int
SELECT
    coalesce(p.merged_into, p.id) AS person,
    0 AS colour,
    @columns_of_sides(s; j; q),
    1.0::double precision AS events
FROM game AS g
INNER JOIN judged_side AS j ON j.game_id = g.id AND j.strength_version * $3 > 0
INNER JOIN judge AS q ON q.id = j.judge_id
CROSS JOIN LATERAL (
    SELECT
        CASE j.colour WHEN 0 THEN g.white_id ELSE g.black_id END AS player_id,
        CASE j.colour WHEN 0 THEN g.white_elo ELSE g.black_elo END AS elo,
        g.year,
        g.time_class
) AS s
INNER JOIN player AS p ON p.id = s.player_id
WHERE
    g.event_id = $1 AND p.id <> 0
    AND (g.time_class + 16 * j.imported::integer) = ANY($2::smallint[])
GROUP BY coalesce(p.merged_into, p.id)
ORDER BY coalesce(p.merged_into, p.id)

-- name: strength_of_upload :many ipr_db_upload_strength
-- Of the persons with most games in an upload, or of one of them, over its games in each pool of
-- players; persons and pools with most games first. The player is any of the identities of a person; 0: all
-- persons. `sign` as above; `pools` has the pool of each class of time control.
-- param upload int64
-- param player int32
-- param limit int
-- param sign int
-- each const int pools
-- bind pools[] int[]
-- column person int32                   -- root
-- column name text
-- column played int64                   -- games in the upload
-- column pool int or -1
-- column here int64                     -- of these games, those in the pool, against others
-- column itself int64                   -- games of the person with itself, which count nowhere
-- column first_date, last_date text or NULL -- of these; NULL: none has a year
-- also ipr_db_strength as sums
--
-- Persons are those of the 200 player-years with most games.
WITH wanted AS (
    SELECT p.id
    FROM player AS w
    INNER JOIN player AS p ON coalesce(w.merged_into, w.id) IN (p.id, p.merged_into)
    WHERE w.id = $2
),

side AS (
    (
        SELECT t.player_id, t.games
        FROM upload AS u
        INNER JOIN upload_player AS t ON t.upload_id = u.id
        WHERE
            u.id = $1 AND u.count_after IS DISTINCT FROM '0'
            AND ($2 = 0 OR t.player_id IN (SELECT wanted.id FROM wanted))
        ORDER BY t.games DESC, t.player_id
        LIMIT 200
    )
    UNION ALL
    SELECT w.player_id, w.games
    FROM upload AS u
    CROSS JOIN LATERAL upload_sides(u.id) AS w
    WHERE
        u.id = $1 AND u.count_after = '0' AND u.state = 'stored'
        AND ($2 = 0 OR w.player_id IN (SELECT wanted.id FROM wanted))
),

person AS MATERIALIZED (
    SELECT coalesce(p.merged_into, p.id) AS id, sum(side.games) AS played
    FROM side INNER JOIN player AS p ON p.id = side.player_id
    WHERE p.id <> 0
    GROUP BY coalesce(p.merged_into, p.id)
    ORDER BY sum(side.games) DESC, coalesce(p.merged_into, p.id)
    LIMIT $3
),

member AS MATERIALIZED (
    SELECT person.id AS person, p.id
    FROM person INNER JOIN player AS p ON person.id IN (p.id, p.merged_into)
),

judged AS (
    SELECT m.person, g.id, g.year, g.date, g.time_class, 0 AS colour, g.white_elo AS elo,
        ($5::smallint[])[g.time_class + 1] AS pool
    FROM member AS m INNER JOIN game AS g ON g.white_id = m.id
    WHERE
        (g.upload_id = $1
        OR EXISTS (SELECT FROM upload_duplicate AS d WHERE (d.upload_id, d.game_id) = ($1, g.id)))
        AND NOT EXISTS (SELECT FROM member AS o WHERE (o.person, o.id) = (m.person, g.black_id))
    UNION ALL
    SELECT m.person, g.id, g.year, g.date, g.time_class, 1, g.black_elo, ($5::smallint[])[g.time_class + 1]
    FROM member AS m INNER JOIN game AS g ON g.black_id = m.id
    WHERE
        (g.upload_id = $1
        OR EXISTS (SELECT FROM upload_duplicate AS d WHERE (d.upload_id, d.game_id) = ($1, g.id)))
        AND NOT EXISTS (SELECT FROM member AS o WHERE (o.person, o.id) = (m.person, g.white_id))
)

SELECT
    person.id AS person,
    (SELECT p.name FROM player AS p WHERE p.id = person.id) AS name,
    person.played::bigint AS played,
    s.pool,
    count(s.id) AS here,
    (
        SELECT count(*)
        FROM member AS m
        INNER JOIN game AS g ON g.white_id = m.id
        INNER JOIN member AS o ON (o.person, o.id) = (m.person, g.black_id)
        WHERE
            m.person = person.id
            AND (
                g.upload_id = $1
                OR EXISTS (SELECT FROM upload_duplicate AS d WHERE (d.upload_id, d.game_id) = ($1, g.id))
            )
    ) AS itself,
    min(s.date) FILTER (WHERE s.year <> 0) AS first_date,
    max(s.date) FILTER (WHERE s.year <> 0) AS last_date,
    @columns_of_sides(s; j; q),
    0.0::double precision AS events
FROM person
LEFT JOIN judged AS s ON s.person = person.id
LEFT JOIN judged_side AS j
    ON
        j.game_id = s.id AND j.colour = s.colour
        AND j.strength_version * $4::smallint > 0
LEFT JOIN judge AS q ON q.id = j.judge_id
GROUP BY person.id, person.played, s.pool
ORDER BY person.played DESC, person.id, count(s.id) DESC, s.pool

-- part: columns_of_totals
u.person,
0 AS colour,
coalesce(sum(v.strength_score), 0)::bigint AS score,
coalesce(sum(v.strength_information), 0)::bigint AS information,
coalesce(sum(v.strength_moves), 0) AS moves,
coalesce(sum(v.games), 0) AS games,
0 AS tagged_moves,
0.0::double precision AS elo,
0.0::double precision AS year,
max(v.judge_id) AS judge_id,
0.0::double precision AS events,
coalesce(bit_or(1 << v.time_class % 16), 0) AS classes,
@columns_of_engines(v; v)

-- name: strength_of_years :many ipr_db_player_strength
-- For player-years, in the order given, without the Elo of their games; colour is 0.
-- each const struct ipr_db_player_year years
-- bind years[].player_id, years[].year int[]
-- param times times
SELECT
    @columns_of_totals()
FROM unnest($1::integer[], $2::integer[]) WITH ORDINALITY AS u (person, year, n)
LEFT JOIN LATERAL (
    SELECT y.*, q.equation, q.engine
    FROM player AS m
    INNER JOIN player_year AS y ON y.player_id = m.id
    INNER JOIN judge AS q ON q.id = y.judge_id
    WHERE
        (m.id = u.person OR m.merged_into = u.person) AND y.year = u.year
        AND y.strength_moves <> 0 AND y.time_class = ANY($3::smallint[])
) AS v ON true
GROUP BY u.n, u.person
ORDER BY u.n

-- name: strength_of_times :many ipr_db_time_strength
-- Of every person, year and class of time control, ascending in this order; `own`: without imported
-- evaluations.
-- param own bool
-- column person, year, time_class int32
-- column games, moves, score, information int64
-- column elo double or 0.0              -- mean in the tags of the stored games; 0 none
SELECT
    s.person, s.year, s.time_class, s.games, s.moves, s.score, s.information,
    e.elo_sum::double precision / nullif(e.elo_games, 0) AS elo
FROM (
    SELECT
        coalesce(p.merged_into, p.id) AS person,
        y.year::integer AS year,
        y.time_class % 16 AS time_class,
        sum(y.games)::bigint AS games,
        sum(y.strength_moves)::bigint AS moves,
        sum(y.strength_score)::bigint AS score,
        sum(y.strength_information)::bigint AS information
    FROM player_year AS y
    INNER JOIN player AS p ON p.id = y.player_id
    WHERE y.strength_information > 0 AND NOT ($1::boolean AND y.time_class >= 16)
    GROUP BY coalesce(p.merged_into, p.id), y.year, y.time_class % 16
) AS s
LEFT JOIN (
    SELECT
        coalesce(p.merged_into, p.id) AS person,
        g.year,
        g.time_class,
        sum(g.elo_sum) AS elo_sum,
        sum(g.elo_games) AS elo_games
    FROM player_games AS g
    INNER JOIN player AS p ON p.id = g.player_id
    WHERE g.elo_games > 0
    GROUP BY coalesce(p.merged_into, p.id), g.year, g.time_class
) AS e ON e.person = s.person AND e.year = s.year AND e.time_class = s.time_class
ORDER BY s.person, s.year, s.time_class

-- name: strength_of_game :many ipr_db_player_strength
-- Of its sides, White's first.
-- param game_id int64
SELECT
    0 AS person,
    j.colour,
    j.strength_score AS score,
    j.strength_information AS information,
    j.strength_moves AS moves,
    1 AS games,
    CASE WHEN e.elo IS NULL THEN 0 ELSE j.strength_moves END AS tagged_moves,
    coalesce(e.elo, 0)::double precision AS elo,
    g.year::double precision AS year,
    j.judge_id,
    1.0::double precision AS events,
    1 << g.time_class AS classes,
    @columns_of_engines(j; q)
FROM public.judged_side AS j -- its columns depend on its key, as those of a view do not
INNER JOIN judge AS q ON q.id = j.judge_id
INNER JOIN game AS g ON g.id = j.game_id
CROSS JOIN
    LATERAL (SELECT CASE j.colour WHEN 0 THEN g.white_elo ELSE g.black_elo END AS elo) AS e
WHERE j.game_id = $1 AND j.strength_version > 0
GROUP BY g.year, g.time_class, j.game_id, j.judge_id, j.colour, e.elo
ORDER BY j.colour

-- part: has_lines side
-- The sums of a side without lines cannot be computed again.
AND NOT EXISTS (
    SELECT
    FROM side_turns AS t
    WHERE
        t.game_id = @side.game_id AND t.judge_id = @side.judge_id AND t.colour = @side.colour
        AND t.second_cp IS NOT NULL
)

-- part: version_set side version
-- The version of new sums, which count or not as those before.
strength_version = CASE WHEN @side.strength_kept <> 0 THEN 0 ELSE @version END,
strength_kept = CASE WHEN @side.strength_kept <> 0 THEN @version ELSE 0 END

-- name: strength_set :exec inside
-- Of those colours of a game.
-- param game_id int64
-- param judge_id int32
-- param version int
-- each const int colours
-- bind colours[] int[]
-- arg const struct ipr_contribution *side
-- bind side[colours[]].strength_score, side[colours[]].strength_information int64[]
-- bind side[colours[]].strength_moves int[]
UPDATE judged_side AS s
SET
    @version_set(s; $3::smallint),
    strength_score = u.score,
    strength_information = u.information,
    strength_moves = u.moves
FROM unnest($4::smallint[], $5::bigint[], $6::bigint[], $7::smallint[])
    AS u (colour, score, information, moves)
WHERE
    s.game_id = $1 AND s.judge_id = $2 AND s.colour = u.colour
    @has_lines(s)

-- name: strength_set_by_file :exec inside
-- Of a side with evaluations in its file.
-- param game_id int64
-- param colour int
-- arg const struct ipr_side_sums *sums
-- bind sums->version int
-- bind sums->score, sums->information int64
-- bind sums->moves int
UPDATE judged_side SET
    strength_version = $3::smallint,
    strength_score = $4::bigint,
    strength_information = $5::bigint,
    strength_moves = $6::smallint
WHERE game_id = $1 AND colour = $2::smallint AND strength_version < 0

-- name: strength_replace :maybe inside
-- Of an imported side without lines. Returns the sums that counted before; the same if they do not.
-- param game_id int64
-- param judge_id int32
-- param colour int
-- param version int
-- arg const struct ipr_side_sums *sums
-- bind sums->score, sums->information int64
-- bind sums->moves int
-- column score, information int64
-- column moves int
UPDATE judged_side AS s
SET
    @version_set(before; $4::smallint),
    strength_score = $5::bigint,
    strength_information = $6::bigint,
    strength_moves = $7::smallint
FROM judged_side AS before
INNER JOIN side_turns AS t USING (game_id, judge_id, colour)
WHERE
    before.game_id = $1 AND before.judge_id = $2 AND before.colour = $3::smallint
    AND t.second_cp IS NOT NULL AND before.imported
    AND s.game_id = before.game_id AND s.judge_id = before.judge_id AND s.colour = before.colour
RETURNING
    CASE WHEN before.strength_kept <> 0 THEN s.strength_score ELSE before.strength_score END AS score,
    CASE WHEN before.strength_kept <> 0 THEN s.strength_information ELSE before.strength_information END
        AS information,
    CASE WHEN before.strength_kept <> 0 THEN s.strength_moves ELSE before.strength_moves END AS moves

-- name: strength_stale :maybe inside
-- The next game with a side whose sums are of another version; a side without lines keeps those
-- that it has.
-- param judge_id int32
-- param version int
-- param after int64
-- column game_id int64
SELECT s.game_id
FROM judged_side AS s
WHERE
    s.judge_id = $1 AND s.game_id > $3
    AND greatest(s.strength_version, s.strength_kept) <> $2::smallint
    @has_lines(s)
ORDER BY s.game_id
LIMIT 1

-- part: ranked
-- The sides of games by judges that rate: of each colour the first counts.
SELECT
    w.game_id,
    w.judge_id,
    w.colour,
    r.version,
    w.strength_kept = 0 AS counts,
    row_number() OVER (
        PARTITION BY w.game_id, w.colour ORDER BY r.version = 0, q.equation[1], w.judge_id
    ) = 1 AS first
FROM judged_side AS w
INNER JOIN judge AS q ON q.id = w.judge_id AND q.equation IS NOT NULL
CROSS JOIN LATERAL (
    SELECT greatest(w.strength_version, w.strength_kept, 0::smallint) AS version
) AS r
WHERE w.game_id = ANY($1::bigint[])

-- name: strength_contested :many inside
-- Games of which other sides count than should; ascending.
-- arg const int64_t *ids
-- arg size_t n_ids
-- bind ids[] int64[]
-- column id int64
SELECT DISTINCT r.game_id AS id
FROM (
    @ranked()
) AS r
WHERE r.first <> r.counts
ORDER BY r.game_id

-- name: strength_shared :many inside
-- The next games with sides by several judges that rate; ascending.
-- param after int64
-- param limit int
-- column id int64
SELECT j.game_id AS id
FROM judged_side AS j
INNER JOIN judge AS q ON q.id = j.judge_id AND q.equation IS NOT NULL
WHERE j.game_id > $1
GROUP BY j.game_id
HAVING min(j.judge_id) <> max(j.judge_id)
ORDER BY j.game_id
LIMIT $2

-- name: strength_elect :exec inside
-- Has those count that should.
-- arg const int64_t *ids
-- arg size_t n_ids
-- bind ids[] int64[]
UPDATE judged_side AS s
SET
    strength_version = CASE WHEN r.first THEN r.version ELSE 0 END,
    strength_kept = CASE WHEN r.first THEN 0 ELSE coalesce(nullif(r.version, 0), -1) END
FROM (
    @ranked()
) AS r
WHERE
    s.game_id = r.game_id AND s.judge_id = r.judge_id AND s.colour = r.colour
    AND r.first <> r.counts

-- name: strength_games_of_scope :many
-- Ids of the games with analysed moves of a scope that count, ascending.
-- param scope scope
-- param limit int
-- column id int64
WITH
@sides_of_person()

SELECT s.id
FROM side AS s
INNER JOIN judged_side AS j
    ON j.game_id = s.id AND j.colour = s.colour AND j.strength_version > 0
WHERE
    @in_scope()
    AND (s.time_class + 16 * j.imported::integer) = ANY($6::smallint[])
    AND j.strength_moves > 0
ORDER BY s.id
LIMIT $9
