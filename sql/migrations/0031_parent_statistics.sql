-- Statistics of all partitions of side_turns together. Autovacuum analyses each partition, but never the
-- whole, of which the planner then knows nothing where a query reads several.

CREATE FUNCTION analyse_turns() RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET lock_timeout = '200ms' AS $$
DECLARE
    known real := (SELECT greatest(reltuples, 0) FROM pg_class WHERE oid = 'side_turns'::regclass);
    there real := (
        SELECT coalesce(sum(greatest(c.reltuples, 0)), 0)
        FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid
        WHERE i.inhparent = 'side_turns'::regclass
    );
BEGIN
    IF abs(there - known) <= known / 10 THEN
        RETURN false;
    END IF;
    -- Of all at once: the count of rows that ANALYZE makes stays when it fails at a later partition.
    LOCK TABLE public.side_turns IN SHARE UPDATE EXCLUSIVE MODE;
    ANALYZE public.side_turns;
    RETURN true;
EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
    RETURN false;
END
$$;
COMMENT ON FUNCTION analyse_turns IS 'Renews them when the rows that autovacuum has counted in partitions differ by a tenth from those that they were made of. Does not wait for a partition that is being vacuumed.';
REVOKE ALL ON FUNCTION analyse_turns FROM PUBLIC;
