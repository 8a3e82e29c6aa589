-- Versions of data: equal texts are equal data. Data without a counter of their own are identified
-- by the xmin of their rows, the transaction that wrote them, which no view has: those are read from
-- `public`.

-- name: snapshot_version :one
-- Another one after every transaction that wrote anything.
-- column version text
SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS version

-- name: store_version :one
-- What lists and totals rest on: games, analysed sides, identities, rating lists, calibrations,
-- engine settings, uploads.
-- column version text
SELECT
    concat_ws(
        '.',
        (SELECT sum(version) FROM judge_total),
        (SELECT sum(transactions) FROM game_change),
        (SELECT sum(epoch) FROM player WHERE epoch > 0),
        (SELECT sum(xmin::text::bigint) FROM calibration),
        (SELECT sum(xmin::text::bigint) FROM judge_definition),
        (SELECT max(id) FROM upload),
        (SELECT max(id) FROM game),
        (SELECT max(id) FROM player),
        (SELECT xmin FROM results_fit)
    ) AS version

-- name: player_version :one
-- What everything about a person rests on, whatever the engine setting: its games, those whom it
-- played, its analysed moves, its names, decisions about it. Not the queue.
-- param person int32
-- column version text
--
-- Every change of a game writes a row of player_games for both players.
WITH who AS MATERIALIZED (
    SELECT person_identities($1) AS ids
)

SELECT
    concat_ws(
        '.',
        (
            SELECT concat_ws('-', count(*), sum(y.xmin::text::bigint))
            FROM public.player_games AS y WHERE y.player_id = ANY((SELECT ids FROM who)::integer[])
        ),
        (SELECT sum(version) FROM player_total WHERE player_id = ANY((SELECT ids FROM who)::integer[])),
        (SELECT sum(xmin::text::bigint) FROM public.player WHERE id = ANY((SELECT ids FROM who)::integer[])),
        (
            SELECT concat_ws('-', count(*), sum(s.xmin::text::bigint))
            FROM public.spelling AS s WHERE s.player_id = ANY((SELECT ids FROM who)::integer[])
        ),
        (
            SELECT sum(epoch)
            FROM opponent_epoch WHERE player_id = ANY((SELECT ids FROM who)::integer[])
        ),
        (
            SELECT concat_ws('-', count(*), sum(r.xmin::text::bigint))
            FROM results_strength AS r
            WHERE r.person_id = ANY((SELECT ids FROM who)::integer[])
        ),
        (
            SELECT md5(string_agg(p::text, ',' ORDER BY p.component))
            FROM results_component AS p
            WHERE
                p.component IN (
                    SELECT r.component
                    FROM results_strength AS r
                    WHERE r.person_id = ANY((SELECT ids FROM who)::integer[])
                )
        ),
        (SELECT sum(xmin::text::bigint) FROM calibration)
    ) AS version

-- name: judges_version :one
-- Which engine setting a name stands for: of several with one name the one with most analysed sides.
-- column version text
SELECT coalesce(string_agg(j.id::text, ' ' ORDER BY j.name, t.sides DESC, j.id), '') AS version
FROM judge AS j
CROSS JOIN LATERAL (
    SELECT coalesce(sum(o.sides), 0) AS sides FROM judge_total AS o WHERE o.judge_id = j.id
) AS t

-- name: queue_version :one
-- What is waiting or running.
-- column version text
SELECT
    concat_ws('-', count(*), sum(jobs), sum(turns), max(xmin::text::bigint)) AS version
FROM job_total

-- name: event_version :one
-- Its games, their analysed sides, who its players are.
-- param event int32
-- column version text
WITH event_game AS (
    SELECT
        g.id,
        g.xmin::text::bigint AS written,
        g.white_id,
        g.black_id
    FROM public.game AS g WHERE g.event_id = $1
)

SELECT
    concat_ws(
        '.',
        (SELECT concat_ws('-', count(*), sum(written), sum(id)) FROM event_game),
        (
            SELECT concat_ws('-', count(*), sum(s.xmin::text::bigint))
            FROM event_game AS g INNER JOIN public.judged_side AS s ON s.game_id = g.id
        ),
        (
            SELECT sum(p.xmin::text::bigint)
            FROM public.player AS p
            WHERE p.id IN (SELECT white_id FROM event_game UNION SELECT black_id FROM event_game)
        ),
        (SELECT sum(epoch) FROM player WHERE epoch > 0),
        (SELECT sum(xmin::text::bigint) FROM calibration)
    ) AS version

-- name: game_version :one
-- param game int64
-- column version text
SELECT
    concat_ws(
        '.',
        (SELECT xmin FROM public.game WHERE id = $1),
        (SELECT concat_ws('-', count(*), sum(xmin::text::bigint)) FROM public.judged_side WHERE game_id = $1),
        (SELECT concat_ws('-', count(*), max(upload_id)) FROM upload_game WHERE game_id = $1),
        (SELECT concat_ws('-', count(*), sum(xmin::text::bigint)) FROM endgame_turn WHERE game_id = $1),
        (SELECT concat_ws('-', count(*), sum(xmin::text::bigint)) FROM confirmation WHERE game_id = $1),
        (
            SELECT
                @confirm_follows($1)
        ),
        (SELECT sum(epoch) FROM player WHERE epoch > 0)
    ) AS version
