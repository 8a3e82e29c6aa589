-- A person is a root with what is merged into it; every query here takes a root.

-- name: player_list
-- Games are counted for the rows of the page alone: rows come in their order and the limit stops.
WITH pattern AS (
    SELECT
        array_agg(
            '% ' || replace(replace(replace(w.word, '\', '\\'), '%', '\%'), '_', '\_') || '%'
        ) AS words
    FROM unnest(string_to_array(translate(name_fold($1::text), ',.-', '   '), ' ')) AS w (word)
    WHERE w.word <> ''
),

hit AS MATERIALIZED (
    SELECT coalesce(m.merged_into, m.id) AS id
    FROM spelling AS s
    INNER JOIN player AS m ON m.id = s.player_id
    WHERE $1::text <> '' AND s.words LIKE ALL ((SELECT words FROM pattern)::text[])
),

total AS MATERIALIZED (
    SELECT
        coalesce(m.merged_into, m.id) AS id,
        sum(t.turns)::bigint AS turns
    FROM player_total AS t
    INNER JOIN player AS m ON m.id = t.player_id
    WHERE t.judge_id = $2
    GROUP BY 1
)

SELECT
    page.id, page.name, page.turns, g.games, g.first_year, g.last_year,
    page.fide_id
FROM (
    SELECT
        p.id,
        p.name,
        p.fide_id,
        coalesce(t.turns, 0) AS turns
    FROM player AS p
    LEFT JOIN total AS t ON t.id = p.id
    WHERE
        p.merged_into IS NULL
        AND p.id <> 0
        AND ($1::text = '' OR p.id IN (SELECT hit.id FROM hit))
        AND (
            $3::bigint < 0
            OR coalesce(t.turns, 0) < $3
            OR (coalesce(t.turns, 0) = $3 AND p.id > $4)
        )
    ORDER BY coalesce(t.turns, 0) DESC, p.id
) AS page
CROSS JOIN LATERAL (
    SELECT
        count(*) AS games,
        coalesce(min(nullif(g.year, 0)), 0) AS first_year,
        coalesce(max(g.year), 0) AS last_year
    FROM game AS g
    WHERE
        g.white_id = ANY(person_identities(page.id)) OR g.black_id = ANY(person_identities(page.id))
) AS g
WHERE g.games > 0
ORDER BY page.turns DESC, page.id
LIMIT $5

-- name: player_get
-- Of any identity, as its person.
SELECT
    p.id,
    p.name,
    p.fide_id,
    g.games,
    g.first_year,
    g.last_year,
    t.turns,
    ((p.epoch + coalesce(o.epoch, 0)) << 32) + t.version AS version
FROM player AS i
INNER JOIN player AS p ON p.id = coalesce(i.merged_into, i.id)
LEFT JOIN opponent_epoch AS o ON o.player_id = p.id
CROSS JOIN LATERAL (
    SELECT
        coalesce(sum(turns), 0)::bigint AS turns,
        coalesce(sum(version), 0)::bigint AS version
    FROM player_total
    WHERE
        judge_id = $2 AND player_id = ANY(person_identities($1))
        AND time_class = ANY($3::smallint[])
) AS t
CROSS JOIN LATERAL (
    SELECT
        count(*) AS games,
        coalesce(min(nullif(year, 0)), 0) AS first_year,
        coalesce(max(year), 0) AS last_year
    FROM game
    WHERE
        white_id = ANY(person_identities($1)) OR black_id = ANY(person_identities($1))
) AS g
WHERE i.id = $1 AND i.id <> 0

-- name: player_spellings
SELECT
    s.player_id,
    s.name
FROM player AS m
INNER JOIN spelling AS s ON s.player_id = m.id
WHERE m.id = $1 OR m.merged_into = $1
ORDER BY m.merged_into NULLS FIRST, m.id, s.key <> m.name_key, s.name

-- name: player_members
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

-- name: player_years
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
        count(*) FILTER (WHERE s.time_class = 0) AS class_0,
        count(*) FILTER (WHERE s.time_class = 1) AS class_1,
        count(*) FILTER (WHERE s.time_class = 2) AS class_2,
        count(*) FILTER (WHERE s.time_class = 3) AS class_3,
        count(*) FILTER (WHERE s.time_class = 4) AS class_4,
        count(*) FILTER (WHERE s.time_class = 5) AS class_5,
        coalesce(round(avg(s.elo) FILTER (WHERE s.time_class = ANY($3::smallint[]))), 0)::integer
            AS elo_mean
    FROM (
        SELECT g.year, g.time_class, g.white_elo AS elo
        FROM member INNER JOIN game AS g ON g.white_id = member.id
        UNION ALL
        SELECT g.year, g.time_class, g.black_elo AS elo
        FROM member INNER JOIN game AS g ON g.black_id = member.id
    ) AS s
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
    WHERE v.judge_id = $2 AND v.time_class = ANY($3::smallint[])
    GROUP BY v.year
) AS y ON y.year = g.year
ORDER BY g.year

-- name: player_years_top
WITH top AS MATERIALIZED (
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
    WHERE v.judge_id = $1 AND v.time_class = ANY($4::smallint[])
    GROUP BY 1, 2
    HAVING sum(v.turns) >= $2
    ORDER BY sum(v.turns) DESC, 1, 2
    LIMIT $3
)

SELECT
    y.player_id,
    p.name,
    y.year,
    g.*,
    y.games_judged, y.turns, y.counted, y.at_0, y.at_30,
    ((p.epoch + coalesce(o.epoch, 0)) << 32) + y.version AS version
FROM top AS y
INNER JOIN player AS p ON p.id = y.player_id
LEFT JOIN opponent_epoch AS o ON o.player_id = p.id
CROSS JOIN LATERAL (
    SELECT
        count(*) FILTER (WHERE s.time_class = 0) AS class_0,
        count(*) FILTER (WHERE s.time_class = 1) AS class_1,
        count(*) FILTER (WHERE s.time_class = 2) AS class_2,
        count(*) FILTER (WHERE s.time_class = 3) AS class_3,
        count(*) FILTER (WHERE s.time_class = 4) AS class_4,
        count(*) FILTER (WHERE s.time_class = 5) AS class_5,
        coalesce(round(avg(s.elo) FILTER (WHERE s.time_class = ANY($4::smallint[]))), 0)::integer
            AS elo_mean
    FROM player AS m
    CROSS JOIN LATERAL (
        SELECT time_class, white_elo AS elo FROM game WHERE white_id = m.id AND year = y.year
        UNION ALL
        SELECT time_class, black_elo AS elo FROM game WHERE black_id = m.id AND year = y.year
    ) AS s
    WHERE m.id = y.player_id OR m.merged_into = y.player_id
) AS g
ORDER BY y.turns DESC, y.player_id, y.year

-- name: player_games
SELECT
    g.id, g.date, g.round, g.result, g.white_elo, g.black_elo, g.plies, g.time_class,
    g.event_id,
    e.name AS event,
    w.id AS white_id,
    b.id AS black_id,
    w.name AS white,
    b.name AS black,
    EXISTS (
        SELECT
        FROM judged_side AS s
        WHERE
            s.game_id = g.id AND s.judge_id = $3
            AND s.colour = CASE WHEN w.id = $1 THEN 0 ELSE 1 END
    ) AS judged,
    coalesce((
        SELECT j.state
        FROM job AS j
        WHERE
            j.game_id = g.id
            AND ($3 = 0 OR j.judge = (SELECT name FROM judge WHERE id = $3))
        ORDER BY j.id
        LIMIT 1
    ), '') AS job
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
