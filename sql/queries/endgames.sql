-- row: ipr_db_endgame_turn
-- Tablebase values of one turn (methods, section 8). Values -2 … 2 from the mover's view: lost,
-- blessed loss, draw, cursed win, won.
-- column ply uint16 0..INT16_MAX
-- column mover uint8 0..1
-- column men uint8 2..32
-- column before, after int8 -2..2
-- column dtz_before, dtz_after int16 INT16_MIN..INT16_MAX -- half-moves, mover's view; 0: none or not
--     known

-- name: endgame_store :exec
-- Stores new rows; existing ones are unchanged. In the caller's transaction. IPR_ECONFLICT: the
-- game was deleted.
-- param game_id int64
-- each const struct ipr_db_endgame_turn turns
-- bind turns[].ply, turns[].mover, turns[].men, turns[].before, turns[].after int[]
-- bind turns[].dtz_before, turns[].dtz_after int[]
INSERT INTO endgame_turn (game_id, ply, mover, men, before, after, dtz_before, dtz_after)
SELECT
    $1::bigint, u.ply, u.mover, u.men, u.before, u.after, nullif(u.dtz_before, 0),
    nullif(u.dtz_after, 0)
FROM unnest(
    $2::smallint[], $3::smallint[], $4::smallint[], $5::smallint[], $6::smallint[],
    $7::smallint[], $8::smallint[]
) AS u (ply, mover, men, before, after, dtz_before, dtz_after)
ON CONFLICT DO NOTHING

-- part: columns_of_endgame
ply,
mover,
men,
before,
after,
coalesce(dtz_before, 0) AS dtz_before,
coalesce(dtz_after, 0) AS dtz_after

-- name: endgame_of :many ipr_db_endgame_turn
-- Turns of one game, ascending by ply.
-- param game_id int64
SELECT
    @columns_of_endgame()
FROM endgame_turn
WHERE game_id = $1
ORDER BY ply

-- name: endgame_rows :many ipr_db_endgame_row inside
-- param scope scope
-- column game_id int64
-- also ipr_db_endgame_turn as turn
-- column start_fen start as start
-- column moves moves
--
-- Moves and start once a game, with its first row.
@sides_of_scope(),

turn_of AS (
    SELECT
        e.*, s.start_fen, s.moves, row_number() OVER (PARTITION BY e.game_id ORDER BY e.ply) AS n
    FROM side AS s
    INNER JOIN endgame_turn AS e ON e.game_id = s.id AND e.mover = s.colour
    WHERE s.time_class = ANY($6::smallint[])
)

SELECT
    game_id,
    @columns_of_endgame(),
    CASE n WHEN 1 THEN start_fen END AS start_fen,
    CASE n WHEN 1 THEN moves END AS moves
FROM turn_of
ORDER BY game_id, ply

-- name: endgame_any :one
-- Whether any game has such turns; if none has, no tablebases were used.
-- column found bool
SELECT EXISTS (SELECT FROM endgame_turn) AS found
