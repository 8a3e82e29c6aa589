-- name: game_judgements :many ipr_db_judgement
-- Sides of a game judged by any judge, by judge and colour.
-- param game_id int64
-- column judge_id int32
-- column colour int                     -- enum ipr_colour
-- column turns int32
-- column lines bool                     -- stored, not figures alone
-- column source text                    -- the worker, or "import"
-- column finished text                  -- RFC 3339
SELECT
    s.judge_id, s.colour, s.turns, s.source,
    NOT EXISTS (
        SELECT
        FROM side_turns AS t
        WHERE
            t.game_id = s.game_id AND t.judge_id = s.judge_id AND t.colour = s.colour
            AND t.second_cp IS NOT NULL
    ) AS lines,
    to_char(s.finished AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS finished
FROM judged_side AS s
WHERE s.game_id = $1
ORDER BY s.judge_id, s.colour

-- name: game_uploads :many ipr_db_game_upload
-- All uploads that contained a game, oldest first.
-- param game_id int64
-- column upload_id int64
-- column ordinal int32                  -- its number in the upload, 1-based
-- column duplicate bool                 -- it was stored already
-- column source, created text
SELECT
    ug.upload_id, ug.ordinal, ug.duplicate, u.source,
    to_char(u.created AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS created
FROM upload_game AS ug
INNER JOIN upload AS u ON u.id = ug.upload_id
WHERE ug.game_id = $1
ORDER BY ug.upload_id, ug.ordinal
