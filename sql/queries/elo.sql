-- name: elo_people :many ipr_db_elo_identity
-- All identities of the next `limit` persons after one, by person, then id: the persons that a
-- rating list may contain.
-- param after int32
-- param limit int
-- column person, id int32
-- column fide_id int32                  -- 0 none
-- column name_key text
SELECT
    r.id AS person,
    m.id,
    coalesce(m.fide_id, 0) AS fide_id,
    m.name_key
FROM (
    SELECT id
    FROM player
    WHERE merged_into IS NULL AND id > $1 AND id <> 0
    ORDER BY id
    LIMIT $2
) AS r
INNER JOIN player AS m ON m.id = r.id OR m.merged_into = r.id
ORDER BY r.id, m.id

-- name: born_put :many
-- Replaces the years of birth of all persons, in the caller's transaction. Returns the persons whose year
-- changed.
-- each const struct ipr_db_born of
-- bind of[].person int32[]
-- bind of[].born int[]
-- column id int32
UPDATE public.player AS p
SET born = n.born
FROM (
    SELECT
        o.id,
        nullif(t.born, 0) AS born
    FROM public.player AS o
    LEFT JOIN (
        SELECT
            u.id,
            max(u.born) AS born
        FROM unnest($1::integer[], $2::integer[]) AS u (id, born)
        GROUP BY u.id
    ) AS t ON t.id = o.id
    WHERE o.born IS DISTINCT FROM nullif(t.born, 0)
) AS n
WHERE n.id = p.id
RETURNING p.id

-- name: elo_put :many
-- Replaces the stored histories, in the caller's transaction. Returns the identities whose history
-- changed. `source`: name of the file.
-- each const struct ipr_db_elo_history h
-- bind h[].player_id int32[]
-- bind h[].listed, h[].elo, h[].name text[]
-- bind h[].by_id ? "fide_id" : "name" text[]
-- param source text
-- column id int32
--
-- Histories of identities; returns those that are new or changed.
INSERT INTO elo_history AS h (player_id, listed, elo, name, matched_by, source)
SELECT
    p.id,
    u.listed::date[],
    u.elo::smallint[],
    u.name,
    u.matched_by,
    $6::text
FROM unnest($1::integer[], $2::text[], $3::text[], $4::text[], $5::text[])
    AS u (id, listed, elo, name, matched_by)
INNER JOIN player AS p ON p.id = u.id
ORDER BY p.id
ON CONFLICT (player_id) DO UPDATE
SET
    listed = excluded.listed,
    elo = excluded.elo,
    name = excluded.name,
    matched_by = excluded.matched_by,
    source = excluded.source
WHERE
    (h.listed, h.elo, h.name, h.matched_by, h.source)
    IS DISTINCT FROM
    (excluded.listed, excluded.elo, excluded.name, excluded.matched_by, excluded.source)
RETURNING player_id AS id

-- name: elo_keep_only :many
-- Deletes the histories of all other identities and returns their ids. In the caller's
-- transaction.
-- param ids int32[]
-- column id int32
DELETE FROM elo_history AS h
WHERE NOT EXISTS (SELECT FROM unnest($1::integer[]) AS k (id) WHERE k.id = h.player_id)
RETURNING player_id AS id

-- row: ipr_db_elo_at
-- A person and a month whose rating is looked up, and the answer: the rating on the latest list that
-- is not after the month and at most a year older, and that list.
-- column person int32                   -- root
-- column month char[11]                 -- "1972-07-01" (ipr_elo_month)
-- column elo int                        -- 0: there is none
-- column listed char[8]                 -- "1972-07"; "": there is none

-- name: elo_at_rows :many ipr_db_elo_at inside
-- each const struct ipr_db_elo_at questions
-- bind questions[].person int32[]
-- bind questions[].month text[]
--
-- For persons and months: the latest list that is not after the month and at most a year older; 0:
-- none.
SELECT
    q.person,
    to_char(q.month, 'YYYY-MM-DD') AS month,
    coalesce(h.elo, 0) AS elo,
    coalesce(to_char(h.listed, 'YYYY-MM'), '') AS listed
FROM unnest($1::integer[], $2::text[]::date[]) WITH ORDINALITY AS q (person, month, n)
LEFT JOIN LATERAL (
    SELECT
        e.elo[b.n] AS elo,
        e.listed[b.n] AS listed
    FROM player AS m
    INNER JOIN elo_history AS e ON e.player_id = m.id
    CROSS JOIN LATERAL (SELECT width_bucket(q.month, e.listed) AS n) AS b
    WHERE
        (m.id = q.person OR m.merged_into = q.person)
        AND b.n > 0
        AND e.listed[b.n] >= q.month - interval '1 year'
    ORDER BY e.listed[b.n] DESC, e.matched_by, e.player_id
    LIMIT 1
) AS h ON true
ORDER BY q.n

-- name: elo_history :many ipr_db_elo_listed
-- A person's ratings on the lists of some years, ascending; `to` 0: of all.
-- param person int32
-- param from, to int
-- column month text                     -- "1972-07": of the list
-- column elo int
-- column name text                      -- in the file
-- column matched_by, source text
--
-- One rating per list, if two identities of a person have one each.
SELECT DISTINCT ON (l.listed)
    to_char(l.listed, 'YYYY-MM') AS month,
    l.elo,
    e.name,
    e.matched_by,
    e.source
FROM player AS m
INNER JOIN elo_history AS e ON e.player_id = m.id
CROSS JOIN LATERAL unnest(e.listed, e.elo) AS l (listed, elo)
WHERE
    (m.id = $1 OR m.merged_into = $1)
    AND ($3::integer = 0 OR extract(year FROM l.listed) BETWEEN $2::integer AND $3)
ORDER BY l.listed, e.matched_by, e.player_id
