-- name: judge_find
SELECT id
FROM judge
WHERE
    name = $1 AND engine = $2 AND network = $3
    AND multipv = $4 AND depth = $5 AND hash_mb = $6 AND threads = $7 AND first_move = $8

-- name: judge_add
INSERT INTO judge (name, engine, network, multipv, depth, hash_mb, threads, first_move)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT DO NOTHING

-- name: judge_get
SELECT id, name, engine, network, multipv, depth, hash_mb, threads, first_move
FROM judge
WHERE id = $1

-- name: judge_by_name
SELECT
    j.id, j.name, j.engine, j.network, j.multipv, j.depth, j.hash_mb, j.threads, j.first_move
FROM judge AS j
INNER JOIN judge_total AS t ON t.judge_id = j.id
WHERE j.name = $1
GROUP BY j.id
ORDER BY sum(t.sides) DESC, j.id DESC
LIMIT 1

-- name: judge_list
SELECT
    j.id, j.name, j.engine, j.network, j.multipv, j.depth, j.hash_mb, j.threads, j.first_move,
    coalesce(sum(t.games), 0) AS games,
    coalesce(sum(t.turns), 0) AS turns
FROM judge AS j
LEFT JOIN judge_total AS t ON t.judge_id = j.id
GROUP BY j.id
ORDER BY coalesce(sum(t.sides), 0) DESC, j.id
