-- A person is a root identity with all that are merged into it; every query here takes the id of a
-- root.

-- row: ipr_db_player
-- A person: an identity (db/identities.h) with all that are merged into it.
-- column id int32                       -- of the root
-- column name text
-- column fide_id int32 or 0             -- of the root; 0 none
-- column games int32                    -- all stored games, of any class
-- column first_year, last_year int32    -- 0 unknown
-- column turns int64                    -- judged by the judge
-- column version int64                  -- as of a player-year, of the career; 0 in lists

-- part: near_words
-- A tsquery: words as of name_query, or with one letter wrong, missing, superfluous or in its
-- neighbour's place, or as $6 has them in other languages. Short words and long searches are taken as
-- they are.
SELECT string_agg('(' || one.words || ')', ' & ')::tsquery
FROM (
    SELECT string_agg(DISTINCT near.words, ' | ') AS words
    FROM (
        SELECT
            w.word,
            w.n,
            length(w.word) BETWEEN 4 AND 20 AND count(*) OVER () <= 4 AS loose
        FROM unnest(string_to_array(translate(left(name_fold($1::text), 500), ',.-', '   '), ' '))
        WITH ORDINALITY AS w (word, n)
        WHERE w.word <> ''
    ) AS asked
    CROSS JOIN LATERAL (
        SELECT name_query(asked.word)::text AS words
        UNION ALL
        SELECT '''' || replace(replace(v.word, '\', '\\'), '''', '''''') || ''':*'
        FROM generate_series(1, length(asked.word) + 1) AS i (at)
        CROSS JOIN LATERAL (
            SELECT overlay(asked.word PLACING '' FROM i.at FOR 1)
            UNION ALL
            SELECT overlay(asked.word PLACING reverse(substr(asked.word, i.at, 2)) FROM i.at FOR 2)
            UNION ALL
            SELECT overlay(asked.word PLACING chr(letter) FROM i.at FOR length)
            FROM generate_series(97, 122) AS letter, generate_series(0, 1) AS length
        ) AS v (word)
        WHERE asked.loose
        UNION ALL
        SELECT '''' || replace(replace(v.word, '\', '\\'), '''', '''''') || ''':*'
        FROM unnest(string_to_array($6::text, ' ')) AS e (entry)
        CROSS JOIN LATERAL unnest((string_to_array(e.entry, '>'))[2:]) AS v (word)
        WHERE asked.loose AND split_part(e.entry, '>', 1) = asked.word
    ) AS near
    GROUP BY asked.n
) AS one

-- name: player_list :many ipr_db_player
-- Players one of whose spellings matches every word of `search_key` (by prefix of a word, accents
-- and case do not matter; NULL or "": all), ordered by judged turns of any class descending, id
-- ascending; those without games are left out. `near`: NULL; or also with one letter of a word wrong,
-- or a word in one of these ways (core/transliteration.h).
-- `after_turns` and `after_id` are the cursor (the last row seen), -1 and 0 at the start.
-- param search_key text or ""
-- param judge_id int32
-- param after_turns int64
-- param after_id int32
-- param limit int
-- param near text
--
-- Persons are read in the order of an index; those with several identities, who are few, are read
-- separately. A search that matches few persons starts from these; another one reads the persons in
-- order and soon has a full page. Subqueries of one row are used instead of joins, so that they are
-- looked up by their index for the rows of the page only, whatever the statistics say.
WITH asked AS MATERIALIZED (
    SELECT
        CASE
            WHEN $6::text IS NOT NULL THEN (
                @near_words()
            )
            ELSE name_query(name_fold($1::text))
        END AS words
),

member AS MATERIALIZED (
    SELECT
        id,
        merged_into AS person
    FROM player
    WHERE merged_into IS NOT NULL
),

hit AS MATERIALIZED (
    SELECT player_id
    FROM spelling
    WHERE words @@ (SELECT words FROM asked)
    LIMIT 1000
),

few AS MATERIALIZED (
    SELECT $1 <> '' AND count(*) < 1000 AS few FROM hit
),

found AS (
    SELECT
        h.id,
        coalesce((
            SELECT t.turns FROM player_turns AS t
            WHERE t.judge_id = (SELECT listed_judge($2)) AND t.player_id = h.id
        ), 0) + coalesce((
            SELECT sum(t.turns)::bigint
            FROM member
            INNER JOIN player_turns AS t
                ON t.judge_id = (SELECT listed_judge($2)) AND t.player_id = member.id
            WHERE member.person = h.id
        ), 0) AS turns
    FROM (
        SELECT DISTINCT
            (SELECT coalesce(p.merged_into, p.id) FROM player AS p WHERE p.id = hit.player_id) AS id
        FROM hit
        WHERE (SELECT few FROM few)
    ) AS h
),

several AS (
    SELECT
        i.person AS id,
        coalesce(sum(t.turns), 0)::bigint AS turns
    FROM (
        SELECT id, person FROM member
        UNION
        SELECT person, person FROM member
    ) AS i
    LEFT JOIN player_turns AS t
        ON t.judge_id = (SELECT listed_judge($2)) AND t.player_id = i.id
    WHERE NOT (SELECT few FROM few)
    GROUP BY i.person
    HAVING
        $1 = '' OR bool_or((
            SELECT true
            FROM spelling AS s
            WHERE s.player_id = i.id AND s.words @@ (SELECT words FROM asked)
            LIMIT 1
        ))
),

ranked AS (
    SELECT
        t.player_id AS id,
        t.turns
    FROM player_turns AS t
    WHERE
        NOT (SELECT few FROM few)
        AND t.judge_id = (SELECT listed_judge($2)) AND t.turns > 0
        AND t.turns <= CASE WHEN $3::bigint < 0 THEN 9223372036854775807 ELSE $3 END
        AND (t.turns <> $3 OR t.player_id > $4)
        AND t.player_id NOT IN (SELECT member.id FROM member)
        AND t.player_id NOT IN (SELECT member.person FROM member)
        AND ($1 = '' OR (
            SELECT true
            FROM spelling AS s
            WHERE s.player_id = t.player_id AND s.words @@ (SELECT words FROM asked)
            LIMIT 1
        ))
    ORDER BY t.turns DESC, t.player_id
    LIMIT $5
),

judged AS MATERIALIZED (
    SELECT id, turns FROM found
    UNION ALL
    SELECT id, turns FROM several
    UNION ALL
    SELECT id, turns FROM ranked
),

page AS (
    SELECT id, turns
    FROM judged
    WHERE $3 < 0 OR turns < $3 OR (turns = $3 AND id > $4)
    UNION ALL
    (
        SELECT
            p.id,
            0
        FROM player AS p
        WHERE
            NOT (SELECT few FROM few) AND (SELECT count(*) FROM ranked) < $5
            AND p.id > CASE $3 WHEN 0 THEN $4 ELSE 0 END
            AND p.merged_into IS NULL
            AND p.id NOT IN (SELECT member.person FROM member)
            AND coalesce((
                SELECT t.turns FROM player_turns AS t
                WHERE t.judge_id = (SELECT listed_judge($2)) AND t.player_id = p.id
            ), 0) = 0
            AND (
                SELECT true FROM player_games AS y WHERE y.player_id = p.id AND y.games > 0 LIMIT 1
            )
            AND ($1 = '' OR (
                SELECT true
                FROM spelling AS s
                WHERE s.player_id = p.id AND s.words @@ (SELECT words FROM asked)
                LIMIT 1
            ))
        ORDER BY p.id
        LIMIT $5
    )
)

SELECT
    page.id, p.name, page.turns, g.games, g.first_year, g.last_year, p.fide_id,
    0 AS version
FROM (SELECT id, turns FROM page ORDER BY turns DESC, id) AS page
INNER JOIN player AS p ON p.id = page.id
CROSS JOIN LATERAL person_games(page.id) AS g
WHERE g.games > 0
ORDER BY page.turns DESC, page.id
LIMIT $5

-- name: spellings_beginning :many ipr_db_beginning
-- Spellings that have a word of one of these beginnings (a tsquery).
-- param beginnings text
-- param limit int
-- column player_id int32                -- the person
-- column key text
SELECT
    coalesce(p.merged_into, p.id) AS player_id,
    s.key
FROM spelling AS s
INNER JOIN player AS p ON p.id = s.player_id
WHERE s.words @@ $1::text::tsquery AND p.id <> 0
LIMIT $2

-- part: columns_of_person
p.id,
p.name,
p.fide_id,
g.games,
g.first_year,
g.last_year

-- name: players_of :many ipr_db_player
-- These persons, those without games left out.
-- param ids int32[]
-- param judge_id int32
SELECT
    coalesce((
        SELECT sum(t.turns)::bigint
        FROM player AS m
        INNER JOIN player_turns AS t
            ON t.judge_id = (SELECT listed_judge($2)) AND t.player_id = m.id
        WHERE m.id = p.id OR m.merged_into = p.id
    ), 0) AS turns,
    0 AS version,
    @columns_of_person()
FROM player AS p
CROSS JOIN LATERAL person_games(p.id) AS g
WHERE p.id = ANY($1::integer[]) AND g.games > 0
ORDER BY p.id

-- name: player_get :one ipr_db_player
-- The person of any identity; IPR_ENOTFOUND also for the unknown player (0).
-- param id, judge_id int32
-- param times times
-- missing no such player
SELECT
    t.turns,
    ((p.epoch + coalesce(o.epoch, 0)) << 32) + t.version AS version,
    @columns_of_person()
FROM player AS i
INNER JOIN player AS p ON p.id = coalesce(i.merged_into, i.id)
LEFT JOIN opponent_epoch AS o ON o.player_id = p.id
CROSS JOIN LATERAL (
    SELECT
        coalesce(sum(turns), 0)::bigint AS turns,
        coalesce(sum(version), 0)::bigint AS version
    FROM player_total
    WHERE
        judge_id = ANY(ARRAY(SELECT unnest(judges_with($2))))
        AND player_id = ANY(person_identities($1))
        AND time_class = ANY($3::smallint[])
) AS t
CROSS JOIN LATERAL person_games(p.id) AS g
WHERE i.id = $1 AND i.id <> 0

-- name: person_of_keys :maybe
-- The person with a spelling of one of these keys; of several the one with most moves analysed by
-- the judge.
-- param keys text[]
-- param judge_id int32
-- column id int32
SELECT r.id
FROM (
    SELECT DISTINCT coalesce(p.merged_into, p.id) AS id
    FROM unnest($1::text[]) AS u (key)
    INNER JOIN spelling AS s ON s.words @@ name_query(name_fold(u.key)) AND s.key = u.key
    INNER JOIN player AS p ON p.id = s.player_id
    WHERE p.id <> 0
) AS r
ORDER BY
    (
        SELECT coalesce(sum(t.turns), 0)
        FROM player AS m
        INNER JOIN player_turns AS t
            ON t.player_id = m.id AND t.judge_id = (SELECT listed_judge($2))
        WHERE m.id = r.id OR m.merged_into = r.id
    ) DESC,
    r.id
LIMIT 1

-- name: player_spellings :many ipr_db_spelling
-- Spellings of a person, those of the root first.
-- param person int32
-- column player_id int32                -- the identity it was found for
-- column name text
SELECT
    s.player_id,
    s.name
FROM player AS m
INNER JOIN spelling AS s ON s.player_id = m.id
WHERE m.id = $1 OR m.merged_into = $1
ORDER BY m.merged_into NULLS FIRST, m.id, s.key <> m.name_key, s.name

-- name: player_members :many ipr_db_member
-- Identities merged into a root, ascending id; not the root itself.
-- param person int32
-- column id int32
-- column name text
-- column fide_id int32 or 0             -- 0 none
-- column change_id int64                -- the merge that brought it
SELECT
    m.id,
    m.name,
    m.fide_id,
    c.id AS change_id
FROM player AS m
CROSS JOIN LATERAL (
    SELECT max(c.id) AS id
    FROM identity_change AS c
    WHERE c.undone IS NULL AND c.kind = 'merge' AND c.other_id = $1 AND m.id = ANY(c.moved)
) AS c
WHERE m.merged_into = $1
ORDER BY m.id

-- row: ipr_db_player_year
-- By the judge: with those that rate as it does (judges_with).
-- column player_id int32
-- column name text
-- column year int                       -- 0 unknown
-- column games int32                    -- stored, of the classes of `times`
-- column class_0..10 int32 as in_class   -- stored games of each class
-- column games_judged int32             -- by the judge
-- column turns int32                    -- judged
-- column counted, at_0, at_30 int32
-- column version int64                  -- grows with every change of the data that figures use: evaluations, identities, rating lists; 0 when nothing is judged and nothing was merged
-- column elo_mean int32                 -- over the tagged games; 0 if they are fewer than half

-- part: games_by_class times
-- Of rows s of player_games: games of these classes, of each class, mean Elo.
coalesce(sum(s.games) FILTER (WHERE s.time_class = ANY(@times)), 0) AS games,
coalesce(sum(s.games) FILTER (WHERE s.time_class = 0), 0) AS class_0,
coalesce(sum(s.games) FILTER (WHERE s.time_class = 1), 0) AS class_1,
coalesce(sum(s.games) FILTER (WHERE s.time_class = 2), 0) AS class_2,
coalesce(sum(s.games) FILTER (WHERE s.time_class = 3), 0) AS class_3,
coalesce(sum(s.games) FILTER (WHERE s.time_class = 4), 0) AS class_4,
coalesce(sum(s.games) FILTER (WHERE s.time_class = 5), 0) AS class_5,
coalesce(sum(s.games) FILTER (WHERE s.time_class = 6), 0) AS class_6,
coalesce(sum(s.games) FILTER (WHERE s.time_class = 7), 0) AS class_7,
coalesce(sum(s.games) FILTER (WHERE s.time_class = 8), 0) AS class_8,
coalesce(sum(s.games) FILTER (WHERE s.time_class = 9), 0) AS class_9,
coalesce(sum(s.games) FILTER (WHERE s.time_class = 10), 0) AS class_10,
coalesce(CASE
    WHEN
        2 * sum(s.elo_games) FILTER (WHERE s.time_class = ANY(@times))
        >= sum(s.games) FILTER (WHERE s.time_class = ANY(@times))
        THEN round(
            sum(s.elo_sum) FILTER (WHERE s.time_class = ANY(@times))
            / nullif(sum(s.elo_games) FILTER (WHERE s.time_class = ANY(@times)), 0)
        )
END, 0)::integer AS elo_mean

-- part: columns_of_player_year
-- What ipr_db_player_year has, of rows y that parts_of_player_year joins.
y.player_id,
p.name,
y.year,
g.*,
y.games_judged, y.turns, y.counted, y.at_0, y.at_30,
((p.epoch + coalesce(o.epoch, 0)) << 32) + y.version AS version

-- part: parts_of_player_year times
INNER JOIN player AS p ON p.id = y.player_id
LEFT JOIN opponent_epoch AS o ON o.player_id = y.player_id
CROSS JOIN LATERAL (
    SELECT
        @games_by_class(@times)
    FROM player AS m
    INNER JOIN player_games AS s ON s.player_id = m.id AND s.year = y.year
    WHERE m.id = y.player_id OR m.merged_into = y.player_id
) AS g

-- name: player_years :many ipr_db_player_year
-- Years of one player, ascending, those without judged turns and without games of these classes
-- too; games of unknown year are in a row of year 0. games_judged counts judged sides.
-- param person, judge_id int32
-- param times times
WITH member AS MATERIALIZED (
    SELECT id FROM player WHERE id = $1 OR merged_into = $1
)

SELECT
    $1::integer AS player_id,
    p.name,
    g.*,
    coalesce(y.games, 0) AS games_judged,
    coalesce(y.turns, 0) AS turns,
    coalesce(y.counted, 0) AS counted,
    coalesce(y.at_0, 0) AS at_0,
    coalesce(y.at_30, 0) AS at_30,
    ((p.epoch + coalesce(o.epoch, 0)) << 32) + coalesce(y.version, 0) AS version
FROM (
    SELECT
        s.year,
        @games_by_class($3::smallint[])
    FROM member
    INNER JOIN player_games AS s ON s.player_id = member.id
    WHERE s.games > 0
    GROUP BY s.year
) AS g
INNER JOIN player AS p ON p.id = $1
LEFT JOIN opponent_epoch AS o ON o.player_id = p.id
LEFT JOIN (
    SELECT
        v.year,
        sum(v.games) AS games,
        sum(v.turns) AS turns,
        sum(v.counted) AS counted,
        sum(v.at_0) AS at_0,
        sum(v.at_30) AS at_30,
        sum(v.version)::bigint AS version
    FROM member
    INNER JOIN player_year AS v ON v.player_id = member.id
    WHERE
        v.judge_id = ANY(ARRAY(SELECT unnest(judges_with($2))))
        AND v.time_class = ANY($3::smallint[])
    GROUP BY v.year
) AS y ON y.year = g.year
ORDER BY g.year

-- row: ipr_db_year_counts
-- What a judge has analysed of a year of one player, as in ipr_db_player_year.
-- column year, games_judged, turns, counted int32

-- name: player_year_counts :many ipr_db_year_counts
-- Of the years with judged sides of these classes; ascending.
-- param person, judge_id int32
-- param times times
SELECT
    v.year,
    sum(v.games) AS games_judged,
    sum(v.turns) AS turns,
    sum(v.counted) AS counted
FROM player AS m
INNER JOIN player_year AS v ON v.player_id = m.id
WHERE
    (m.id = $1 OR m.merged_into = $1) AND v.judge_id = ANY(ARRAY(SELECT unnest(judges_with($2))))
    AND v.time_class = ANY($3::smallint[])
GROUP BY v.year
ORDER BY v.year

-- name: player_years_top :many ipr_db_player_year
-- Player-years with most judged turns of all players, at least min_turns.
-- param judge_id int32
-- param times times
-- param min_turns, limit int
-- Reads the years with most turns of each judge and class, and all years of persons with several identities:
-- any other year has at most as many turns as the last ones read of all of these together. Only if
-- that bound does not suffice are all years read.
WITH judge_with AS MATERIALIZED (
    SELECT judges_with($1) AS judges
),

class AS MATERIALIZED (
    SELECT
        l.player_id,
        l.year,
        l.turns,
        row_number() OVER (PARTITION BY c.class, j.id ORDER BY l.turns) AS from_last,
        count(*) OVER (PARTITION BY c.class, j.id) AS n
    FROM unnest($2::smallint[]) AS c (class)
    CROSS JOIN unnest((SELECT judges FROM judge_with)) AS j (id)
    CROSS JOIN LATERAL (
        SELECT v.player_id, v.year, v.turns
        FROM player_year AS v
        WHERE v.judge_id = j.id AND v.time_class = c.class
        ORDER BY v.turns DESC
        LIMIT 4 * $4
    ) AS l
),

rest AS MATERIALIZED (
    SELECT coalesce(sum(turns), 0) AS turns
    FROM class
    WHERE from_last = 1 AND n = 4 * $4
),

several AS MATERIALIZED (
    SELECT
        id,
        merged_into AS person
    FROM player
    WHERE merged_into IS NOT NULL
    UNION
    SELECT
        merged_into,
        merged_into
    FROM player
    WHERE merged_into IS NOT NULL
),

first AS MATERIALIZED (
    SELECT *
    FROM (
        SELECT
            c.player_id,
            c.year,
            v.*
        FROM (
            SELECT DISTINCT class.player_id, class.year
            FROM class
            WHERE class.player_id NOT IN (SELECT several.id FROM several)
        ) AS c
        CROSS JOIN LATERAL (
            SELECT
                sum(games) AS games_judged,
                sum(turns) AS turns,
                sum(counted) AS counted,
                sum(at_0) AS at_0,
                sum(at_30) AS at_30,
                sum(version)::bigint AS version
            FROM player_year
            WHERE
                player_id = c.player_id AND year = c.year
                AND judge_id = ANY((SELECT judges FROM judge_with)::smallint[])
                AND time_class = ANY($2)
        ) AS v
        UNION ALL
        SELECT
            s.person,
            v.year,
            sum(v.games),
            sum(v.turns),
            sum(v.counted),
            sum(v.at_0),
            sum(v.at_30),
            sum(v.version)::bigint
        FROM several AS s
        CROSS JOIN LATERAL (
            SELECT *
            FROM player_year
            WHERE
                player_id = s.id AND time_class = ANY($2)
                AND judge_id = ANY((SELECT judges FROM judge_with)::smallint[])
            OFFSET 0
        ) AS v
        GROUP BY s.person, v.year
    ) AS y
    WHERE y.turns >= $3
    ORDER BY y.turns DESC, y.player_id, y.year
    LIMIT $4
),

enough AS MATERIALIZED (
    SELECT
        rest.turns < greatest($3, 1)
        OR (SELECT count(*) FROM first WHERE first.turns > rest.turns) = $4 AS enough
    FROM rest
),

top AS MATERIALIZED (
    SELECT * FROM first WHERE (SELECT enough FROM enough)
    UNION ALL
    (
        SELECT
            coalesce(m.merged_into, m.id) AS player_id,
            v.year,
            sum(v.games) AS games_judged,
            sum(v.turns) AS turns,
            sum(v.counted) AS counted,
            sum(v.at_0) AS at_0,
            sum(v.at_30) AS at_30,
            sum(v.version)::bigint AS version
        FROM player_year AS v
        INNER JOIN player AS m ON m.id = v.player_id
        WHERE
            NOT (SELECT enough FROM enough)
            AND v.judge_id = ANY((SELECT judges FROM judge_with)::smallint[])
            AND v.time_class = ANY($2)
        GROUP BY 1, 2
        HAVING sum(v.turns) >= $3
        ORDER BY sum(v.turns) DESC, 1, 2
        LIMIT $4
    )
)

SELECT
    @columns_of_player_year()
FROM top AS y
@parts_of_player_year($2::smallint[])
ORDER BY y.turns DESC, y.player_id, y.year

-- name: player_games :many ipr_db_player_game
-- Games of a player (of one year, or all when 0) of any class, newest first, for pages. White and
-- Black are persons.
-- param player_id int32
-- param year int
-- param judge_id int32
-- param limit int
-- column id int64
-- column white_id, black_id int32
-- column event_id int32                 -- 0 none
-- column white, black, event, date, round text
-- column result int                     -- enum ipr_result
-- column white_elo, black_elo int or 0
-- column plies int
-- column moves_stored bool
-- column time_class enum ipr_time_class 0..IPR_TIME_CLASSES - 1
-- column judged bool                    -- the player's side, by the judge
-- column as_figures int64               -- of all these games, those whose moves are not stored
SELECT
    g.id, g.date, g.round, g.result, g.white_elo, g.black_elo, g.plies,
    octet_length(g.moves) = 2 * g.plies AS moves_stored,
    g.time_class, g.event_id,
    count(*) FILTER (WHERE octet_length(g.moves) < 2 * g.plies) OVER () AS as_figures,
    e.name AS event,
    w.id AS white_id,
    b.id AS black_id,
    w.name AS white,
    b.name AS black,
    EXISTS (
        SELECT
        FROM judged_side AS s
        WHERE
            s.game_id = g.id AND s.judge_id = ANY(ARRAY(SELECT unnest(judges_with($3))))
            AND s.colour = CASE WHEN w.id = $1 THEN 0 ELSE 1 END
    ) AS judged
FROM game AS g
INNER JOIN event AS e ON e.id = g.event_id
INNER JOIN player AS wi ON wi.id = g.white_id
INNER JOIN player AS bi ON bi.id = g.black_id
INNER JOIN player AS w ON w.id = coalesce(wi.merged_into, wi.id)
INNER JOIN player AS b ON b.id = coalesce(bi.merged_into, bi.id)
WHERE
    (g.white_id = ANY(person_identities($1)) OR g.black_id = ANY(person_identities($1)))
    AND ($2::integer = 0 OR g.year = $2)
ORDER BY g.year DESC, g.date DESC, g.id DESC
LIMIT $4
