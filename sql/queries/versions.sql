-- Versions of data: equal texts are equal data. What has no counter of its own is known by its rows'
-- xmin, the transaction that wrote them.

-- name: snapshot_version
-- Another one after every transaction that wrote anything.
SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS version

-- name: store_version
-- What lists and totals rest on: games, analysed sides, identities, rating lists, calibrations,
-- engine settings, uploads.
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
        (SELECT max(id) FROM player)
    ) AS version

-- name: player_version
-- What everything about a person rests on, whatever the engine setting: its games, those whom it
-- played, its analysed moves, its names, decisions about it. Not the queue.
--
-- Whatever changes a game writes a row of player_games of both its players.
WITH who AS MATERIALIZED (
    SELECT person_identities($1) AS ids
)

SELECT
    concat_ws(
        '.',
        (
            SELECT concat_ws('-', count(*), sum(y.xmin::text::bigint))
            FROM player_games AS y WHERE y.player_id = ANY((SELECT ids FROM who)::integer[])
        ),
        (SELECT sum(version) FROM player_total WHERE player_id = ANY((SELECT ids FROM who)::integer[])),
        (SELECT sum(xmin::text::bigint) FROM player WHERE id = ANY((SELECT ids FROM who)::integer[])),
        (
            SELECT concat_ws('-', count(*), sum(s.xmin::text::bigint))
            FROM spelling AS s WHERE s.player_id = ANY((SELECT ids FROM who)::integer[])
        ),
        (
            SELECT sum(epoch)
            FROM opponent_epoch WHERE player_id = ANY((SELECT ids FROM who)::integer[])
        ),
        (SELECT sum(xmin::text::bigint) FROM calibration)
    ) AS version

-- name: judges_version
-- Which engine setting a name stands for: of several with one name the one with most analysed sides.
SELECT coalesce(string_agg(j.id::text, ' ' ORDER BY j.name, t.sides DESC, j.id DESC), '') AS version
FROM judge AS j
CROSS JOIN LATERAL (
    SELECT coalesce(sum(o.sides), 0) AS sides FROM judge_total AS o WHERE o.judge_id = j.id
) AS t

-- name: queue_version
-- What is waiting or running.
SELECT
    concat_ws('-', count(*), sum(jobs), sum(turns), max(xmin::text::bigint)) AS version
FROM job_total

-- name: event_version
-- Its games, their analysed sides, who its players are.
WITH event_game AS (
    SELECT
        g.id,
        g.xmin::text::bigint AS written,
        g.white_id,
        g.black_id
    FROM game AS g WHERE g.event_id = $1
)

SELECT
    concat_ws(
        '.',
        (SELECT concat_ws('-', count(*), sum(written), sum(id)) FROM event_game),
        (
            SELECT concat_ws('-', count(*), sum(s.xmin::text::bigint))
            FROM event_game AS g INNER JOIN judged_side AS s ON s.game_id = g.id
        ),
        (
            SELECT sum(p.xmin::text::bigint)
            FROM player AS p
            WHERE p.id IN (SELECT white_id FROM event_game UNION SELECT black_id FROM event_game)
        ),
        (SELECT sum(epoch) FROM player WHERE epoch > 0),
        (SELECT sum(xmin::text::bigint) FROM calibration)
    ) AS version

-- name: game_version
SELECT
    concat_ws(
        '.',
        (SELECT xmin FROM game WHERE id = $1),
        (SELECT concat_ws('-', count(*), sum(xmin::text::bigint)) FROM judged_side WHERE game_id = $1),
        (SELECT concat_ws('-', count(*), max(upload_id)) FROM upload_game WHERE game_id = $1),
        (SELECT concat_ws('-', count(*), sum(xmin::text::bigint)) FROM endgame_turn WHERE game_id = $1),
        (SELECT sum(epoch) FROM player WHERE epoch > 0)
    ) AS version
