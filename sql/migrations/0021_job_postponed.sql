-- An import is one long transaction, in which it must not lock jobs that workers have. Its requests
-- for the other side of such a game are stored with it, and join the job afterwards.

CREATE TABLE job_postponed (
    game_id     bigint NOT NULL REFERENCES game ON DELETE CASCADE,
    judge       text NOT NULL,
    priority    smallint NOT NULL,
    owner       text NOT NULL,
    PRIMARY KEY (game_id, judge)
);
COMMENT ON TABLE job_postponed IS 'Requests for both sides of games with a job for one side. The next sweep of the queue moves them to job.';
