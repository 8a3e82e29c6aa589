-- The identities of a person are looked up once, and not for every game that is looked at: a short page of a list
-- may be read in the order of the list.
CREATE OR REPLACE FUNCTION filtered_games(
    of_person integer, of_opponent integer, as_colors integer, from_year integer, to_year integer,
    of_event integer, event_name text, of_result integer, from_elo integer, to_elo integer,
    of_judge integer, of_times smallint[], of_upload bigint, of_game bigint, with_tag text
) RETURNS SETOF game
-- Not STRICT and one SELECT, so that it becomes part of a query; planned for its parameters, what
-- is 0 leaves no trace.
LANGUAGE sql STABLE AS $$
SELECT g.*
FROM game AS g
WHERE
    (
        of_person = 0
        OR (
            as_colors <> 2 AND g.white_id = ANY(ARRAY(SELECT unnest(person_identities(of_person))))
            AND (
                of_opponent = 0
                OR g.black_id = ANY(ARRAY(SELECT unnest(person_identities(of_opponent))))
            )
        )
        OR (
            as_colors <> 1 AND g.black_id = ANY(ARRAY(SELECT unnest(person_identities(of_person))))
            AND (
                of_opponent = 0
                OR g.white_id = ANY(ARRAY(SELECT unnest(person_identities(of_opponent))))
            )
        )
    )
    AND (from_year = 0 OR g.year >= from_year)
    AND (to_year = 0 OR g.year BETWEEN 1 AND to_year)
    AND (of_event = 0 OR g.event_id = of_event)
    AND (
        event_name IS NULL
        OR g.event_id = ANY(ARRAY(SELECT e.id FROM event AS e WHERE e.name = event_name))
    )
    AND (of_result = 0 OR g.result = of_result - 1)
    AND (from_elo = 0 OR (g.white_elo >= from_elo AND g.black_elo >= from_elo))
    AND (to_elo = 0 OR (g.white_elo <= to_elo AND g.black_elo <= to_elo))
    AND (
        of_judge = 0
        OR EXISTS (SELECT FROM judged_side AS s WHERE s.game_id = g.id AND s.judge_id = of_judge)
    )
    AND (of_times = '{}' OR g.time_class = ANY(of_times))
    AND (
        of_upload = 0
        OR g.upload_id = of_upload
        OR g.id = ANY(ARRAY(
            SELECT d.game_id FROM upload_duplicate AS d WHERE d.upload_id = of_upload
        ))
    )
    AND (of_game = 0 OR g.id = of_game)
    AND (with_tag IS NULL OR g.tags -> with_tag IS NOT NULL)
$$;
