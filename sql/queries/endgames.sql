-- name: endgame_put
INSERT INTO endgame_turn (game_id, ply, mover, men, before, after, dtz_before, dtz_after)
SELECT
    $1::bigint, u.ply, u.mover, u.men, u.before, u.after, nullif(u.dtz_before, 0),
    nullif(u.dtz_after, 0)
FROM unnest(
    $2::smallint[], $3::smallint[], $4::smallint[], $5::smallint[], $6::smallint[],
    $7::smallint[], $8::smallint[]
) AS u (ply, mover, men, before, after, dtz_before, dtz_after)
ON CONFLICT DO NOTHING

-- name: endgame_of
SELECT
    ply,
    mover,
    men,
    before,
    after,
    coalesce(dtz_before, 0) AS dtz_before,
    coalesce(dtz_after, 0) AS dtz_after
FROM endgame_turn
WHERE game_id = $1
ORDER BY ply
