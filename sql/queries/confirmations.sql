-- name: confirmations :many ipr_db_confirmation inside
-- param game_id int64
-- column judge_id int32
-- column nodes uint32 0..UINT32_MAX     -- of the setting
-- column turns bytes
SELECT c.judge_id, j.nodes, c.turns
FROM confirmation AS c
INNER JOIN judge AS j ON j.id = c.judge_id
WHERE c.game_id = $1
ORDER BY j.nodes, c.judge_id

-- name: confirmations_of :many ipr_db_game_confirmation inside
-- Of many games, in ascending order.
-- arg const int64_t *ids
-- arg size_t n_ids
-- bind ids[] int64[]
-- column game_id int64
-- column turns bytes
SELECT c.game_id, c.turns
FROM confirmation AS c
INNER JOIN judge AS j ON j.id = c.judge_id
WHERE c.game_id = ANY($1::bigint[])
ORDER BY c.game_id, j.nodes, c.judge_id

-- name: confirmation_put :exec inside
-- param game_id int64
-- param judge_id int32
-- param source text
-- param turns bytes
INSERT INTO confirmation (game_id, judge_id, source, turns)
VALUES ($1, $2, $3, $4)
ON CONFLICT (game_id, judge_id) DO UPDATE
SET source = excluded.source, finished = now(), turns = excluded.turns

-- name: confirmation_forget :exec
-- param game_id int64
-- param judge_id int32
DELETE FROM confirmation
WHERE game_id = $1 AND judge_id = $2

-- part: confirm_follows game
-- Whether the game waits for its confirmation, and somebody is there to make it.
EXISTS (
    SELECT
    FROM job AS j
    WHERE
        j.game_id = @game AND j.kind = 'confirm' AND j.state IN ('ready', 'leased')
        AND (
            EXISTS (
                SELECT
                FROM worker AS w
                WHERE
                    w.seen > now() - interval '1 minute' AND w.threads > 0
                    AND j.program = ANY(w.engines)
            )
            OR EXISTS (
                SELECT
                FROM token AS t
                WHERE
                    t.kind = 'fishnet' AND t.suspended IS NULL AND t.revoked IS NULL
                    AND t.seen > now() - interval '10 minutes'
            )
        )
)

-- name: confirm_follows :one
-- param game_id int64
-- column follows bool
SELECT
    @confirm_follows($1)
    AS follows
