-- Merges that were decided together, and given names with their short forms in searches.

ALTER TABLE identity_change ADD COLUMN batch bigint REFERENCES identity_change;
CREATE INDEX identity_change_batch ON identity_change (batch) WHERE batch IS NOT NULL;
COMMENT ON COLUMN identity_change.batch IS 'The first of the changes that were decided together and are undone together; NULL: by itself.';

CREATE OR REPLACE FUNCTION name_query(folded text) RETURNS tsquery
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT string_agg(
    '(' || concat_ws(
        ' | ',
        '''' || replace(replace(w.word, '\', '\\'), '''', '''''') || ''':*',
        '''' || n.name || ''''
    ) || ')', ' & '
)::tsquery
FROM unnest(string_to_array(translate(left(folded, 500), ',.-', '   '), ' ')) AS w (word)
LEFT JOIN (
    VALUES
    ('alex', 'alexander'), ('andy', 'andrew'), ('ben', 'benjamin'), ('bill', 'william'),
    ('bob', 'robert'), ('bobby', 'robert'), ('dan', 'daniel'), ('dave', 'david'),
    ('dick', 'richard'), ('ed', 'edward'), ('fred', 'frederick'), ('harry', 'henry'),
    ('jack', 'john'), ('jim', 'james'), ('joe', 'joseph'), ('larry', 'lawrence'),
    ('max', 'machgielis'), ('mike', 'michael'), ('misha', 'mikhail'), ('nick', 'nicholas'),
    ('pete', 'peter'), ('ron', 'ronald'), ('sam', 'samuel'), ('sasha', 'alexander'),
    ('ted', 'edward'), ('tom', 'thomas'), ('tony', 'anthony'), ('vishy', 'viswanathan'),
    ('vlad', 'vladimir'), ('will', 'william')
) AS n (short, name) ON n.short = w.word
WHERE w.word <> ''
$$;
COMMENT ON FUNCTION name_query IS 'Finds names with all these words, or words that begin with them, or the given name that a word is the usual short form of; NULL when there is no word.';
