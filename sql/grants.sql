-- What the roles of sql/roles.sql may do, where they exist; `intrinsic migrate` runs it at its end. What
-- is not named here they may not: change tables, empty them, or read them.
DO $$
BEGIN
    IF (
        SELECT count(*) FROM pg_roles WHERE rolname IN ('intrinsic_service', 'intrinsic_worker')
    ) < 2 THEN
        RETURN;
    END IF;
    REVOKE ALL ON ALL TABLES IN SCHEMA public FROM intrinsic_service, intrinsic_worker;
    REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM intrinsic_service, intrinsic_worker;
    REVOKE CREATE ON SCHEMA public FROM PUBLIC;
    GRANT USAGE ON SCHEMA listed, private TO intrinsic_service;
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA listed, private TO intrinsic_service;
    GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA private TO intrinsic_service;

    REVOKE ALL ON FUNCTION partition_judge, partition_new_judge
    FROM PUBLIC, intrinsic_service, intrinsic_worker;
    GRANT EXECUTE ON FUNCTION partition_new_judge TO intrinsic_service, intrinsic_worker;

    -- The service reads and writes everything but the record of the migrations.
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO intrinsic_service;
    GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO intrinsic_service;
    REVOKE INSERT, UPDATE, DELETE ON schema_migration FROM intrinsic_service;
    GRANT EXECUTE ON FUNCTION analyse_players(), analyse_listed_years(), analyse_turns(),
    analyse_games
    TO intrinsic_service;

    -- A worker takes games from the queue and stores what their search gave, with the sums that follow
    -- from it, some by triggers. Of keys it learns the names, and says that one is silent or suspended.
    GRANT SELECT ON
        schema_migration, game, event, player, upload, upload_duplicate, job, job_postponed, job_total,
        judge, judge_definition, judge_total, judged_side, side_turns, player_year, player_total,
        player_turns, endgame_turn, remote_check, game_change, changed_year, upload_total, worker,
        confirmation
    TO intrinsic_worker;
    GRANT SELECT (id, name, kind, suspended, revoked, seen, silent, silences, checked, failed)
    ON token TO intrinsic_worker;
    GRANT UPDATE (suspended, silent, silences, checked, failed) ON token TO intrinsic_worker;
    GRANT INSERT, UPDATE, DELETE ON job, worker TO intrinsic_worker;
    GRANT INSERT, UPDATE, DELETE ON confirmation TO intrinsic_worker;
    GRANT UPDATE, DELETE ON job_postponed TO intrinsic_worker;
    GRANT INSERT, UPDATE, DELETE ON job_total, game_change TO intrinsic_worker;
    GRANT INSERT, DELETE ON judged_side TO intrinsic_worker;
    GRANT INSERT, UPDATE, DELETE ON side_turns TO intrinsic_worker;
    GRANT UPDATE (
        strength_version, strength_kept, strength_score, strength_information, strength_moves
    ) ON judged_side TO intrinsic_worker;
    GRANT INSERT, UPDATE ON judge_total, player_year, player_total, player_turns TO intrinsic_worker;
    GRANT INSERT ON judge, endgame_turn, changed_year, upload_total, side_confirmation TO intrinsic_worker;
    GRANT UPDATE (checked, turns, difference, passed) ON remote_check TO intrinsic_worker;
    -- To lock a game while it is stored takes the right to change some column.
    GRANT UPDATE (created) ON game TO intrinsic_worker;
END
$$;
