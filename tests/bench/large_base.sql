-- What tests/bench/large.sql multiplies, and how it names and dates the copies.
CREATE TABLE large_base AS
SELECT
    (SELECT max(id) FROM player) AS player, (SELECT max(id) FROM event) AS event,
    (SELECT max(id) FROM game) AS game, (SELECT max(id) FROM upload) AS upload,
    (SELECT count(*)::integer FROM game) AS games,
    (SELECT id FROM judge WHERE name = 'rating') AS rating, 0 AS rounds;
-- Letters for a number: 0 "ba", 1 "be" … 100 "befa" ….
CREATE FUNCTION large_syllables(k integer) RETURNS text LANGUAGE sql IMMUTABLE AS $$
SELECT
    substr('bdfgklmnprstvz', k / 5 % 14 + 1, 1) || substr('aeiou', k % 5 + 1, 1)
    || CASE WHEN k >= 70
        THEN substr('bdfgklmnprstvz', k / 350 % 14 + 1, 1) || substr('aeiou', k / 70 % 5 + 1, 1)
        ELSE ''
    END
$$;
CREATE FUNCTION large_name(name text, surname text, given text) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
SELECT split_part(name, ',', 1) || surname || substr(name, length(split_part(name, ',', 1)) + 1) || ' ' || given
$$;
CREATE FUNCTION large_year(year integer, r integer) RETURNS smallint LANGUAGE sql IMMUTABLE AS $$
SELECT CASE WHEN year = 0 THEN 0 ELSE 1886 + (year - 1886 + 7 * r) % 140 END::smallint
$$;
