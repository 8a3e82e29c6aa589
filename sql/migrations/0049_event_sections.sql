-- Sections of one event: names of a year that differ in the words for a section at their end alone.

-- The name without these words, folded: that of "Aeroflot Open A" and of "Aeroflot Open, Group B". NULL where it
-- has none, so that "Corus" is no section beside "Corus A". Numbers and letters count after a word for a group;
-- letters A to H also alone.
CREATE FUNCTION event_whole(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT nullif(lower(substring($1 FROM
    '(?i)^(.*\S)[ ,:;./|–—-]+\(?(?:(?:group|gruppe|grupo|groupe|section|gr\.?|sect\.?)[ -]*(?:[a-z]|[0-9]{1,2}|[iv]{1,4})|[a-h]'
    || '|open|women|ladies|girls|juniors?|seniors?|masters|challengers|amateurs|reserves?|u-?[0-9]{1,4}|under[ -]?[0-9]{1,4})\)?$'
)), lower($1))
$$;
CREATE INDEX event_whole ON event (year, md5(event_whole(name))) WHERE event_whole(name) IS NOT NULL;
COMMENT ON INDEX event_whole IS 'A digest, since names may be too long for an index.';
