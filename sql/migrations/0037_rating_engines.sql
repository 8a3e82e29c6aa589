-- The rating is made of the evaluations of every engine that can be brought to its scale, of each side
-- those of one: the engine whose equation has the least error (db/strength.h).

ALTER TABLE judge
    DROP COLUMN rates,
    ADD COLUMN equation double precision[];
COMMENT ON COLUMN judge.equation IS 'Weights of the terms of a struct ipr_strength_mix (model/strength_engines.h), the first the error of the shift; NULL: no rating is made of its evaluations. `intrinsic migrate` sets it.';

ALTER TABLE judged_side ADD COLUMN strength_kept smallint NOT NULL DEFAULT 0;
COMMENT ON COLUMN judged_side.strength_version IS 'Version of the estimate that the sums are of; 0: they are not computed, or those of another judge count; negative: of evaluations in files.';
COMMENT ON COLUMN judged_side.strength_kept IS 'Not 0 while the side by another judge counts, and this one is in no sum of its player: the version of its sums, or -1 without sums.';

ALTER TABLE listed_year ADD COLUMN equation double precision[];
COMMENT ON COLUMN listed_year.equation IS 'The terms of the equations, each a sum weighted by information; NULL: as if all were 0.';

CREATE FUNCTION judges_with(judge_id integer) RETURNS smallint[]
-- Never part of a query, since it reads a table: queries call it once, in an ARRAY of their own.
LANGUAGE sql STABLE PARALLEL SAFE AS $$
SELECT coalesce(
    (
        SELECT array_agg(o.id)
        FROM judge AS o
        WHERE
            o.equation IS NOT NULL
            AND EXISTS (SELECT FROM judge AS j WHERE j.id = $1 AND j.equation IS NOT NULL)
    ),
    ARRAY[$1::smallint]
)
$$;
COMMENT ON FUNCTION judges_with IS 'The judges whose sides are counted with those of this one: all that ratings are made of, or itself.';

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
        OR EXISTS (
            SELECT FROM judged_side AS s
            WHERE
                s.game_id = g.id
                AND s.judge_id = ANY(ARRAY(SELECT unnest(judges_with(of_judge))))
        )
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
