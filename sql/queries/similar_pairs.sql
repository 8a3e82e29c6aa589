-- name: doubtful_candidates :many ipr_db_doubtful_candidate inside
-- param block text
-- param a, b int32
-- param limit int
-- column block text
-- column a, b int32
-- column a_person int32 as person[0]
-- column b_person int32 as person[1]
--
-- Pairs of identities of different persons that share what may be a surname, after a position in
-- their order; the caller compares the names. Identities with two different FIDE ids are two
-- persons; so are those declared distinct, or split.
WITH distinct_pair AS MATERIALIZED (
    SELECT
        coalesce(a.merged_into, a.id) AS a,
        coalesce(b.merged_into, b.id) AS b
    FROM identity_change AS c
    INNER JOIN player AS a ON a.id = c.player_id
    INNER JOIN player AS b ON b.id = c.other_id
    WHERE c.kind IN ('distinct', 'split') AND c.undone IS NULL
)

SELECT
    x.block,
    x.player_id AS a,
    y.player_id AS b,
    coalesce(p.merged_into, p.id) AS a_person,
    coalesce(q.merged_into, q.id) AS b_person
-- Continues where it stopped, also within a surname that thousands have.
FROM (
    SELECT block, player_id
    FROM surname
    WHERE sure AND (block, player_id) >= ($1::text, $2::integer)
    ORDER BY block, player_id
) AS x
CROSS JOIN LATERAL (
    SELECT s.player_id
    FROM surname AS s
    WHERE
        s.block = x.block
        AND s.player_id <> x.player_id
        AND (s.player_id > x.player_id OR NOT s.sure)
        AND (x.block <> $1 OR x.player_id <> $2 OR s.player_id > $3::integer)
    ORDER BY s.player_id
) AS y
INNER JOIN player AS p ON p.id = x.player_id
INNER JOIN player AS q ON q.id = y.player_id
WHERE
    coalesce(p.merged_into, p.id) <> coalesce(q.merged_into, q.id)
    AND (p.fide_id IS NULL OR q.fide_id IS NULL)
    AND NOT EXISTS (
        SELECT
        FROM distinct_pair
        WHERE
            (distinct_pair.a, distinct_pair.b) IN (
                (coalesce(p.merged_into, p.id), coalesce(q.merged_into, q.id)),
                (coalesce(q.merged_into, q.id), coalesce(p.merged_into, p.id))
            )
    )
    -- They were already found under a smaller surname.
    AND NOT EXISTS (
        SELECT
        FROM surname AS u
        INNER JOIN surname AS v ON v.block = u.block AND v.player_id = y.player_id
        WHERE u.player_id = x.player_id AND u.block < x.block AND (u.sure OR v.sure)
    )
ORDER BY x.block, x.player_id, y.player_id
LIMIT $4

-- name: identity_keys :many ipr_db_identity_key inside
-- param ids int32[]
-- column player_id int32
-- column key, name text
--
-- All spellings of some identities.
SELECT player_id, key, name
FROM spelling
WHERE player_id = ANY($1::integer[])
ORDER BY player_id, key

-- name: pair_evidence :one ipr_db_evidence
-- The evidence for or against one person.
-- param a, b int32
-- column met bool                       -- they have played each other
-- column two_fide_ids bool              -- each has one
-- column opponents int32                -- in common
--
-- For a pair of persons: whether they played each other, whether each has a FIDE id, and how many
-- opponents they share.
SELECT
    EXISTS (
        SELECT
        FROM player AS m
        INNER JOIN game AS g ON g.white_id = m.id
        INNER JOIN player AS o ON o.id = g.black_id
        WHERE
            (m.id = pair.a OR m.merged_into = pair.a)
            AND (o.id = pair.b OR o.merged_into = pair.b)
    )
    OR EXISTS (
        SELECT
        FROM player AS m
        INNER JOIN game AS g ON g.black_id = m.id
        INNER JOIN player AS o ON o.id = g.white_id
        WHERE
            (m.id = pair.a OR m.merged_into = pair.a)
            AND (o.id = pair.b OR o.merged_into = pair.b)
    ) AS met,
    EXISTS (
        SELECT FROM player WHERE (id = pair.a OR merged_into = pair.a) AND fide_id IS NOT NULL
    )
    AND EXISTS (
        SELECT FROM player WHERE (id = pair.b OR merged_into = pair.b) AND fide_id IS NOT NULL
    ) AS two_fide_ids,
    (
        SELECT count(*)
        FROM (
            SELECT person_id FROM person_opponents(pair.a)
            INTERSECT
            SELECT person_id FROM person_opponents(pair.b)
        ) AS shared
    ) AS opponents
FROM (VALUES ($1::integer, $2::integer)) AS pair (a, b)

-- name: opponents_among :many
-- Which of some persons one of them has played.
-- param person int32
-- param persons int32[]
-- column id int32
SELECT o.person_id AS id
FROM person_opponents($1) AS o
WHERE o.person_id = ANY($2::integer[])

-- row: ipr_db_suspect
-- The facts shown for a decision about a person.
-- column id int32                       -- of the root
-- column name text
-- column fide_id int32 or 0             -- 0 none
-- column games int32
-- column first_year, last_year int32    -- 0 unknown
-- column elo_low, elo_high int32        -- in the tags; 0 none

-- name: person_facts :many ipr_db_suspect inside
-- param ids int32[]
SELECT
    p.id, p.name, p.fide_id, g.games, g.first_year, g.last_year, g.elo_low, g.elo_high
FROM unnest($1::integer[]) WITH ORDINALITY AS u (id, n)
INNER JOIN player AS p ON p.id = u.id
CROSS JOIN LATERAL (
    SELECT
        count(*) AS games,
        coalesce(min(nullif(s.year, 0)), 0) AS first_year,
        coalesce(max(s.year), 0) AS last_year,
        coalesce(min(s.elo), 0) AS elo_low,
        coalesce(max(s.elo), 0) AS elo_high
    FROM player AS m
    CROSS JOIN LATERAL (
        SELECT year, white_elo AS elo FROM game WHERE white_id = m.id
        UNION ALL
        SELECT year, black_elo AS elo FROM game WHERE black_id = m.id
    ) AS s
    WHERE m.id = p.id OR m.merged_into = p.id
) AS g
ORDER BY u.n
