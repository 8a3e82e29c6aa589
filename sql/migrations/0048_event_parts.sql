-- Which events have games missing: lists have those after whole ones.

ALTER TABLE event ADD COLUMN part boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN event.part IS 'Games are plainly missing (event_is_part). Told anew when games come or go.';

-- True where few players of a larger field are in every game, where rounds have no game, or where one
-- game is all.
--
-- Few: K of n players, those with most opponents, one of whom is in every game. A round robin needs
-- n - 1 of them; each round of a Swiss, the first of a knockout, and a match of two teams, need n/2. So
-- games are missing if 3 K < n, or if K is half of the players at most, the others, at least three, have
-- met 4 in 5 of the K, and some of these have met; two others are enough where all pairs have as many
-- games, more than one. A simul has one player in every game, too, on one day and without rounds.
-- Rounds: of two to four players more than a tenth of those by the tags, of more players at least half;
-- one number has no gaps, a knockout counts the games of a match behind it. At most 10,000 games are
-- read. server/view/event/part.c says the same of one event, and why.
CREATE FUNCTION event_is_part(event_id integer) RETURNS boolean LANGUAGE sql STABLE AS $$
WITH games AS MATERIALIZED (
    SELECT g.white_id, g.black_id, g.date, substring(g.round FROM '^([0-9]{1,3})(\.|$)')::integer AS round
    FROM public.game AS g
    WHERE g.event_id = $1 AND g.white_id <> 0 AND g.black_id <> 0
    LIMIT 10000
),

met AS MATERIALIZED (
    SELECT
        s.player,
        row_number() OVER (ORDER BY count(DISTINCT s.other) DESC, s.player) AS place,
        count(*) OVER () AS players
    FROM (
        SELECT white_id AS player, black_id AS other FROM games
        UNION ALL
        SELECT black_id, white_id FROM games
    ) AS s
    GROUP BY s.player
),

-- A pair once, by the places of the two.
pairs AS MATERIALIZED (
    SELECT least(w.place, b.place) AS high, greatest(w.place, b.place) AS low, count(*) AS games
    FROM games AS g
    INNER JOIN met AS w ON w.player = g.white_id
    INNER JOIN met AS b ON b.player = g.black_id
    GROUP BY 1, 2
),

field AS (
    SELECT
        (SELECT count(*) FROM met) AS n,
        (SELECT max(high) FROM pairs) AS k
),

rounds AS (
    SELECT
        count(*) AS games,
        max(round) AS last,
        max(round) - count(DISTINCT round) AS missing,
        count(DISTINCT round) AS numbers,
        count(DISTINCT date) = 1 AND max(date) NOT LIKE '%?%' AS one_day,
        count(*) = count(round) AS tagged
    FROM games
)

SELECT coalesce(
    CASE
        WHEN f.n = 2 AND r.games = 1 THEN TRUE
        WHEN f.n IN (3, 4) AND p.pairs < 3 THEN TRUE
        WHEN r.tagged AND r.numbers > 1 AND f.n <= 4 AND 10 * r.missing > r.last THEN TRUE
        WHEN r.tagged AND r.numbers > 1 AND f.n > 4 AND 2 * r.missing >= r.last THEN TRUE
        WHEN 3 * f.k < f.n THEN f.k > 1 OR NOT r.one_day OR r.numbers > 1
        WHEN f.k > 1 AND 2 * f.k <= f.n AND (f.n - f.k > 2 OR p.even)
            THEN 5 * p.outside >= 4 * f.k * (f.n - f.k) AND (2 * f.k < f.n OR p.inside > 0)
    END, FALSE
)
FROM field AS f
CROSS JOIN rounds AS r
CROSS JOIN LATERAL (
    SELECT
        count(*) AS pairs,
        min(games) = max(games) AND min(games) > 1 AS even,
        count(*) FILTER (WHERE low > f.k) AS outside,
        count(*) FILTER (WHERE low <= f.k) AS inside
    FROM pairs
) AS p
$$;

CREATE FUNCTION events_lost_games() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE public.event AS e
    SET part = p.part
    FROM (SELECT DISTINCT m.event_id FROM moved AS m WHERE m.event_id <> 0) AS g
    CROSS JOIN LATERAL (SELECT event_is_part(g.event_id) AS part) AS p
    WHERE e.id = g.event_id AND e.part <> p.part;
    RETURN NULL;
END
$$;
CREATE TRIGGER events_lost_games AFTER DELETE ON game
REFERENCING OLD TABLE AS moved FOR EACH STATEMENT EXECUTE FUNCTION events_lost_games();

UPDATE event SET part = true WHERE id <> 0 AND event_is_part(id);

DROP INDEX event_year;
CREATE INDEX event_year ON event (part, year DESC, id DESC);

SELECT make_spaces();
