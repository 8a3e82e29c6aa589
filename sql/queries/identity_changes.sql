-- name: person_lock :many ipr_db_root inside
-- param ids int32[]
-- column id int32
-- column merged_into int32 or 0
--
-- Locks both persons of a change, in one order; other changes of the same persons wait here.
SELECT id, merged_into
FROM player
WHERE id = ANY($1::integer[]) AND id <> 0
ORDER BY id
FOR NO KEY UPDATE

-- name: distinct_between :maybe inside
-- param a, b int32
-- column id int64
--
-- The declaration that two persons are distinct, if there is one.
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

-- name: change_add :one inside
-- param kind text
-- param player, other int32
-- param by text
-- column id int64
INSERT INTO identity_change (kind, player_id, other_id, made_by)
VALUES ($1, $2, $3, $4)
RETURNING id

-- name: person_touch :exec
-- Invalidates the cached ratings of the persons of these identities, and of their opponents. In the
-- caller's transaction.
-- each const int32_t ids
-- bind ids[] int32[]
--
-- Invalidates the cached ratings of the persons that these identities belong to, and of their
-- opponents, whose performance depends on the ratings of these persons. Rows are locked in one
-- order.
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

-- name: change_batch :exec inside
-- param change, batch int64
UPDATE identity_change
SET batch = $2
WHERE id = $1

-- name: batch_changes :many inside
-- param change int64
-- column id int64
--
-- Changes, not undone, that were decided together with this one; none if it was a single decision
-- or is undone.
SELECT c.id
FROM identity_change AS one
INNER JOIN identity_change AS c ON c.batch = one.batch
WHERE one.id = $1 AND one.undone IS NULL AND c.undone IS NULL
ORDER BY c.id DESC

-- name: merge_members :exec inside
-- param change int64
-- param person int32
UPDATE identity_change
SET moved = ARRAY(SELECT id FROM player WHERE id = $2 OR merged_into = $2 ORDER BY id)
WHERE id = $1

-- name: merge_apply :exec inside
-- param person, into int32
UPDATE player
SET merged_into = $2
WHERE id = $1 OR merged_into = $1

-- name: merge_undo :exec inside
-- param change int64
UPDATE player AS p
SET merged_into = nullif(c.player_id, p.id)
FROM identity_change AS c
WHERE c.id = $1 AND p.id = ANY(c.moved)

-- name: change_get :one inside
-- param id int64
-- column kind text
-- column player_id, other_id int32
-- column undone bool
-- missing no such change
SELECT kind, player_id, other_id, undone IS NOT NULL AS undone
FROM identity_change
WHERE id = $1
FOR NO KEY UPDATE

-- name: change_undo :exec inside
-- param id int64
-- param by text
UPDATE identity_change
SET undone = now(), undone_by = $2
WHERE id = $1

-- name: merge_later :maybe inside
-- param change int64
-- param other int32
-- column id int64
--
-- A later merge that depends on this one: of the person that it was merged into.
SELECT c.id
FROM identity_change AS c
WHERE c.id > $1 AND c.undone IS NULL AND c.kind = 'merge' AND c.player_id = $2
ORDER BY c.id DESC
LIMIT 1

-- name: split_later :maybe inside
-- param change int64
-- param other int32
-- column id int64
--
-- The same for a split: any change of the identity that received the games ($2), or another split
-- that took some of them.
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

-- name: split_sides :exec inside
-- param change int64
-- param person int32
-- arg const struct ipr_db_split *split
-- bind split->from, split->to int
-- bind split->tagged text
-- bind split->games int64[]
-- bind split->games != NULL bool
-- bind split->colour int
--
-- Sides of a person's games that a split names: by years, by the name or FIDE id in the tags, by
-- game.
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
    ($3::integer = 0 OR s.year BETWEEN $3 AND $4::integer)
    AND (
        $5::text IS NULL OR s.tags ->> s.tag = $5 OR s.tags ->> (s.tag || 'FideId') = $5
    )
    AND (NOT $7::boolean OR s.id = ANY($6::bigint[]))
    AND ($8::integer < 0 OR s.colour = $8)

-- name: split_check :one inside
-- param change int64
-- param person int32
-- column taken, sides, twice int64
--
-- The number of sides taken, the number of the person's sides left, and a game of which both sides
-- were taken, which must be an error.
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

-- name: split_lock :exec inside
-- param change int64
SELECT g.id
FROM game AS g
WHERE g.id IN (SELECT s.game_id FROM identity_change_side AS s WHERE s.change_id = $1)
ORDER BY g.id
FOR NO KEY UPDATE

-- name: split_judged :many ipr_db_moved_side inside
-- param change int64
-- column player_id, judge_id int32      -- the player is the one before the split
-- column year, time_class int
-- column nodes int64
-- column strength_score, strength_information int64
-- column strength_moves int
-- column figures bytes
--
-- All judged sides of a split, with what is in the sums of their player.
SELECT
    s.player_id, j.judge_id, g.year,
    g.time_class + 16 * j.imported::integer AS time_class,
    j.nodes, t.figures,
    CASE WHEN j.strength_version > 0 THEN j.strength_score ELSE 0 END AS strength_score,
    CASE WHEN j.strength_version > 0 THEN j.strength_information ELSE 0 END AS strength_information,
    CASE WHEN j.strength_version > 0 THEN j.strength_moves ELSE 0::smallint END AS strength_moves
FROM identity_change_side AS s
INNER JOIN game AS g ON g.id = s.game_id
INNER JOIN judged_side AS j ON j.game_id = s.game_id AND j.colour = s.colour
INNER JOIN side_turns AS t
    ON t.game_id = j.game_id AND t.judge_id = j.judge_id AND t.colour = j.colour
WHERE s.change_id = $1 AND j.strength_kept = 0
ORDER BY s.player_id, g.year, j.judge_id, time_class, s.game_id, s.colour

-- name: split_apply :exec inside
-- param change int64
-- param to int32
--
-- Moves the sides to the identity $2, or with 0 back to where they came from.
UPDATE game AS g
SET
    white_id = CASE WHEN w.game_id IS NOT NULL THEN coalesce(nullif($2::integer, 0), w.player_id)
        ELSE g.white_id END,
    black_id = CASE WHEN b.game_id IS NOT NULL THEN coalesce(nullif($2, 0), b.player_id)
        ELSE g.black_id END
FROM (SELECT DISTINCT game_id FROM identity_change_side WHERE change_id = $1) AS s
LEFT JOIN identity_change_side AS w
    ON w.change_id = $1 AND w.game_id = s.game_id AND w.colour = 0
LEFT JOIN identity_change_side AS b
    ON b.change_id = $1 AND b.game_id = s.game_id AND b.colour = 1
WHERE g.id = s.game_id

-- name: identity_changes :many ipr_db_identity_change
-- The log, latest first; `before` an id, 0 for the start; `into`: of the merges that stand the ones into a player, 0 for
-- all decisions.
-- param before int64
-- param into int32
-- param limit int
-- column id int64
-- column kind text                      -- "merge", "split", "distinct"
-- column player_id, other_id int32
-- column player, other text             -- names
-- column sides int64                    -- moved by a split
-- column created, created_by text       -- time as RFC 3339
-- column undone, undone_by text or NULL -- NULL: not undone
-- column batch int64                    -- first of those decided together; 0: a single decision
SELECT
    c.id,
    coalesce(c.batch, 0) AS batch,
    c.kind,
    c.player_id,
    p.name AS player,
    c.other_id,
    o.name AS other,
    (SELECT count(*) FROM identity_change_side AS s WHERE s.change_id = c.id) AS sides,
    to_char(c.made AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS created,
    c.made_by AS created_by,
    to_char(c.undone AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS undone,
    c.undone_by
FROM identity_change AS c
INNER JOIN player AS p ON p.id = c.player_id
INNER JOIN player AS o ON o.id = c.other_id
WHERE
    ($1::bigint = 0 OR c.id < $1)
    AND ($2::integer = 0 OR c.other_id = $2 AND c.kind = 'merge' AND c.undone IS NULL)
ORDER BY c.id DESC
LIMIT $3
