-- Chosen moves of a game, searched again so deeply that a page may say something about one of them. No
-- rating, count or total sees them: they are chosen, and would bias it.

ALTER TABLE job
    DROP CONSTRAINT job_kind_check,
    ADD CONSTRAINT job_kind_check CHECK (kind IN ('judge', 'check', 'confirm'));
COMMENT ON COLUMN job.kind IS 'judge: judge the game; check: judge some of its turns again and compare, because it came from somebody else''s machine; confirm: search the moves again that pages speak of.';

CREATE TABLE confirmation (
    game_id  bigint NOT NULL REFERENCES game ON DELETE CASCADE,
    judge_id smallint NOT NULL REFERENCES judge,
    source   text NOT NULL,
    finished timestamptz NOT NULL DEFAULT now(),
    turns    bytea NOT NULL,
    PRIMARY KEY (game_id, judge_id)
);
COMMENT ON TABLE confirmation IS 'Moves of a game that were searched again to be spoken of one by one. Never part of a rating.';
COMMENT ON COLUMN confirmation.source IS 'As in judged_side: the worker, or the import, that the last of them came by.';
COMMENT ON COLUMN confirmation.finished IS 'When the last of them was stored.';
COMMENT ON COLUMN confirmation.turns IS 'Ascending by half-move, in the form of core/confirmed.h.';
