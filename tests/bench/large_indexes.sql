-- Remembers and drops every index that is no primary key; large.sh builds them again.
SET client_min_messages = warning;
CREATE TABLE IF NOT EXISTS large_index (name text, definition text);
INSERT INTO large_index
SELECT i.indexrelid::regclass::text, replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ')
FROM pg_index AS i
INNER JOIN pg_class AS c ON c.oid = i.indrelid
WHERE
    c.relnamespace = 'public'::regnamespace AND NOT i.indisprimary
    AND NOT EXISTS (SELECT FROM pg_constraint AS k WHERE k.conindid = i.indexrelid)
    AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname IN (
        'game', 'player', 'spelling', 'surname', 'event', 'judged_side', 'side_turns', 'player_year',
        'player_turns', 'upload_total'
    )
    AND i.indexrelid::regclass::text NOT IN (SELECT l.name FROM large_index AS l);
SELECT format('DROP INDEX IF EXISTS %s', name) FROM large_index
\gexec
