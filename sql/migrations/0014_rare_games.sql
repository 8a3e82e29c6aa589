-- Lists of games that few games fit need not look through all of them for a page: unfinished ones,
-- and those of fast or correspondence chess, which most collections have few of.

CREATE INDEX game_unfinished ON game (year, date, id) WHERE result = 0;
CREATE INDEX game_not_classical ON game (year, date, id) WHERE time_class > 1;
