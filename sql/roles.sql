-- Roles with no more rights than their program needs, for a PostgreSQL server; run once by a superuser
-- (psql -f). Whoever owns the database then runs `intrinsic migrate`, which gives them their rights
-- (sql/grants.sql), now and after every upgrade. Roles that log in are members of one of them:
--
--     CREATE ROLE name LOGIN PASSWORD '…' IN ROLE intrinsic_worker;
--
-- intrinsic_service is for `intrinsic serve` and the commands, intrinsic_worker for `intrinsic worker`.
DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['intrinsic_service', 'intrinsic_worker'] LOOP
        BEGIN
            EXECUTE format('CREATE ROLE %I NOLOGIN', name);
        EXCEPTION WHEN duplicate_object OR unique_violation THEN
            NULL;
        END;
    END LOOP;
END
$$;
