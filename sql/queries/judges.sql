-- include core/judge_json.h

-- fill: ipr_judge
-- column name, program, engine, network, options char[]
-- column multipv, hash_mb, threads, first_move uint16 1..UINT16_MAX
-- column depth uint16 0..UINT16_MAX
-- column nodes, time_ms uint32 0..UINT32_MAX
-- column clear uint8 by ipr_judge_clear_from
-- column apart uint8 by ipr_judge_apart_from
-- column tablebases bool

-- row: ipr_db_judge_row
-- column id int32
-- also ipr_judge as judge
-- column rates bool
-- column analysed bool -- it has, even if nothing of that is left
-- column games, turns int64 -- judged so far

-- name: judge_find :maybe inside
-- arg const struct ipr_judge *judge
-- bind judge->name, judge->engine, judge->network text
-- bind judge->multipv, judge->depth, judge->hash_mb, judge->threads, judge->first_move int
-- bind judge->nodes, judge->time_ms int64
-- bind ipr_judge_clear_name(judge->clear), ipr_judge_apart_name(judge->apart) text
-- bind judge->options text
-- column id int32
SELECT id
FROM judge
WHERE
    name = $1 AND engine = $2 AND network = $3
    AND multipv = $4 AND depth = $5 AND hash_mb = $6 AND threads = $7 AND first_move = $8
    AND nodes = $9 AND time_ms = $10 AND clear = $11 AND apart = $12 AND options = $13

-- name: judge_add :exec inside
-- arg const struct ipr_judge *judge
-- bind judge->name, judge->engine, judge->network text
-- bind judge->multipv, judge->depth, judge->hash_mb, judge->threads, judge->first_move int
-- bind judge->nodes, judge->time_ms int64
-- bind ipr_judge_clear_name(judge->clear), ipr_judge_apart_name(judge->apart) text
-- bind judge->options text
-- param equation text or ""
INSERT INTO judge (
    name, engine, network, multipv, depth, hash_mb, threads, first_move, nodes, time_ms, clear,
    apart, options, equation
)
VALUES (
    $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,
    nullif($14, '')::double precision[]
)
ON CONFLICT DO NOTHING

-- name: judge_partition_new :one inside
-- Gives a judge that has just been added a partition of side_turns, where that pays.
-- param id int32
-- column made bool
SELECT partition_new_judge($1::smallint) AS made

-- name: judge_partition :many
-- Gives each judge of that name a partition of side_turns, with the sides that are there.
-- param name text
-- column sides int64
SELECT partition_judge(id) AS sides
FROM judge
WHERE name = $1
ORDER BY id

-- name: turns_analyse :one
-- Renews the planner's statistics of all partitions together, if they have grown by a tenth.
-- column renewed bool
SELECT analyse_turns() AS renewed

-- name: games_analyse :one
-- Renews the planner's statistics of what an import fills, if so many games are a tenth of all.
-- param changed int64
-- column renewed bool
SELECT analyse_games($1) AS renewed

-- name: judge_get :one ipr_judge
-- param id int32
-- missing no such judge
SELECT
    name, '' AS program, engine, network, multipv, depth, hash_mb, threads, first_move, nodes,
    time_ms, clear, apart, options, strpos(options, 'SyzygyPath=') > 0 AS tablebases
FROM judge
WHERE id = $1

-- name: judge_equate :exec inside
-- param id int32
-- param equation text or ""
UPDATE judge SET equation = nullif($2, '')::double precision[]
WHERE id = $1 AND equation IS DISTINCT FROM nullif($2, '')::double precision[]

-- name: judge_of_game :maybe
-- Of a game that was judged by it the judge itself, else of those that rate as it does the one that counts.
-- param game_id int64
-- param judge_id int32
-- column id int32
-- also ipr_judge as judge
SELECT
    j.id, j.name, '' AS program, j.engine, j.network, j.multipv, j.depth, j.hash_mb, j.threads,
    j.first_move, j.nodes, j.time_ms, j.clear, j.apart, j.options,
    strpos(j.options, 'SyzygyPath=') > 0 AS tablebases
FROM judged_side AS s
INNER JOIN judge AS j ON j.id = s.judge_id
WHERE s.game_id = $1 AND s.judge_id = ANY(ARRAY(SELECT unnest(judges_with($2))))
ORDER BY s.judge_id <> $2, s.strength_kept <> 0, s.judge_id
LIMIT 1

-- name: judge_by_name :one
-- The judge of that name with most judged sides: what `?judge=NAME` means.
-- param name text
-- column id int32
-- also ipr_judge as judge
-- missing no judge of that name has judged anything
SELECT
    j.id, j.name, '' AS program, j.engine, j.network, j.multipv, j.depth, j.hash_mb, j.threads,
    j.first_move, j.nodes, j.time_ms, j.clear, j.apart, j.options,
    strpos(j.options, 'SyzygyPath=') > 0 AS tablebases
FROM judge AS j
INNER JOIN judge_total AS t ON t.judge_id = j.id
WHERE j.name = $1
GROUP BY j.id
ORDER BY sum(t.sides) DESC, j.id
LIMIT 1

-- name: judge_list :many ipr_db_judge_row
SELECT
    j.id, j.name, '' AS program, j.engine, j.network, j.multipv, j.depth, j.hash_mb, j.threads,
    j.first_move, j.nodes, j.time_ms, j.clear, j.apart, j.options,
    strpos(j.options, 'SyzygyPath=') > 0 AS tablebases,
    j.equation IS NOT NULL AS rates,
    count(t.judge_id) > 0 AS analysed,
    coalesce(sum(t.games), 0) AS games,
    coalesce(sum(t.turns), 0) AS turns
FROM judge AS j
LEFT JOIN judge_total AS t ON t.judge_id = j.id
GROUP BY j.id
ORDER BY coalesce(sum(t.sides), 0) DESC, j.id

-- row: ipr_db_definition
-- The definition behind a judge's name.
-- also ipr_judge as judge        -- engine, network and options empty
-- column built_in bool
-- column creator, created text

-- name: definition_put :count inside
-- arg const struct ipr_judge *judge
-- bind judge->name, judge->program text
-- bind judge->multipv, judge->depth, judge->hash_mb, judge->threads, judge->first_move int
-- bind judge->nodes, judge->time_ms int64
-- bind ipr_judge_clear_name(judge->clear) text
-- bind judge->tablebases bool
-- param built_in bool
-- param creator text
INSERT INTO judge_definition (
    name, program, multipv, depth, hash_mb, threads, first_move, nodes, time_ms, clear, tablebases,
    built_in, creator
)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
ON CONFLICT (name) DO NOTHING

-- name: definition_get :one ipr_judge
-- param name text
-- missing IPR_ENOTFOUND no_such_judge "no judge is named \"%s\"", name
--
-- Remote machines have no searchmoves, and confirmations two searches: the only setting that is not in
-- the table.
SELECT
    name, program, '' AS engine, '' AS network, '' AS options, multipv, depth, hash_mb, threads,
    first_move, nodes, time_ms, clear, tablebases,
    CASE
        WHEN clear = 'remote' THEN 'after'
        WHEN built_in AND name = 'confirm' THEN 'line'
        ELSE 'searchmoves'
    END AS apart
FROM judge_definition
WHERE name = $1

-- name: definition_list :many ipr_db_definition
-- All, built-in ones first, then by name.
SELECT
    name, program, '' AS engine, '' AS network, '' AS options, multipv, depth, hash_mb, threads,
    first_move, nodes, time_ms, clear, tablebases,
    CASE
        WHEN clear = 'remote' THEN 'after'
        WHEN built_in AND name = 'confirm' THEN 'line'
        ELSE 'searchmoves'
    END AS apart,
    built_in, creator,
    to_char(created AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS created
FROM judge_definition
ORDER BY built_in DESC, name
