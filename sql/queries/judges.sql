-- name: judge_find
SELECT id
FROM judge
WHERE
    name = $1 AND engine = $2 AND network = $3
    AND multipv = $4 AND depth = $5 AND hash_mb = $6 AND threads = $7 AND first_move = $8
    AND nodes = $9 AND time_ms = $10 AND clear = $11 AND apart = $12 AND options = $13

-- name: judge_add
INSERT INTO judge (
    name, engine, network, multipv, depth, hash_mb, threads, first_move, nodes, time_ms, clear,
    apart, options
)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
ON CONFLICT DO NOTHING

-- name: judge_get
SELECT
    id, name, engine, network, multipv, depth, hash_mb, threads, first_move, nodes, time_ms, clear,
    apart, options
FROM judge
WHERE id = $1

-- name: judge_by_name
SELECT
    j.id, j.name, j.engine, j.network, j.multipv, j.depth, j.hash_mb, j.threads, j.first_move,
    j.nodes, j.time_ms, j.clear, j.apart, j.options
FROM judge AS j
INNER JOIN judge_total AS t ON t.judge_id = j.id
WHERE j.name = $1
GROUP BY j.id
ORDER BY sum(t.sides) DESC, j.id DESC
LIMIT 1

-- name: judge_list
SELECT
    j.id, j.name, j.engine, j.network, j.multipv, j.depth, j.hash_mb, j.threads, j.first_move,
    j.nodes, j.time_ms, j.clear, j.apart, j.options,
    coalesce(sum(t.games), 0) AS games,
    coalesce(sum(t.turns), 0) AS turns
FROM judge AS j
LEFT JOIN judge_total AS t ON t.judge_id = j.id
GROUP BY j.id
ORDER BY coalesce(sum(t.sides), 0) DESC, j.id

-- name: definition_add
INSERT INTO judge_definition (
    name, program, multipv, depth, hash_mb, threads, first_move, nodes, time_ms, clear, tablebases,
    built_in, creator
)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
ON CONFLICT (name) DO NOTHING

-- name: definition_get
SELECT
    name, program, multipv, depth, hash_mb, threads, first_move, nodes, time_ms, clear, tablebases
FROM judge_definition
WHERE name = $1

-- name: definition_list
SELECT
    name, program, multipv, depth, hash_mb, threads, first_move, nodes, time_ms, clear, tablebases,
    built_in, creator,
    to_char(created AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS created
FROM judge_definition
ORDER BY built_in DESC, name
