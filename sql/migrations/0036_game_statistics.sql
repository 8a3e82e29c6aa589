-- Statistics of the tables that an import fills. Until autovacuum comes, up to a minute later, the planner
-- may know of none of the new rows, or that no side has a rating: a player's page then takes
-- fifteen seconds where it takes a quarter of one.

CREATE FUNCTION analyse_games(changed bigint) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET lock_timeout = '200ms' AS $$
DECLARE
    known real := (SELECT greatest(reltuples, 0) FROM pg_class WHERE oid = 'game'::regclass);
BEGIN
    IF changed <= known / 10 THEN
        RETURN false;
    END IF;
    ANALYZE public.game, public.event, public.player, public.player_year, public.player_total,
        public.player_turns, public.judged_side, public.side_turns;
    RETURN true;
EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
    RETURN false;
END
$$;
COMMENT ON FUNCTION analyse_games IS 'Renews them after a change of so many games, if these are a tenth of those that they were made of. Does not wait for a table that is being vacuumed.';
REVOKE ALL ON FUNCTION analyse_games FROM PUBLIC;
