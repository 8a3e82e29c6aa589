-- Answers to writes that a client may repeat.

CREATE TABLE idempotent_answer (
    writer       text NOT NULL,
    key          text NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
    request      bytea NOT NULL CHECK (length(request) = 32),
    created      timestamptz NOT NULL DEFAULT now(),
    status       smallint CHECK (status BETWEEN 200 AND 499),
    content_type text,
    location     text,
    body         text,
    PRIMARY KEY (writer, key)
);
CREATE INDEX ON idempotent_answer (created);
COMMENT ON TABLE idempotent_answer IS 'Answers to requests with Idempotency-Key, for a day.';
COMMENT ON COLUMN idempotent_answer.writer IS 'Name of the token, "local" without one.';
COMMENT ON COLUMN idempotent_answer.request IS 'BLAKE2b of method, address and body.';
COMMENT ON COLUMN idempotent_answer.status IS 'NULL while the request is running.';
