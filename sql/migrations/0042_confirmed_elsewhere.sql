-- Other people's machines confirm, too.

DROP INDEX job_remote;
CREATE INDEX job_remote ON job (worker)
    WHERE state = 'leased' AND (program = 'fishnet' OR kind = 'confirm');
