-- Confirmations search the best move and the move played, or the second best, with all nodes each.

ALTER TABLE judge
    DROP CONSTRAINT judge_apart_check,
    ADD CONSTRAINT judge_apart_check CHECK (apart IN ('searchmoves', 'after', 'each', 'line'));
