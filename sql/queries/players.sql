-- name: player_list
-- The page is cut before games are counted.
WITH page AS MATERIALIZED (
    SELECT
        p.id,
        p.name,
        coalesce(t.turns, 0) AS turns
    FROM player AS p
    LEFT JOIN player_total AS t ON t.player_id = p.id AND t.judge_id = $2
    WHERE
        (
            $1::text = ''
            OR NOT EXISTS (
                SELECT
                FROM unnest(string_to_array(translate($1, ',.-', '   '), ' ')) AS w (word)
                WHERE
                    w.word <> ''
                    AND position(' ' || w.word IN ' ' || translate(p.name_key, ',.-', '   ')) = 0
            )
        )
        AND (
            $3::bigint < 0
            OR coalesce(t.turns, 0) < $3
            OR (coalesce(t.turns, 0) = $3 AND p.id > $4)
        )
    ORDER BY coalesce(t.turns, 0) DESC, p.id
    LIMIT $5
)

SELECT page.id, page.name, page.turns, g.games, g.first_year, g.last_year
FROM page
CROSS JOIN LATERAL (
    SELECT
        count(*) AS games,
        coalesce(min(nullif(year, 0)), 0) AS first_year,
        coalesce(max(year), 0) AS last_year
    FROM game
    WHERE white_id = page.id OR black_id = page.id
) AS g
ORDER BY page.turns DESC, page.id

-- name: player_get
SELECT
    p.id,
    p.name,
    g.games,
    g.first_year,
    g.last_year,
    coalesce(t.turns, 0) AS turns
FROM player AS p
LEFT JOIN player_total AS t ON t.player_id = p.id AND t.judge_id = $2
CROSS JOIN LATERAL (
    SELECT
        count(*) AS games,
        coalesce(min(nullif(year, 0)), 0) AS first_year,
        coalesce(max(year), 0) AS last_year
    FROM game
    WHERE white_id = p.id OR black_id = p.id
) AS g
WHERE p.id = $1

-- name: player_years
SELECT
    $1::integer AS player_id,
    p.name,
    g.year,
    g.games,
    g.elo_mean,
    coalesce(y.games, 0) AS games_judged,
    coalesce(y.turns, 0) AS turns,
    coalesce(y.counted, 0) AS counted,
    coalesce(y.at_0, 0) AS at_0,
    coalesce(y.at_30, 0) AS at_30,
    coalesce(y.version, 0) AS version
FROM (
    SELECT
        s.year,
        count(*) AS games,
        coalesce(round(avg(s.elo)), 0)::integer AS elo_mean
    FROM (
        SELECT year, white_elo AS elo FROM game WHERE white_id = $1
        UNION ALL
        SELECT year, black_elo AS elo FROM game WHERE black_id = $1
    ) AS s
    WHERE s.year <> 0
    GROUP BY s.year
) AS g
INNER JOIN player AS p ON p.id = $1
LEFT JOIN player_year AS y ON y.player_id = $1 AND y.year = g.year AND y.judge_id = $2
ORDER BY g.year

-- name: player_years_top
WITH top AS MATERIALIZED (
    SELECT player_id, year, games, turns, counted, at_0, at_30, version
    FROM player_year
    WHERE judge_id = $1 AND turns >= $2
    ORDER BY turns DESC, player_id, year
    LIMIT $3
)

SELECT
    y.player_id,
    p.name,
    y.year,
    g.games,
    g.elo_mean,
    y.games AS games_judged,
    y.turns, y.counted, y.at_0, y.at_30, y.version
FROM top AS y
INNER JOIN player AS p ON p.id = y.player_id
CROSS JOIN LATERAL (
    SELECT
        count(*) AS games,
        coalesce(round(avg(s.elo)), 0)::integer AS elo_mean
    FROM (
        SELECT white_elo AS elo FROM game WHERE white_id = y.player_id AND year = y.year
        UNION ALL
        SELECT black_elo AS elo FROM game WHERE black_id = y.player_id AND year = y.year
    ) AS s
) AS g
ORDER BY y.turns DESC, y.player_id, y.year

-- name: player_games
SELECT
    g.id, g.white_id, g.black_id, g.date, g.round, g.result, g.white_elo, g.black_elo, g.plies,
    e.name AS event,
    w.name AS white,
    b.name AS black,
    EXISTS (
        SELECT
        FROM judged_side AS s
        WHERE
            s.game_id = g.id AND s.judge_id = $3
            AND s.colour = CASE WHEN g.white_id = $1 THEN 0 ELSE 1 END
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
INNER JOIN player AS w ON w.id = g.white_id
INNER JOIN player AS b ON b.id = g.black_id
WHERE (g.white_id = $1 OR g.black_id = $1) AND ($2::integer = 0 OR g.year = $2)
ORDER BY g.year DESC, g.date DESC, g.id DESC
LIMIT $4
