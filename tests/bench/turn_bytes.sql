-- Bytes that judged turns take in the database, indexes and all that lies beside the turns included:
-- of the whole tables, so that there must be more than a few games. Printed as one number a line:
-- turns, bytes per turn. Run it by psql -X -qAt after a VACUUM.
SELECT count(*) FROM turn;
SELECT round(
    (
        pg_total_relation_size('turn') + pg_total_relation_size('judged_side')
        + pg_total_relation_size('endgame_turn')
    )::numeric / nullif((SELECT count(*) FROM turn), 0), 1
);
