-- name: named_persons :many ipr_db_named_person inside
-- param after int32
-- param limit int
-- column id int32
-- column key text
-- column fide_id int32 or 0
-- column games int64
-- column first_year, last_year int      -- of the dated games; 0 none
-- column elo int                        -- mean of the tags; 0 none
--
-- Persons by ascending id, with data from all their identities.
SELECT
    p.id,
    p.name_key AS key,
    g.fide_id,
    coalesce(g.games, 0) AS games,
    coalesce(g.first_year, 0) AS first_year,
    coalesce(g.last_year, 0) AS last_year,
    coalesce(g.elo, 0) AS elo
FROM (
    SELECT id, name_key
    FROM player
    WHERE id > $1 AND id <> 0 AND merged_into IS NULL
    ORDER BY id
    LIMIT $2
) AS p
CROSS JOIN LATERAL (
    SELECT
        max(m.fide_id) AS fide_id,
        sum(y.games) AS games,
        min(nullif(y.year, 0)) AS first_year,
        max(y.year) AS last_year,
        (sum(y.elo_sum) / nullif(sum(y.elo_games), 0))::integer AS elo
    FROM player AS m
    INNER JOIN player_games AS y ON y.player_id = m.id
    WHERE (m.id = p.id OR m.merged_into = p.id) AND y.games > 0
) AS g
ORDER BY p.id
