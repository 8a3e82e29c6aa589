-- name: identities_find :many ipr_db_found_identity inside
-- each const struct ipr_identity *const who
-- bind who[]->fide_id int32[]
-- bind who[]->key, who[]->tagged text[]
-- column id, person int32
-- column spelled bool -- both keys are on record
-- column known text   -- the key of its name
--
-- FIDE ids first; identities that do not exist have id 0. A spelling is on record when it is the
-- identity's own or in table spelling. LIMIT ensures that each is looked up by its index: the
-- tables grow during an import, while their statistics still say that they are empty.
SELECT
    coalesce(p.id, 0) AS id,
    coalesce(p.merged_into, p.id, 0) AS person,
    coalesce(
        (
            u.key = p.name_key
            OR (SELECT true FROM spelling AS s WHERE s.player_id = p.id AND s.key = u.key LIMIT 1)
        )
        AND (
            u.tagged = u.key OR u.tagged = p.name_key
            OR (SELECT true FROM spelling AS s WHERE s.player_id = p.id AND s.key = u.tagged LIMIT 1)
        ),
        false
    ) AS spelled,
    coalesce(p.name_key, '') AS known
FROM unnest($1::integer[], $2::text[], $3::text[]) WITH ORDINALITY AS u (fide_id, key, tagged, n)
LEFT JOIN LATERAL (
    (
        SELECT f.id, f.merged_into, f.name_key
        FROM player AS f
        WHERE f.fide_id = nullif(u.fide_id, 0)
        LIMIT 1
    )
    UNION ALL
    (
        SELECT k.id, k.merged_into, k.name_key
        FROM player AS k
        WHERE u.fide_id = 0 AND k.fide_id IS NULL AND k.name_key = u.key
        LIMIT 1
    )
    LIMIT 1
) AS p ON true
ORDER BY u.n

-- name: identities_add :exec inside
-- each const struct ipr_identity *const who
-- bind who[]->fide_id int32[]
-- bind who[]->key, who[]->name text[]
--
-- Adds those that were not found, in one order, so that two imports wait for each other instead of
-- deadlocking.
INSERT INTO player (fide_id, name, name_key)
SELECT nullif(u.fide_id, 0), u.name, u.key
FROM (
    SELECT DISTINCT ON (a.fide_id, CASE WHEN a.fide_id = 0 THEN a.key ELSE '' END) a.*
    FROM unnest($1::integer[], $2::text[], $3::text[]) WITH ORDINALITY AS a (fide_id, key, name, n)
    ORDER BY a.fide_id, CASE WHEN a.fide_id = 0 THEN a.key ELSE '' END, a.n
) AS u
ORDER BY u.fide_id, u.key
ON CONFLICT DO NOTHING

-- name: spellings_add :later inside
-- each const struct ipr_db_new_spelling spellings
-- bind spellings[].player_id int32[]
-- bind spellings[].key, spellings[].name text[]
WITH fresh AS (
    INSERT INTO spelling (player_id, key, name)
    SELECT DISTINCT ON (u.player_id, u.key) u.player_id, u.key, u.name
    FROM unnest($1::integer[], $2::text[], $3::text[]) WITH ORDINALITY AS u (player_id, key, name, n)
    ORDER BY u.player_id, u.key, u.n
    ON CONFLICT DO NOTHING
    RETURNING player_id, key
)

INSERT INTO surname (block, player_id, sure)
SELECT s.block, f.player_id, bool_or(s.sure)
FROM fresh AS f
CROSS JOIN LATERAL name_surnames(f.key) AS s
GROUP BY s.block, f.player_id
ORDER BY s.block, f.player_id
ON CONFLICT (block, player_id) DO UPDATE
SET sure = true
WHERE excluded.sure AND NOT surname.sure
