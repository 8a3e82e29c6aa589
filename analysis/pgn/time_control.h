#ifndef IPR_PGN_TIME_CONTROL_H
#define IPR_PGN_TIME_CONTROL_H

#include "pgn/time_class.h"

/**
 * Class of a time control by the time one player has for 60 moves: classical from 60 minutes,
 * rapid above 10, blitz from 3, bullet below (FIDE Laws of Chess 2023, A.1 and B.1, which know no
 * bullet); correspondence from 24 hours, which no game over the board has.
 *
 * The class is known when the whole text is understood and all its readings are of one class;
 * otherwise, and for "?", "-" and sandclocks ("*60"), which put no bound on the time, the class is
 * unknown.
 *
 * Understood: the fields of the PGN standard 9.6.1 ("40/7200:3600", "300+3", "1/86400"), each with
 * its increment; chess.com's "15|10", ICC's "15 10"; American notation ("40/90, SD/30; +30",
 * "G/60 d5"); units and words ("90'+30''", "1h30+30s", "100 minutes for 40 moves, 50 for next 20,
 * 15 to finish", "3 days/move"). A delay counts as an increment; outside the standard's form an
 * increment is for all moves; the last period repeats.
 *
 * A number without a unit: the standard counts seconds, broadcasts and arbiters write minutes
 * ("90+30"), and hours of small numbers ("40/2, SD/1"). Readings that do not occur in practice are
 * excluded:
 * - seconds: of one unit throughout; a base from 10, an increment up to a fifth of the base (a
 *   tenth below a minute), unless the base is above 150, has decimals or is for fewer than 10
 *   moves; 5 seconds a move at least where several periods have moves; in American notation and
 *   beside words only bases above 300;
 * - minutes: whole, up to 150 (300 in American notation and beside words), at least 5 seconds a
 *   move; not the "60", "60+1", "120+1" of the servers (whole minutes of seconds alone, increment
 *   below 3);
 * - hours: up to 2.5, for a number of moves or after another period.
 * So "60+10" and "120+15" are unknown (rapid or classical).
 */
enum ipr_time_class ipr_time_control_class(struct ipr_str text);

#endif
