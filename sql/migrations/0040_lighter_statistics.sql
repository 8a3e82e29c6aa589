-- The statistics that an import ends with took a twelfth of its time. Of games and events a smaller sample
-- is enough, and columns that no query compares are left out: a table of which not all columns are
-- analysed is still due for autovacuum, which makes the rest a little later.

CREATE OR REPLACE FUNCTION analyse_games(changed bigint) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET lock_timeout = '200ms' AS $$
DECLARE
    known real := (SELECT greatest(reltuples, 0) FROM pg_class WHERE oid = 'game'::regclass);
BEGIN
    IF changed <= known / 10 THEN
        RETURN false;
    END IF;
    ANALYZE public.player, public.player_year, public.player_total, public.player_turns,
        public.judged_side, public.side_turns;
    PERFORM set_config('default_statistics_target', '10', true);
    ANALYZE public.game (
            id, white_id, black_id, year, date, result, white_elo, black_elo, plies, event_id, upload_id,
            moves_key, stem, time_class
        ), public.event (id, name, year);
    RETURN true;
EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
    RETURN false;
END
$$;
