-- Evaluations in partitions by judge: what one judge found can be vacuumed, reindexed, moved to another
-- disk or dropped without the others, and a position is looked for among the keys of its own judge.
--
-- The table that is there becomes the default partition, as it is: nothing is read or written. (Of a
-- default partition beside no other nothing has to be proved.)

DROP VIEW turn;
ALTER TABLE side_turns RENAME TO side_turns_rest;
ALTER INDEX side_turns_pkey RENAME TO side_turns_rest_pkey;
ALTER INDEX side_turns_position RENAME TO side_turns_rest_position;
ALTER TABLE side_turns_rest RENAME CONSTRAINT side_turns_game_id_fkey TO side_turns_rest_game_id_fkey;

CREATE TABLE side_turns (
    LIKE side_turns_rest INCLUDING CONSTRAINTS INCLUDING STORAGE INCLUDING COMMENTS
) PARTITION BY LIST (judge_id);
COMMENT ON TABLE side_turns IS 'The turns of a judged side, ascending by ply. A partition each for judges that partition_judge was called for; side_turns_rest has those of all others.';
COMMENT ON TABLE side_turns_rest IS 'Of side_turns: the judges that have no partition of their own.';
ALTER TABLE side_turns ATTACH PARTITION side_turns_rest DEFAULT;
-- They take over those of the partition, which are alike.
ALTER TABLE side_turns
    ADD CONSTRAINT side_turns_pkey PRIMARY KEY (game_id, judge_id, colour),
    ADD CONSTRAINT side_turns_game_id_fkey FOREIGN KEY (game_id) REFERENCES game ON DELETE CASCADE;
CREATE INDEX side_turns_position ON side_turns USING gin (position_keys)
WITH (fastupdate = off) WHERE position_keys IS NOT NULL;

-- As it was, of the new table.
CREATE VIEW turn AS
SELECT
    s.game_id, s.judge_id,
    get_byte(s.figures, t.at) * 256 + get_byte(s.figures, t.at + 1) AS ply,
    s.colour AS mover,
    get_byte(s.figures, t.at + 6) AS legal,
    (get_byte(s.figures, t.at + 2) # 128) * 256 + get_byte(s.figures, t.at + 3) - 32768 AS best_cp,
    (get_byte(s.figures, t.at + 4) # 128) * 256 + get_byte(s.figures, t.at + 5) - 32768 AS played_cp,
    get_byte(s.figures, t.at + 7) = 1 AS repeated
FROM side_turns AS s
CROSS JOIN generate_series(0, length(s.figures) - 8, 8) AS t (at);
COMMENT ON VIEW turn IS 'One decision each. mover: 0 White, 1 Black; best_cp, played_cp: final evaluations, mover''s view, limited to +-1000.';

CREATE FUNCTION partition_judge(of_judge smallint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    partition text := 'side_turns_' || of_judge;
    sides bigint = 0;
BEGIN
    IF to_regclass(partition) IS NOT NULL THEN
        RETURN 0;
    END IF;
    LOCK TABLE game, side_turns IN SHARE ROW EXCLUSIVE MODE;
    EXECUTE format(
        'CREATE TABLE %I (LIKE side_turns INCLUDING CONSTRAINTS INCLUDING STORAGE INCLUDING COMMENTS)'
        ' WITH (toast_tuple_target = 1024)', partition
    );
    EXECUTE format('COMMENT ON TABLE %I IS %L', partition, 'Of side_turns: judge ' || of_judge || '.');
    IF EXISTS (SELECT FROM judge_total AS t WHERE t.judge_id = of_judge) THEN
        EXECUTE format('INSERT INTO %I SELECT * FROM side_turns_rest WHERE judge_id = $1', partition)
        USING of_judge;
        GET DIAGNOSTICS sides = ROW_COUNT;
    END IF;
    -- What attaching it would otherwise do while nobody can read.
    EXECUTE format(
        'ALTER TABLE %I ADD PRIMARY KEY (game_id, judge_id, colour),'
        ' ADD FOREIGN KEY (game_id) REFERENCES game ON DELETE CASCADE,'
        ' ADD CONSTRAINT of_judge CHECK (judge_id = %s)', partition, of_judge
    );
    EXECUTE format(
        'CREATE INDEX %I ON %I USING gin (position_keys) WITH (fastupdate = off)'
        ' WHERE position_keys IS NOT NULL', partition || '_position', partition
    );
    IF sides > 0 THEN
        DELETE FROM side_turns_rest WHERE judge_id = of_judge;
    END IF;
    EXECUTE format('ALTER TABLE side_turns ATTACH PARTITION %I FOR VALUES IN (%s)', partition, of_judge);
    EXECUTE format('ALTER TABLE %I DROP CONSTRAINT of_judge', partition);
    RETURN sides;
END
$$;
COMMENT ON FUNCTION partition_judge IS 'Gives a judge a partition of its own, with the sides that are there; returns their number. Nobody stores evaluations or games meanwhile; nobody reads them at the end, while the default partition is read once.';
REVOKE ALL ON FUNCTION partition_judge FROM PUBLIC;

-- Those who store evaluations may not create tables, except by this.
CREATE FUNCTION partition_new_judge(of_judge smallint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '200ms' AS $$
BEGIN
    IF
        to_regclass('side_turns_' || of_judge) IS NOT NULL
        OR NOT EXISTS (SELECT FROM judge WHERE id = of_judge AND clear <> 'remote')
        OR EXISTS (SELECT FROM judge_total AS t WHERE t.judge_id = of_judge)
        OR (SELECT count(*) FROM pg_inherits WHERE inhparent = 'side_turns'::regclass) >= 64
        OR pg_relation_size('side_turns_rest') > 4::bigint << 30
    THEN
        RETURN false;
    END IF;
    LOCK TABLE game IN SHARE ROW EXCLUSIVE MODE;
    LOCK TABLE side_turns_rest IN ACCESS EXCLUSIVE MODE;
    PERFORM partition_judge(of_judge);
    RETURN true;
EXCEPTION WHEN lock_not_available OR deadlock_detected OR duplicate_table THEN
    RETURN false;
END
$$;
COMMENT ON FUNCTION partition_new_judge IS 'Gives a judge of this installation''s own engines a partition before its first side, if that can be done at once. Other people''s machines have many judges of few games each, which stay in the default partition.';
REVOKE ALL ON FUNCTION partition_new_judge FROM PUBLIC;
