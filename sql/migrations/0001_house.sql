-- The whole first schema: judges, players, games, uploads, the queue, judged turns, aggregates.

CREATE TABLE judge (
    id          smallint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name        text NOT NULL,
    engine      text NOT NULL,
    network     text NOT NULL,
    multipv     smallint NOT NULL CHECK (multipv BETWEEN 1 AND 250),
    depth       smallint NOT NULL CHECK (depth BETWEEN 1 AND 60),
    hash_mb     integer NOT NULL CHECK (hash_mb BETWEEN 1 AND 65536),
    threads     smallint NOT NULL CHECK (threads >= 1),
    first_move  smallint NOT NULL CHECK (first_move >= 1),
    created     timestamptz NOT NULL DEFAULT now(),
    UNIQUE (name, engine, network, multipv, depth, hash_mb, threads, first_move)
);
COMMENT ON TABLE judge IS 'An engine, its version and network, and the settings it searches with. Figures of two judges are never mixed.';

CREATE TABLE player (
    id          integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name        text NOT NULL,
    name_key    text NOT NULL UNIQUE CHECK (octet_length(name_key) <= 1000)
);
COMMENT ON COLUMN player.name IS 'As first spelled in a game.';
COMMENT ON COLUMN player.name_key IS 'NFC, case folded, white space and punctuation normalised: what makes two spellings one player.';

CREATE TABLE upload (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    created     timestamptz NOT NULL DEFAULT now(),
    source      text NOT NULL,
    digest      bytea NOT NULL,
    bytes       bigint NOT NULL,
    judge       text NOT NULL,
    games_read  integer NOT NULL DEFAULT 0,
    imported    integer NOT NULL DEFAULT 0,
    duplicate   integer NOT NULL DEFAULT 0,
    rejected    integer NOT NULL DEFAULT 0,
    judged      integer NOT NULL DEFAULT 0
);
COMMENT ON COLUMN upload.source IS 'File name, or "api".';
COMMENT ON COLUMN upload.digest IS 'BLAKE2b-256 of the bytes as sent: the same file again is recognised.';
COMMENT ON COLUMN upload.judge IS 'Name of the judge its games were queued for; empty when none was.';
COMMENT ON COLUMN upload.judged IS 'Games that came with judgements of their own (interchange form).';
CREATE INDEX upload_digest ON upload (digest);

CREATE TABLE upload_error (
    upload_id   bigint NOT NULL REFERENCES upload ON DELETE CASCADE,
    game        integer NOT NULL,
    line        integer NOT NULL,
    col         integer NOT NULL,
    ply         integer,
    type        text NOT NULL,
    detail      text NOT NULL,
    white       text NOT NULL,
    black       text NOT NULL,
    PRIMARY KEY (upload_id, game)
);
COMMENT ON COLUMN upload_error.game IS '1-based number of the game in the upload.';

CREATE TABLE game (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    digest      bytea NOT NULL UNIQUE,
    white_id    integer NOT NULL REFERENCES player,
    black_id    integer NOT NULL REFERENCES player,
    year        smallint NOT NULL DEFAULT 0,
    date        text NOT NULL,
    event       text NOT NULL,
    site        text NOT NULL,
    round       text NOT NULL,
    result      smallint NOT NULL CHECK (result BETWEEN 0 AND 3),
    white_elo   smallint,
    black_elo   smallint,
    plies       smallint NOT NULL,
    start_fen   text,
    moves       bytea NOT NULL,
    tags        json NOT NULL,
    created     timestamptz NOT NULL DEFAULT now()
);
COMMENT ON COLUMN game.digest IS 'BLAKE2b-256 of start position, moves, both name keys and the year: an identical game.';
COMMENT ON COLUMN game.year IS 'Calendar year of the Date tag; 0 when unknown: such a game belongs to no player-year.';
COMMENT ON COLUMN game.result IS '0 unknown, 1 White won, 2 Black won, 3 drawn.';
COMMENT ON COLUMN game.start_fen IS 'NULL for the initial position.';
COMMENT ON COLUMN game.moves IS 'Two bytes a half-move, little endian: from, to, promotion, castling (analysis/chess/position.h).';
COMMENT ON COLUMN game.tags IS 'All tags as they were sent; json, not jsonb, because their order is kept.';
CREATE INDEX game_white ON game (white_id, year);
CREATE INDEX game_black ON game (black_id, year);
-- Hash, not btree: an event may be a text of any length.
CREATE INDEX game_event ON game USING hash (event);

CREATE TABLE upload_game (
    upload_id   bigint NOT NULL REFERENCES upload ON DELETE CASCADE,
    ordinal     integer NOT NULL,
    game_id     bigint NOT NULL REFERENCES game ON DELETE CASCADE,
    duplicate   boolean NOT NULL,
    PRIMARY KEY (upload_id, ordinal)
);
CREATE INDEX upload_game_game ON upload_game (game_id);

CREATE TABLE job (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    game_id      bigint NOT NULL REFERENCES game ON DELETE CASCADE,
    judge        text NOT NULL,
    priority     smallint NOT NULL DEFAULT 5,
    state        text NOT NULL DEFAULT 'ready' CHECK (state IN ('ready', 'leased', 'failed')),
    run_at       timestamptz NOT NULL DEFAULT now(),
    attempts     smallint NOT NULL DEFAULT 0,
    max_attempts smallint NOT NULL DEFAULT 3,
    silences     smallint NOT NULL DEFAULT 0,
    lease_token  bigint,
    lease_until  timestamptz,
    worker       text,
    turns_done   smallint NOT NULL DEFAULT 0,
    turns_total  smallint NOT NULL DEFAULT 0,
    last_error   text,
    UNIQUE (game_id, judge)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);
COMMENT ON TABLE job IS 'One game to be judged. A finished job is deleted; a failed one stays with its reason.';
COMMENT ON COLUMN job.silences IS 'Leases that ran out: the worker died or was cut off. No attempt is counted for them, but a game that takes every worker with it must end too.';
COMMENT ON COLUMN job.lease_token IS 'Fencing: only the holder of the current token may complete or prolong.';
CREATE INDEX job_ready ON job (priority, run_at, id) WHERE state = 'ready';
CREATE INDEX job_lease ON job (lease_until) WHERE state = 'leased';
CREATE INDEX job_failed ON job (id) WHERE state = 'failed';

CREATE TABLE judged_side (
    game_id     bigint NOT NULL REFERENCES game ON DELETE CASCADE,
    judge_id    smallint NOT NULL REFERENCES judge,
    colour      smallint NOT NULL CHECK (colour IN (0, 1)),
    turns       smallint NOT NULL,
    nodes       bigint NOT NULL,
    source      text NOT NULL,
    finished    timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (game_id, judge_id, colour)
);
COMMENT ON TABLE judged_side IS 'One player''s turns of one game, judged whole. A side is judged exactly once by a judge.';
COMMENT ON COLUMN judged_side.source IS 'The worker that judged it, or "import".';

CREATE TABLE turn (
    game_id     bigint NOT NULL,
    judge_id    smallint NOT NULL,
    ply         smallint NOT NULL,
    mover       smallint NOT NULL CHECK (mover IN (0, 1)),
    legal       smallint NOT NULL,
    nodes       bigint NOT NULL,
    best_cp     smallint NOT NULL,
    played_cp   smallint NOT NULL,
    played      smallint NOT NULL,
    repeated    boolean NOT NULL,
    lines       bytea NOT NULL,
    PRIMARY KEY (game_id, judge_id, ply),
    FOREIGN KEY (game_id) REFERENCES game ON DELETE CASCADE
);
COMMENT ON COLUMN turn.ply IS 'Half-moves of the game played before it.';
COMMENT ON COLUMN turn.mover IS '0 White, 1 Black; not the parity of ply where a game starts with Black to move.';
COMMENT ON COLUMN turn.played IS 'Index of the move played among the lines.';
COMMENT ON COLUMN turn.best_cp IS 'Evaluation of the best line, or of the move played when judged apart and better; mover''s view, limited to +-1000 (a mate is +-1000).';
COMMENT ON COLUMN turn.lines IS 'Root moves and the score of each at every completed depth (analysis/uci/judge.h, ipr_judged_pack).';
ALTER TABLE turn ALTER COLUMN lines SET STORAGE MAIN;

CREATE TABLE player_year (
    player_id   integer NOT NULL REFERENCES player,
    year        smallint NOT NULL,
    judge_id    smallint NOT NULL REFERENCES judge,
    version     bigint NOT NULL DEFAULT 0,
    games       integer NOT NULL DEFAULT 0,
    turns       integer NOT NULL DEFAULT 0,
    counted     integer NOT NULL DEFAULT 0,
    at_0        integer NOT NULL DEFAULT 0,
    at_30       integer NOT NULL DEFAULT 0,
    transitions integer[] NOT NULL,
    PRIMARY KEY (player_id, year, judge_id)
) WITH (fillfactor = 70);
COMMENT ON TABLE player_year IS 'Aggregates of one player, one calendar year, one judge; kept in the transaction that stores a judged side.';
COMMENT ON COLUMN player_year.version IS 'Grows with every change: keys what is computed from the year.';
COMMENT ON COLUMN player_year.games IS 'Sides judged: a game of a player against the same name counts twice.';
COMMENT ON COLUMN player_year.turns IS 'Turns judged.';
COMMENT ON COLUMN player_year.counted IS 'Turns in the conformance window: from move 10, not forced.';
COMMENT ON COLUMN player_year.at_0 IS 'Of those, moves played as good as the best.';
COMMENT ON COLUMN player_year.at_30 IS 'Of those, moves that lost at most 0.30 pawns.';
COMMENT ON COLUMN player_year.transitions IS '361 counts, row-major 19 x 19: class of the best move to class of the move played, over the same window.';

CREATE TABLE player_total (
    player_id   integer NOT NULL REFERENCES player,
    judge_id    smallint NOT NULL REFERENCES judge,
    games       integer NOT NULL,
    turns       bigint NOT NULL,
    PRIMARY KEY (player_id, judge_id)
) WITH (fillfactor = 70);
COMMENT ON TABLE player_total IS 'Judged sides and turns of a player, dated or not: the order of the list of players.';

CREATE TABLE judge_total (
    judge_id    smallint NOT NULL REFERENCES judge,
    shard       smallint NOT NULL,
    games       bigint NOT NULL,
    sides       bigint NOT NULL,
    turns       bigint NOT NULL,
    transitions bigint[] NOT NULL,
    PRIMARY KEY (judge_id, shard)
) WITH (fillfactor = 50);
COMMENT ON TABLE judge_total IS 'All a judge has judged, in a few rows so that workers seldom wait for each other.';
COMMENT ON COLUMN judge_total.shard IS 'Game id modulo 16.';
COMMENT ON COLUMN judge_total.transitions IS 'As in player_year, over all players, dated or not: the pooled rows.';

CREATE TABLE calibration (
    id          integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name        text NOT NULL UNIQUE,
    judge       json NOT NULL,
    record      json NOT NULL,
    digest      text NOT NULL,
    created     timestamptz NOT NULL DEFAULT now()
);
COMMENT ON COLUMN calibration.record IS 'What `intrinsic calibrate` wrote: reference turns, mileposts, the line from mean error to Elo.';

CREATE TABLE rating (
    player_id      integer NOT NULL REFERENCES player,
    year           smallint NOT NULL,
    judge_id       smallint NOT NULL REFERENCES judge,
    calibration_id integer NOT NULL REFERENCES calibration ON DELETE CASCADE,
    version        bigint NOT NULL,
    answer         json NOT NULL,
    PRIMARY KEY (player_id, year, judge_id, calibration_id)
);
COMMENT ON TABLE rating IS 'Computed answers, kept while player_year.version is the one they rest on.';

CREATE TABLE token (
    id          integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name        text NOT NULL,
    digest      bytea NOT NULL UNIQUE,
    created     timestamptz NOT NULL DEFAULT now()
);
COMMENT ON COLUMN token.digest IS 'BLAKE2b-256 of the secret; the secret itself is shown once and not kept.';
