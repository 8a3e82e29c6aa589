-- Tokens that may do only some things, for some time, up to so much a day; and who wrote what.

ALTER TABLE token
    ADD COLUMN scopes smallint NOT NULL DEFAULT 15 CHECK (scopes BETWEEN 1 AND 15),
    ADD COLUMN expires timestamptz,
    ADD COLUMN quota bigint CHECK (quota > 0),
    ADD COLUMN day date,
    ADD COLUMN day_bytes bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN token.scopes IS 'Set of 1 read, 2 upload, 4 judge, 8 admin (server/resource/scopes.h); tokens from before there were scopes have all.';
COMMENT ON COLUMN token.expires IS 'When it is no longer taken; NULL: never.';
COMMENT ON COLUMN token.quota IS 'Bytes that may be written with it in a day of UTC, each write counting for at least 1024; NULL: no limit.';
COMMENT ON COLUMN token.day IS 'The day that day_bytes is of.';
COMMENT ON COLUMN token.day_bytes IS 'Bytes written with it on that day.';
COMMENT ON COLUMN token.seen IS 'When it last requested a game or a write.';

CREATE TABLE audit (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at          timestamptz NOT NULL DEFAULT now(),
    writer      text NOT NULL,
    client      text NOT NULL,
    method      text NOT NULL,
    path        text NOT NULL,
    status      smallint NOT NULL,
    request     text NOT NULL
);
COMMENT ON TABLE audit IS 'The latest writes over HTTP that a token was taken for, or none was needed (query audit_add bounds their number).';
COMMENT ON COLUMN audit.writer IS 'Name of the token, "local" without one.';
COMMENT ON COLUMN audit.client IS 'Address of the client, by the word of a trusted proxy where there is one.';
COMMENT ON COLUMN audit.status IS 'Of HTTP; 0: the client left before an answer.';
COMMENT ON COLUMN audit.request IS 'X-Request-Id, as in the log.';
