-- Who played: identities by FIDE id or name, the persons that people make of them, and aggregates
-- by class of time control.

-- ---- identities and persons ---------------------------------------------------------------------

ALTER TABLE player
    ADD COLUMN fide_id integer CHECK (fide_id > 0),
    ADD COLUMN merged_into integer REFERENCES player CHECK (merged_into <> id),
    ADD COLUMN epoch bigint NOT NULL DEFAULT 0,
    DROP CONSTRAINT player_name_key_key;
COMMENT ON TABLE player IS 'An identity: whom the tags of games name. Row 0 stands for nobody: it has no player-years, no ratings and no place in a list. A person is an identity with merged_into NULL, its root, and all that are merged into it.';
COMMENT ON COLUMN player.name_key IS 'NFC, case folded, white space and punctuation normalised: what makes two spellings without FIDE id one identity.';
COMMENT ON COLUMN player.fide_id IS 'What makes it one identity when games are tagged with it, however they spell the name.';
COMMENT ON COLUMN player.merged_into IS 'The root of the person, never another member; NULL for a root.';
CREATE SEQUENCE person_epoch;
COMMENT ON COLUMN player.epoch IS 'Of a root: grows when the person gains or loses identities or games by a person''s decision. What is kept of a person rests on it.';
CREATE UNIQUE INDEX player_fide ON player (fide_id) WHERE fide_id IS NOT NULL;
CREATE UNIQUE INDEX player_name ON player (name_key) WHERE fide_id IS NULL;
CREATE INDEX player_member ON player (merged_into) WHERE merged_into IS NOT NULL;

-- ---- spellings ----------------------------------------------------------------------------------

CREATE FUNCTION name_fold(key text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
-- Most names are ASCII: as many bytes as characters.
SELECT CASE
    WHEN octet_length(key) = length(key) THEN translate(key, '`', '''')
    ELSE translate(
        replace(replace(replace(
            regexp_replace(normalize(key, NFKD), '[\u0300-\u036f]', '', 'g'),
            'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
        'øłđðı‐‑–—’‘`´', 'oldd' || 'i----''''''''')
END
$$;
COMMENT ON FUNCTION name_fold IS 'A name key in letters without accents: for finding, never for deciding who is who.';

CREATE FUNCTION name_block(surname text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
SELECT replace(replace(replace(replace(
    translate(surname, ' .''-&#%+?=/', ''), 'ae', 'a'), 'oe', 'o'), 'ue', 'u'), 'aa', 'a')
$$;
COMMENT ON FUNCTION name_block IS 'A folded surname without what spellings differ by: Müller, Mueller and Muller are one.';

CREATE FUNCTION name_bare(folded text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
SELECT regexp_replace(
    regexp_replace(folded, ' ?\(([a-z]{3}|[0-9]{4})\)(?=,|$)', '', 'g'),
    '^(gm|im|fm|cm|nm|igm|wgm|wim|wfm|wcm) (?=.*[ ,])', ''
)
$$;
COMMENT ON FUNCTION name_bare IS 'A folded name without a title in front and a federation or year in brackets behind.';

CREATE FUNCTION name_is_plain(folded text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT
    folded LIKE '%,%' AND folded NOT LIKE '%(%'
    AND folded NOT LIKE '_m %' AND folded NOT LIKE '__m %'
$$;
COMMENT ON FUNCTION name_is_plain IS 'What most names are: a surname before a comma, and surely no title or brackets.';

-- Not STRICT: a strict function of rows is run for every row, another is part of the query.
CREATE FUNCTION name_surnames(key text) RETURNS TABLE (block text, sure boolean)
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT
    name_block(split_part(p.folded, ',', 1)),
    true
FROM (SELECT name_fold(key) AS folded OFFSET 0) AS p
WHERE name_is_plain(p.folded)
UNION ALL
SELECT
    name_block(array_to_string(c.words, ' ')),
    bool_or(c.sure)
FROM (
    SELECT
        v.folded,
        regexp_split_to_array(btrim(v.folded, ' .'), '[ .]+') AS w
    FROM (SELECT name_fold(key) AS folded OFFSET 0) AS whole
    CROSS JOIN LATERAL (SELECT whole.folded UNION SELECT name_bare(whole.folded)) AS v
    WHERE NOT name_is_plain(whole.folded)
) AS f
CROSS JOIN LATERAL (
    SELECT
        ARRAY[split_part(f.folded, ',', 1)] AS words,
        true AS sure
    WHERE f.folded LIKE '%,%'
    UNION ALL
    SELECT
        f.w[cardinality(f.w) - n + 1:],
        true
    FROM generate_series(1, 3) AS n
    WHERE f.folded NOT LIKE '%,%' AND n <= cardinality(f.w)
    UNION ALL
    SELECT
        f.w[:n],
        false
    FROM generate_series(1, 3) AS n
    WHERE f.folded NOT LIKE '%,%' AND n < cardinality(f.w)
) AS c
-- A single letter is no surname, unless the name says so or is nothing else.
WHERE
    length(name_block(array_to_string(c.words, ' '))) > 1
    OR (c.sure AND (f.folded LIKE '%,%' OR cardinality(f.w) = 1) AND f.folded <> '')
GROUP BY 1
$$;
COMMENT ON FUNCTION name_surnames IS 'What may be the surname of a name: before a comma, else the last one to three words, or (not sure) the first ones; with and without title and brackets.';

CREATE TABLE spelling (
    player_id   integer NOT NULL REFERENCES player ON DELETE CASCADE,
    key         text COLLATE "C" NOT NULL,
    name        text NOT NULL,
    words       text NOT NULL GENERATED ALWAYS AS (
        ' ' || translate(name_fold(key), ',.-', '   ')
    ) STORED,
    PRIMARY KEY (player_id, key)
);
COMMENT ON TABLE spelling IS 'Every name under which games have mentioned an identity.';
COMMENT ON COLUMN spelling.name IS 'As first met.';
COMMENT ON COLUMN spelling.words IS 'Folded, each word after a space: what searches look into.';

-- Derived from spelling, whose player is checked: checking it again costs more than the row.
CREATE TABLE surname (
    block       text COLLATE "C" NOT NULL,
    player_id   integer NOT NULL,
    sure        boolean NOT NULL,
    PRIMARY KEY (block, player_id)
);
COMMENT ON TABLE surname IS 'Identities by what may be their surname: among those of one block doubtful pairs are looked for.';
COMMENT ON COLUMN surname.sure IS 'False: only if the surname comes first in a name without a comma.';
CREATE INDEX surname_player ON surname (player_id);
CREATE INDEX surname_sure ON surname (block, player_id) WHERE sure;

INSERT INTO spelling (player_id, key, name)
SELECT id, name_key, name FROM player WHERE id <> 0;
INSERT INTO surname (block, player_id, sure)
SELECT s.block, p.id, bool_or(s.sure)
FROM player AS p
CROSS JOIN LATERAL name_surnames(p.name_key) AS s
WHERE p.id <> 0
GROUP BY s.block, p.id;

-- ---- what people decided ------------------------------------------------------------------------

CREATE TABLE identity_change (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind        text NOT NULL CHECK (kind IN ('merge', 'split', 'distinct')),
    player_id   integer NOT NULL REFERENCES player,
    other_id    integer NOT NULL REFERENCES player CHECK (other_id <> player_id),
    moved       integer[] NOT NULL DEFAULT '{}',
    made        timestamptz NOT NULL DEFAULT now(),
    made_by     text NOT NULL,
    undone      timestamptz,
    undone_by   text
);
COMMENT ON TABLE identity_change IS 'Merges, splits and pairs declared two persons, in their order. Undone ones stay on record.';
COMMENT ON COLUMN identity_change.player_id IS 'Whom it was done to: the person merged, split, or declared distinct.';
COMMENT ON COLUMN identity_change.other_id IS 'What it was merged into, what games were moved to, or whom it is distinct from.';
COMMENT ON COLUMN identity_change.moved IS 'Of a merge: the identities that were the person then, its root among them.';
COMMENT ON COLUMN identity_change.made_by IS 'Name of the token, or "local" where none is needed.';
CREATE INDEX identity_change_player ON identity_change (player_id) WHERE undone IS NULL;
CREATE INDEX identity_change_other ON identity_change (other_id) WHERE undone IS NULL;

CREATE TABLE identity_change_side (
    change_id   bigint NOT NULL REFERENCES identity_change,
    game_id     bigint NOT NULL REFERENCES game ON DELETE CASCADE,
    colour      smallint NOT NULL CHECK (colour IN (0, 1)),
    player_id   integer NOT NULL REFERENCES player,
    PRIMARY KEY (change_id, game_id, colour)
);
COMMENT ON TABLE identity_change_side IS 'What a split moved, and from which identity: undoing moves it back.';
CREATE INDEX identity_change_side_game ON identity_change_side (game_id);

CREATE FUNCTION person_identities(identity integer) RETURNS integer[]
LANGUAGE sql STABLE STRICT PARALLEL SAFE AS $$
SELECT array_agg(m.id)
FROM player AS p
INNER JOIN player AS m
    ON m.id = coalesce(p.merged_into, p.id) OR m.merged_into = coalesce(p.merged_into, p.id)
WHERE p.id = identity
$$;
COMMENT ON FUNCTION person_identities IS 'All identities of the person that one belongs to.';

CREATE FUNCTION tagged_identities(identity integer) RETURNS integer[]
LANGUAGE sql STABLE STRICT PARALLEL SAFE AS $$
SELECT person_identities(identity) || array(
    SELECT other_id
    FROM identity_change
    WHERE kind = 'split' AND undone IS NULL AND player_id = ANY(person_identities(identity))
)
$$;
COMMENT ON FUNCTION tagged_identities IS 'The identities of a person, and those that games with its name were moved to.';

CREATE FUNCTION person_opponents(person integer) RETURNS TABLE (person_id integer)
LANGUAGE sql STABLE STRICT PARALLEL SAFE AS $$
SELECT DISTINCT coalesce(o.merged_into, o.id)
FROM player AS m
CROSS JOIN LATERAL (
    SELECT black_id AS id FROM game WHERE white_id = m.id
    UNION
    SELECT white_id AS id FROM game WHERE black_id = m.id
) AS s
INNER JOIN player AS o ON o.id = s.id
WHERE (m.id = person OR m.merged_into = person) AND o.id <> 0
$$;
COMMENT ON FUNCTION person_opponents IS 'Whom a person has played.';

-- ---- aggregates by class of time control --------------------------------------------------------

ALTER TABLE player_year
    ADD COLUMN time_class smallint NOT NULL DEFAULT 0 CHECK (time_class BETWEEN 0 AND 5),
    DROP CONSTRAINT player_year_pkey,
    ADD PRIMARY KEY (player_id, year, judge_id, time_class);
ALTER TABLE player_total
    ADD COLUMN time_class smallint NOT NULL DEFAULT 0 CHECK (time_class BETWEEN 0 AND 5),
    DROP CONSTRAINT player_total_pkey,
    ADD PRIMARY KEY (player_id, judge_id, time_class);
ALTER TABLE judge_total
    ADD COLUMN time_class smallint NOT NULL DEFAULT 0 CHECK (time_class BETWEEN 0 AND 5),
    DROP CONSTRAINT judge_total_pkey,
    ADD PRIMARY KEY (judge_id, shard, time_class);
COMMENT ON TABLE player_year IS 'Aggregates of one identity, one calendar year, one judge, one class of time control; kept in the transaction that stores a judged side.';
COMMENT ON COLUMN player_year.time_class IS 'As in game.';
COMMENT ON TABLE player_total IS 'Judged sides and turns of an identity, dated or not: the order of the list of players.';

-- Games that name no player have no player-years.
DELETE FROM player_year WHERE player_id = 0;
DELETE FROM player_total WHERE player_id = 0;

-- Kept answers are only worth computing again.
DELETE FROM rating;
ALTER TABLE rating
    ADD COLUMN time_classes smallint NOT NULL,
    DROP CONSTRAINT rating_pkey,
    ADD PRIMARY KEY (player_id, year, judge_id, calibration_id, time_classes);
COMMENT ON COLUMN rating.version IS 'Epoch of the person and versions of its player-years.';
COMMENT ON COLUMN rating.time_classes IS 'Set of the classes rated: bit n for class n.';
