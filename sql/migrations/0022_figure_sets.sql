-- Games whose moves are not known here, with the figures of sides that were analysed elsewhere.

ALTER TABLE side_turns
    ADD COLUMN second_cp bytea,
    ADD CHECK (length(second_cp) * 4 = length(figures));
COMMENT ON COLUMN side_turns.second_cp IS 'Of a side without lines, 2 bytes a turn: the evaluation of the second line, -32768 if there is none. NULL where the lines have it.';
COMMENT ON COLUMN side_turns.lines IS 'Of each turn the root moves and the score of each at every completed depth (analysis/uci/judge.h, ipr_judged_pack). Empty where second_cp is not NULL.';
COMMENT ON COLUMN game.moves IS 'Two bytes a half-move, little endian: from, to, promotion, castling (analysis/chess/position.h). Empty with plies above 0: known by moves_key alone.';
