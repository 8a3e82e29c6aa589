-- Lists with filters. Each statement is planned for its parameters, so that its plan has only the
-- conditions and the order that were requested.

-- include queries/players_inside.h

-- part: person_with identity
-- The person of an identity. OFFSET 0: each of a few rows looks it up, whatever the planner expects.
SELECT p.id, p.name
FROM player AS i
INNER JOIN player AS p ON p.id = coalesce(i.merged_into, i.id)
WHERE i.id = @identity
OFFSET 0

-- part: stored_since day upload
-- Games g that were stored on this day or later, thus by this upload or a later one (upload_since), as whose index knows
-- how many there are.
@day::text IS NULL
OR (
    to_char(g.created AT TIME ZONE 'UTC', 'YYYY-MM-DD') >= @day COLLATE "C"
    AND (
        g.upload_id IS NULL
        OR g.upload_id >= @upload
    )
)

-- name: upload_since :one
-- The first upload that may have stored games on this day or later: it had not ended before.
-- param day text
-- column id int64
SELECT coalesce(min(u.id), 9223372036854775807) AS id
FROM upload AS u
WHERE
    u.state IN ('waiting', 'importing')
    OR to_char(coalesce(u.ended, u.created + interval '1 day') AT TIME ZONE 'UTC', 'YYYY-MM-DD')
    >= $1::text COLLATE "C"

-- row: ipr_db_listed_game
-- column id int64
-- column white_id int32
-- column white text
-- column white_elo int or 0
-- column black_id int32
-- column black text
-- column black_elo int or 0
-- column result text
-- column event text
-- column event_id int32
-- column round text
-- column date text
-- column year int
-- column time_class text
-- column plies int
-- column moves_stored bool
-- column judged_by text                 -- a list as JSON
-- column eco text                       -- of the tags; the opening is not stored
-- column start_fen start as start
-- column moves moves

-- name: game_list :many ipr_db_listed_game
-- `sort`: "id", "date", or one of these behind a "-" for descending; after that game, unless its id
-- is 0.
-- arg const struct ipr_db_game_filter *f
-- bind f->player, f->opponent, f->colors, f->from, f->to, f->event int
-- bind f->event_name text
-- bind f->result, f->elo_from, f->elo_to, f->judge_id int
-- bind f->times times
-- bind f->upload, f->game int64
-- bind f->tag text
-- param sort text
-- param after_id int64
-- param after_year int
-- param after_date text
-- param limit int
-- bind f->since, f->until, f->created text
-- bind f->first_upload int64
-- planned
SELECT
    g.id,
    white.id AS white_id, white.name AS white, g.white_elo::integer AS white_elo,
    black.id AS black_id, black.name AS black, g.black_elo::integer AS black_elo,
    (ARRAY['*', '1-0', '0-1', '1/2-1/2'])[g.result + 1] AS result,
    coalesce((SELECT e.name FROM event AS e WHERE e.id = g.event_id AND e.id <> 0), '') AS event,
    g.event_id, g.round, g.date, g.year::integer AS year,
    (
        ARRAY[
            'unknown', 'classical', 'rapid', 'blitz', 'bullet', 'correspondence',
            'online-classical', 'online-rapid', 'online-blitz', 'online-bullet', 'online-unknown'
        ]
    )[g.time_class + 1] AS time_class,
    g.plies::integer AS plies,
    octet_length(g.moves) = 2 * g.plies AS moves_stored,
    array_to_json(
        ARRAY(
            SELECT DISTINCT j.name
            FROM judged_side AS s
            INNER JOIN judge AS j ON j.id = s.judge_id
            WHERE s.game_id = g.id
            ORDER BY j.name
        )
    ) AS judged_by,
    coalesce(g.tags ->> 'ECO', '') AS eco,
    g.start_fen, g.moves
FROM (
    SELECT
        p.*,
        row_number() OVER () AS n
    FROM (
        SELECT g.*
        FROM filtered_games(
            $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12::smallint[], $13, $14, $15
        ) AS g
        WHERE
            (
                $17::bigint = 0
                OR ($16::text = 'id' AND g.id > $17)
                OR ($16 = '-id' AND g.id < $17)
                OR ($16 = 'date' AND (g.year, g.date, g.id) > ($18::integer, $19::text, $17))
                OR ($16 = '-date' AND (g.year, g.date, g.id) < ($18, $19, $17))
            )
            -- Of tags: 1972.07.11. What is unknown is behind what is known, and ~ behind all of it.
            AND ($21::text IS NULL OR g.date >= replace($21, '-', '.') COLLATE "C")
            AND ($22::text IS NULL OR g.date < replace($22, '-', '.') || '~' COLLATE "C")
            AND (
                @stored_since($23; $24::bigint)
            )
        -- What is added for a person keeps the index of the order out: for a short page all games of
        -- others would be read in it.
        ORDER BY
            CASE WHEN $16 = 'date' THEN CASE WHEN $1 = 0 THEN g.year ELSE g.year + 0 END END,
            CASE WHEN $16 = 'date' THEN g.date END,
            CASE WHEN $16 IN ('id', 'date') THEN CASE WHEN $1 = 0 THEN g.id ELSE g.id + 0 END END,
            CASE WHEN $16 = '-date' THEN CASE WHEN $1 = 0 THEN g.year ELSE g.year + 0 END END DESC,
            CASE WHEN $16 = '-date' THEN g.date END DESC,
            CASE
                WHEN $16 IN ('-id', '-date') THEN CASE WHEN $1 = 0 THEN g.id ELSE g.id + 0 END
            END DESC
        LIMIT $20
    ) AS p
) AS g
CROSS JOIN LATERAL (
    @person_with(g.white_id)
) AS white
CROSS JOIN LATERAL (
    @person_with(g.black_id)
) AS black
ORDER BY g.n

-- name: persons_of :many
-- Persons of these ids, of a FIDE id (0: none), or with a spelling of exactly this key (NULL: none), by id.
-- param ids int32[]
-- param fide_id int32
-- param key text
-- column id int32
SELECT DISTINCT coalesce(p.merged_into, p.id) AS id
FROM player AS p
WHERE
    p.id = ANY($1::integer[])
    OR ($2::integer <> 0 AND p.fide_id = $2)
    OR p.id IN (SELECT s.player_id FROM spelling AS s WHERE s.key = $3::text)
ORDER BY id

-- name: game_ids :many
-- Ids after `after`, ascending.
-- arg const struct ipr_db_game_filter *f
-- bind f->player, f->opponent, f->colors, f->from, f->to, f->event int
-- bind f->event_name text
-- bind f->result, f->elo_from, f->elo_to, f->judge_id int
-- bind f->times times
-- bind f->upload, f->game int64
-- bind f->tag text
-- param after int64
-- param limit int
-- bind f->since, f->until text
-- column id int64
-- planned
SELECT g.id
FROM filtered_games(
    $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12::smallint[], $13, $14, $15
) AS g
WHERE
    g.id > $16
    AND ($18::text IS NULL OR g.date >= replace($18, '-', '.') COLLATE "C")
    AND ($19::text IS NULL OR g.date < replace($19, '-', '.') || '~' COLLATE "C")
ORDER BY CASE WHEN $1 = 0 THEN g.id ELSE g.id + 0 END
LIMIT $17

-- part: played_in_event
-- Player-years with games in the event $7. From the table, which is left out at once where there is
-- none, as a view is not; the players are those that the session sees.
played AS (
    SELECT DISTINCT
        coalesce(m.merged_into, m.id) AS player_id,
        s.year
    FROM (
        SELECT white_id AS id, year FROM public.game WHERE $7::integer <> 0 AND event_id = $7
        UNION ALL
        SELECT black_id AS id, year FROM public.game WHERE $7::integer <> 0 AND event_id = $7
    ) AS s
    INNER JOIN player AS m ON m.id = s.id
)

-- part: listed_year_kept
-- Whether a row y of listed_year is kept by the filters, the parameters from $4 to $10.
y.turns >= $8::integer
AND (
    $4::integer = 0
    OR y.player_id = (SELECT coalesce(p.merged_into, p.id) FROM player AS p WHERE p.id = $4)
)
AND ($5::integer = 0 OR y.year >= $5)
AND ($6::integer = 0 OR y.year <= $6)
AND ($7 = 0 OR (y.player_id, y.year) IN (SELECT e.player_id, e.year FROM played AS e))
AND ($9::integer = 0 OR y.counted >= $9)
AND ($10::integer = 0 OR y.counted <= $10)

-- name: player_years_left_out :one
-- How many player-years with analysed moves the filters leave out of a list that is up to date, and
-- of how many only other engine settings have analysed moves of these classes; with a judge_id of 0
-- these are not counted.
-- arg const struct ipr_db_player_year_filter *f
-- bind f->list_id, f->judge_id int
-- bind f->times times
-- bind f->player, f->from, f->to, f->event, f->turns_from, f->counted_from, f->counted_to int
-- column by_filters int64
-- column other_settings int64
-- planned
WITH
@played_in_event(),

analysed AS (
    SELECT DISTINCT
        coalesce(m.merged_into, m.id) AS player_id,
        v.year
    FROM player_year AS v
    INNER JOIN player AS m ON m.id = v.player_id
    WHERE $2::integer <> 0 AND v.year > 0 AND v.turns > 0 AND v.time_class = ANY($3::smallint[])
)

SELECT
    (
        SELECT count(*)
        FROM listed_year AS y
        WHERE
            y.list_id = $1 AND y.year > 0 AND y.turns > 0
            AND NOT (
                @listed_year_kept()
            )
    ) AS by_filters,
    (
        SELECT count(*)
        FROM analysed AS a
        WHERE NOT EXISTS (
            SELECT FROM listed_year AS y
            WHERE y.list_id = $1 AND y.player_id = a.player_id AND y.year = a.year AND y.turns > 0
        )
    ) AS other_settings

-- name: player_year_list :many ipr_db_player_year
-- Player-years with analysed moves, of a list that is up to date (ipr_db_year_list). `sort`:
-- "rating", "ipr", "moves", "year" or "player", or one of the first four behind a "-" for descending;
-- those without a rating, or without an IPR that is cached, come last. IPRs are those cached for
-- these methods (ipr_db_rating_put); with `uncached` only player-years without one are listed.
-- arg const struct ipr_db_player_year_filter *f
-- bind f->list_id, f->judge_id int
-- bind f->times times
-- bind f->player, f->from, f->to, f->event, f->turns_from, f->counted_from, f->counted_to int
-- bind f->calibration_id int
-- bind f->mismatch bool
-- bind f->times unsigned
-- bind f->methods int
-- bind f->uncached bool
-- param sort text
-- param after_player, after_year, limit int
-- planned
WITH
@played_in_event(),

listed AS NOT MATERIALIZED (
    SELECT
        y.player_id,
        y.year,
        y.games AS games_judged,
        y.turns, y.counted, y.at_0, y.at_30, y.version,
        CASE $16::text
            WHEN '-rating' THEN coalesce(-y.estimate, 'infinity')
            WHEN 'rating' THEN coalesce(y.estimate, 'infinity')
            WHEN '-ipr' THEN coalesce(-r.estimate, 'infinity')
            WHEN 'ipr' THEN coalesce(r.estimate, 'infinity')
            WHEN '-moves' THEN -y.turns::double precision
            WHEN 'moves' THEN y.turns::double precision
            WHEN '-year' THEN -y.year::double precision
            WHEN 'year' THEN y.year::double precision
        END AS key
    FROM listed_year AS y
    LEFT JOIN (
        SELECT
            k.player_id,
            k.year,
            k.estimate,
            k.version - ((p.epoch + coalesce(o.epoch, 0)) << 32) AS version
        FROM rating AS k
        INNER JOIN player AS p ON p.id = k.player_id
        LEFT JOIN opponent_epoch AS o ON o.player_id = k.player_id
        WHERE
            k.judge_id = $2::smallint AND k.calibration_id = $11 AND k.mismatch = $12::boolean
            AND k.time_classes = $13 AND k.methods = $14
            AND ($15::boolean OR $16 IN ('ipr', '-ipr'))
    ) AS r ON r.player_id = y.player_id AND r.year = y.year AND r.version = y.version
    WHERE
        y.list_id = $1 AND y.year > 0
        AND y.turns > 0
        AND (
            @listed_year_kept()
        )
        AND NOT ($15 AND r.player_id IS NOT NULL)
),

place AS (
    SELECT key FROM listed WHERE player_id = $17 AND year = $18
)

SELECT
    @columns_of_player_year()
FROM (
    SELECT l.*
    FROM listed AS l
    WHERE
        $17::integer = 0
        OR ($16 = 'player' AND (l.player_id, l.year) > ($17, $18::integer))
        OR (
            $16 <> 'player'
            AND (l.key, l.player_id, l.year) > ((SELECT p.key FROM place AS p), $17, $18)
        )
    ORDER BY l.key, l.player_id, l.year
    LIMIT $19
) AS y
@parts_of_player_year($3::smallint[])
ORDER BY y.key, y.player_id, y.year

-- part: person_filter created upload born_from born_to
-- Of persons p, by the first parameters of a query: search key, event, first and last year; the day since
-- which a game of theirs was stored, and the years of birth.
AND ($1::text = '' OR p.id IN (
    SELECT coalesce(m.merged_into, m.id)
    FROM spelling AS s
    INNER JOIN player AS m ON m.id = s.player_id
    WHERE s.words @@ name_query(name_fold($1))
))
AND ($2::integer = 0 OR p.id IN (
    SELECT coalesce(m.merged_into, m.id)
    FROM (
        SELECT white_id AS id FROM game WHERE event_id = $2
        UNION
        SELECT black_id AS id FROM game WHERE event_id = $2
    ) AS g
    INNER JOIN player AS m ON m.id = g.id
))
AND (($3::integer = 0 AND $4::integer = 0) OR p.id IN (
    SELECT coalesce(m.merged_into, m.id)
    FROM player_games AS y
    INNER JOIN player AS m ON m.id = y.player_id
    WHERE y.games > 0 AND y.year >= greatest($3, 1) AND ($4 = 0 OR y.year <= $4)
))
AND (@created::text IS NULL OR p.id IN (
    SELECT DISTINCT coalesce(m.merged_into, m.id) -- as few as the planner puts into a hash table
    FROM game AS g
    CROSS JOIN LATERAL (VALUES (g.white_id), (g.black_id)) AS s (id)
    INNER JOIN player AS m ON m.id = s.id
    WHERE
        @stored_since(@created; @upload)
))
AND (@born_from::integer = 0 OR p.born >= @born_from)
AND (@born_to::integer = 0 OR p.born <= @born_to)

-- part: person_turns judge
-- Of a person p, by a judge and those counted with it.
coalesce((
    SELECT sum(t.turns)::bigint
    FROM player AS m
    INNER JOIN player_turns AS t
        ON t.judge_id = (SELECT listed_judge(@judge)) AND t.player_id = m.id
    WHERE m.id = p.id OR m.merged_into = p.id
), 0) AS turns

-- name: person_list :many ipr_db_player
-- Persons with games, of any spelling that fits. `sort`: "-moves", "name" or "-name"; after that
-- person, unless its id is 0.
-- arg const struct ipr_db_person_filter *f
-- bind f->search_key text or ""
-- bind f->event, f->from, f->to int
-- param judge_id int32
-- param sort text
-- param after_turns int64
-- param after_id int32
-- param limit int
-- bind f->created text
-- bind f->first_upload int64
-- bind f->born_from, f->born_to int
-- planned
WITH person AS (
    SELECT
        p.id,
        p.name,
        p.fide_id,
        @person_turns($5)
    FROM player AS p
    WHERE
        p.merged_into IS NULL
        @person_filter($10; $11::bigint; $12; $13)
),

page AS (
    SELECT n.*
    FROM person AS n
    LEFT JOIN player AS l ON l.id = $8
    WHERE
        $8::integer = 0
        OR ($6::text = '-moves' AND (n.turns < $7 OR (n.turns = $7::bigint AND n.id > $8)))
        OR ($6 = 'name' AND (n.name, n.id) > (l.name, $8))
        OR ($6 = '-name' AND (n.name, -n.id) < (l.name, -$8))
)

SELECT
    p.id, p.name, p.turns, g.games, g.first_year, g.last_year, p.fide_id,
    0 AS version
FROM page AS p
CROSS JOIN LATERAL person_games(p.id) AS g
WHERE g.games > 0
ORDER BY
    CASE WHEN $6 = '-moves' THEN p.turns END DESC,
    CASE WHEN $6 = 'name' THEN p.name END,
    CASE WHEN $6 = '-name' THEN p.name END DESC,
    p.id
LIMIT $9

-- part: career_kept
-- Whether a career y of listed_year is kept by the filters, the parameters from $5 to $8: moves, and
-- years of which some are of the peak.
y.list_id = $9::integer AND y.year = 0 AND y.estimate IS NOT NULL
AND ($5::integer = 0 OR y.moves >= $5)
AND ($6::integer = 0 OR y.moves <= $6)
AND ($7::integer = 0 OR y.peak_to >= $7)
AND ($8::integer = 0 OR y.peak_from <= $8)

-- name: rated_persons_left_out :one
-- How many persons with a rating the filters leave out of a list that is up to date.
-- arg const struct ipr_db_person_filter *f
-- bind f->search_key text or ""
-- bind f->event, f->from, f->to, f->moves_from, f->moves_to, f->peak_from, f->peak_to int
-- param list_id int32
-- bind f->created text
-- bind f->first_upload int64
-- bind f->born_from, f->born_to int
-- column left_out int64
-- planned
SELECT count(*) AS left_out
FROM listed_year AS c
WHERE
    c.list_id = $9 AND c.year = 0 AND c.estimate IS NOT NULL
    AND NOT EXISTS (
        SELECT FROM listed_year AS y
        INNER JOIN player AS p ON p.id = y.player_id
        WHERE
            @career_kept()
            AND y.player_id = c.player_id
            @person_filter($10; $11::bigint; $12; $13)
    )

-- name: rated_person_list :many ipr_db_player
-- Persons whose career has a rating, of a list that is up to date (ipr_db_year_list). `sort`:
-- "-rating" or "rating", or "-rise" for those with a largest rise; after that person, unless its id
-- is 0.
-- arg const struct ipr_db_person_filter *f
-- bind f->search_key text or ""
-- bind f->event, f->from, f->to, f->moves_from, f->moves_to, f->peak_from, f->peak_to int
-- param list_id, judge_id int32
-- param sort text
-- param after_id int32
-- param limit int
-- bind f->created text
-- bind f->first_upload int64
-- bind f->born_from, f->born_to int
-- planned
WITH career AS NOT MATERIALIZED (
    SELECT
        y.player_id,
        y.year,
        CASE $11::text
            WHEN '-rating' THEN coalesce(-y.estimate, 'infinity')
            WHEN 'rating' THEN coalesce(y.estimate, 'infinity')
            WHEN '-rise' THEN coalesce(-y.rise, 'infinity')
        END AS key
    FROM listed_year AS y
    WHERE
        @career_kept()
        AND ($11 <> '-rise' OR y.rise IS NOT NULL)
),

page AS (
    SELECT
        p.id, p.name, p.fide_id, c.key
    FROM career AS c
    INNER JOIN player AS p ON p.id = c.player_id
    WHERE
        ($12::integer = 0 OR (c.key, c.player_id) > (
            (SELECT a.key FROM career AS a WHERE a.player_id = $12), $12
        ))
        @person_filter($14; $15::bigint; $16; $17)
    ORDER BY c.key, c.player_id, c.year
    LIMIT $13
)

SELECT
    p.id, p.name, t.turns, g.games, g.first_year, g.last_year, p.fide_id,
    0 AS version
FROM page AS p
CROSS JOIN LATERAL (
    SELECT
        @person_turns($10)
) AS t
CROSS JOIN LATERAL person_games(p.id) AS g
ORDER BY p.key, p.id
