-- Sections of one event: names of a year that differ in their last words alone.

-- The name without the words for a section at its end, folded: "Aeroflot Open A" and "Aeroflot Open, Group B"
-- have one. Numbers and letters count after a word for a group; letters A to H also alone.
CREATE FUNCTION event_whole(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT lower(regexp_replace(
    $1,
    '[ ,:;./|–—-]+\(?((group|gruppe|grupo|groupe|section|gr\.?|sect\.?)[ -]*([A-Za-z]|[0-9]{1,2}|[IV]{1,4})|[A-H]'
    || '|open|women|ladies|girls|juniors?|seniors?|masters|challengers|amateurs|reserves?|U-?[0-9]{1,4}|under[ -]?[0-9]{1,4})\)?$',
    '', 'i'
))
$$;
CREATE INDEX event_whole ON event (year, md5(event_whole(name)));
COMMENT ON INDEX event_whole IS 'A digest, since names may be too long for an index.';
