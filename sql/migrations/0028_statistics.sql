-- Statistics of tables that the service fills at once. PostgreSQL lets only a table's owner renew them,
-- and only warns others: these functions do it with the owner's rights (sql/grants.sql says for whom).

CREATE FUNCTION analyse_players() RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
    ANALYZE public.player, public.surname, public.spelling;
END
$$;

CREATE FUNCTION analyse_listed_years() RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
    ANALYZE public.listed_year;
END
$$;

REVOKE EXECUTE ON FUNCTION analyse_players(), analyse_listed_years() FROM public;
