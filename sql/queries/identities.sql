-- name: identities_find
-- FIDE ids first; what is not there has id 0. A spelling is on record when it is the identity's
-- own or in table spelling. Each is looked up by its index, as LIMIT makes sure: an import asks
-- while the tables grow and statistics still call them empty.
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
    ) AS spelled
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

-- name: identities_add
-- Those that were not found, in one order, so that two imports wait for each other instead of
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

-- name: spellings_add
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

-- name: person_lock
-- Both persons of a change, in one order; whoever changes them too waits here.
SELECT id, name, merged_into, fide_id
FROM player
WHERE id = ANY($1::integer[]) AND id <> 0
ORDER BY id
FOR NO KEY UPDATE

-- name: distinct_between
-- The declaration that two persons are two, if there is one.
SELECT c.id
FROM identity_change AS c
INNER JOIN player AS a ON a.id = c.player_id
INNER JOIN player AS b ON b.id = c.other_id
WHERE
    c.kind = 'distinct' AND c.undone IS NULL
    AND (coalesce(a.merged_into, a.id), coalesce(b.merged_into, b.id)) IN (
        ($1::integer, $2::integer), ($2, $1)
    )
ORDER BY c.id
LIMIT 1

-- name: change_add
INSERT INTO identity_change (kind, player_id, other_id, made_by)
VALUES ($1, $2, $3, $4)
RETURNING id

-- name: person_touch
-- What was kept of the persons that these identities belong to is void, and what was kept of those
-- who played them: their performance rests on the ratings of these. Rows are locked in one order.
WITH person AS (
    SELECT p.id
    FROM player AS p
    WHERE
        p.id IN (
            SELECT coalesce(i.merged_into, i.id) FROM player AS i WHERE i.id = ANY($1::integer[])
        )
    ORDER BY p.id
    FOR NO KEY UPDATE
),

touched AS (
    UPDATE player AS p
    SET epoch = nextval('person_epoch')
    FROM person
    WHERE p.id = person.id
),

member AS MATERIALIZED (
    SELECT m.id
    FROM person
    INNER JOIN player AS m ON m.id = person.id OR m.merged_into = person.id
),

opponent AS (
    SELECT g.black_id AS id FROM member INNER JOIN game AS g ON g.white_id = member.id
    UNION
    SELECT g.white_id AS id FROM member INNER JOIN game AS g ON g.black_id = member.id
)

INSERT INTO opponent_epoch AS e (player_id, epoch)
SELECT DISTINCT
    coalesce(o.merged_into, o.id) AS person_id,
    1
FROM opponent
INNER JOIN player AS o ON o.id = opponent.id
WHERE o.id <> 0
ORDER BY person_id
ON CONFLICT (player_id) DO UPDATE
SET epoch = e.epoch + 1

-- name: merge_members
UPDATE identity_change
SET moved = ARRAY(SELECT id FROM player WHERE id = $2 OR merged_into = $2 ORDER BY id)
WHERE id = $1

-- name: merge_apply
UPDATE player
SET merged_into = $2
WHERE id = $1 OR merged_into = $1

-- name: merge_undo
UPDATE player AS p
SET merged_into = nullif(c.player_id, p.id)
FROM identity_change AS c
WHERE c.id = $1 AND p.id = ANY(c.moved)

-- name: change_get
SELECT kind, player_id, other_id, undone IS NOT NULL AS undone
FROM identity_change
WHERE id = $1
FOR NO KEY UPDATE

-- name: change_undo
UPDATE identity_change
SET undone = now(), undone_by = $2
WHERE id = $1

-- name: merge_later
-- What the undoing of a merge would pull from under: a merge of what it was merged into.
SELECT c.id
FROM identity_change AS c
WHERE c.id > $1 AND c.undone IS NULL AND c.kind = 'merge' AND c.player_id = $2
ORDER BY c.id DESC
LIMIT 1

-- name: split_later
-- The same of a split: anything done to the identity that received the games ($2), or another
-- split that took some of them.
SELECT c.id
FROM identity_change AS c
WHERE
    c.id > $1 AND c.undone IS NULL
    AND (
        c.player_id = $2
        OR (c.other_id = $2 AND c.kind <> 'split')
        OR EXISTS (
            SELECT
            FROM identity_change_side AS s
            INNER JOIN identity_change_side AS mine
                ON mine.change_id = $1 AND mine.game_id = s.game_id AND mine.colour = s.colour
            WHERE s.change_id = c.id
        )
    )
ORDER BY c.id DESC
LIMIT 1

-- name: split_sides
-- Sides of a person's games that a split names: by years, by the name or FIDE id in the tags, by
-- game. NULL: not asked for.
WITH member AS MATERIALIZED (
    SELECT id FROM player WHERE id = $2 OR merged_into = $2
),

side AS (
    SELECT g.id, 0 AS colour, g.white_id AS player_id, g.year, 'White' AS tag, g.tags
    FROM member INNER JOIN game AS g ON g.white_id = member.id
    UNION ALL
    SELECT g.id, 1 AS colour, g.black_id AS player_id, g.year, 'Black' AS tag, g.tags
    FROM member INNER JOIN game AS g ON g.black_id = member.id
)

INSERT INTO identity_change_side (change_id, game_id, colour, player_id)
SELECT $1::bigint, s.id, s.colour, s.player_id
FROM side AS s
WHERE
    ($3::integer IS NULL OR s.year BETWEEN $3 AND $4::integer)
    AND (
        $5::text IS NULL OR s.tags ->> s.tag = $5 OR s.tags ->> (s.tag || 'FideId') = $5
    )
    AND ($6::bigint[] IS NULL OR s.id = ANY($6))
    AND ($7::integer IS NULL OR s.colour = $7)

-- name: split_check
-- Of the sides taken: how many, how many of the person's are left, and a game of which both
-- were taken, which cannot have been meant.
SELECT
    (SELECT count(*) FROM identity_change_side WHERE change_id = $1) AS taken,
    (
        SELECT count(*)
        FROM player AS m
        INNER JOIN game AS g ON g.white_id = m.id
        WHERE m.id = $2 OR m.merged_into = $2
    ) + (
        SELECT count(*)
        FROM player AS m
        INNER JOIN game AS g ON g.black_id = m.id
        WHERE m.id = $2 OR m.merged_into = $2
    ) AS sides,
    coalesce((
        SELECT game_id
        FROM identity_change_side
        WHERE change_id = $1
        GROUP BY game_id
        HAVING count(*) > 1
        ORDER BY game_id
        LIMIT 1
    ), 0) AS twice

-- name: split_lock
SELECT g.id
FROM game AS g
WHERE g.id IN (SELECT s.game_id FROM identity_change_side AS s WHERE s.change_id = $1)
ORDER BY g.id
FOR NO KEY UPDATE

-- name: split_turns
-- Everything judged of the sides of a split, side by side: a side without turns has one row
-- without a ply.
SELECT
    s.player_id, s.game_id, s.colour, g.year, g.time_class, j.judge_id, t.ply, t.legal, t.nodes,
    t.best_cp, t.played_cp
FROM identity_change_side AS s
INNER JOIN game AS g ON g.id = s.game_id
INNER JOIN judged_side AS j ON j.game_id = s.game_id AND j.colour = s.colour
LEFT JOIN turn AS t ON t.game_id = s.game_id AND t.judge_id = j.judge_id AND t.mover = s.colour
WHERE s.change_id = $1
ORDER BY s.player_id, g.year, j.judge_id, g.time_class, s.game_id, s.colour

-- name: split_apply
-- To the identity $2, or with NULL back to where the sides came from.
UPDATE game AS g
SET
    white_id = CASE WHEN w.game_id IS NOT NULL THEN coalesce($2::integer, w.player_id)
        ELSE g.white_id END,
    black_id = CASE WHEN b.game_id IS NOT NULL THEN coalesce($2::integer, b.player_id)
        ELSE g.black_id END
FROM (SELECT DISTINCT game_id FROM identity_change_side WHERE change_id = $1) AS s
LEFT JOIN identity_change_side AS w
    ON w.change_id = $1 AND w.game_id = s.game_id AND w.colour = 0
LEFT JOIN identity_change_side AS b
    ON b.change_id = $1 AND b.game_id = s.game_id AND b.colour = 1
WHERE g.id = s.game_id

-- name: changes_list
SELECT
    c.id,
    c.kind,
    c.player_id,
    p.name AS player,
    c.other_id,
    o.name AS other,
    (SELECT count(*) FROM identity_change_side AS s WHERE s.change_id = c.id) AS sides,
    to_char(c.made AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS made,
    c.made_by,
    to_char(c.undone AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS undone,
    c.undone_by
FROM identity_change AS c
INNER JOIN player AS p ON p.id = c.player_id
INNER JOIN player AS o ON o.id = c.other_id
WHERE $1::bigint = 0 OR c.id < $1
ORDER BY c.id DESC
LIMIT $2

-- name: doubtful_candidates
-- Pairs of identities of different persons that share what may be a surname, after a place in
-- their order; whether the names fit is for the caller. Two FIDE ids are two persons; so are those
-- that were declared so, or split.
WITH told AS MATERIALIZED (
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
    coalesce(q.merged_into, q.id) AS b_person,
    p.fide_id AS a_fide,
    q.fide_id AS b_fide
-- Goes on where it stopped, within a surname that thousands bear too.
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
        FROM told
        WHERE
            (told.a, told.b) IN (
                (coalesce(p.merged_into, p.id), coalesce(q.merged_into, q.id)),
                (coalesce(q.merged_into, q.id), coalesce(p.merged_into, p.id))
            )
    )
    -- Under a smaller surname they were met already.
    AND NOT EXISTS (
        SELECT
        FROM surname AS u
        INNER JOIN surname AS v ON v.block = u.block AND v.player_id = y.player_id
        WHERE u.player_id = x.player_id AND u.block < x.block AND (u.sure OR v.sure)
    )
ORDER BY x.block, x.player_id, y.player_id
LIMIT $4

-- name: identity_keys
-- All spellings of some identities.
SELECT player_id, key, name
FROM spelling
WHERE player_id = ANY($1::integer[])
ORDER BY player_id, key

-- name: pair_evidence
-- Of a pair of persons: whether they met, whether each has a FIDE id, and how many opponents they
-- share.
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

-- name: person_facts
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
