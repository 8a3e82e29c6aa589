-- name: game_judgements
SELECT
    s.judge_id, s.colour, s.turns, s.source,
    to_char(s.finished AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS finished
FROM judged_side AS s
WHERE s.game_id = $1
ORDER BY s.judge_id, s.colour

-- name: game_uploads
SELECT
    ug.upload_id, ug.ordinal, ug.duplicate, u.source,
    to_char(u.created AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS created
FROM upload_game AS ug
INNER JOIN upload AS u ON u.id = ug.upload_id
WHERE ug.game_id = $1
ORDER BY ug.upload_id, ug.ordinal
