#ifndef IPR_PGN_TIME_CONTROL_H
#define IPR_PGN_TIME_CONTROL_H

#include "pgn/time_class.h"

/**
 * Class of a time control by the time one player has for 60 moves: classical from 60 minutes,
 * rapid above 10, blitz from 3, bullet below (FIDE Laws of Chess 2023, A.1 and B.1, which know no
 * bullet); correspondence from 24 hours, which no game over the board has.
 *
 * Understood: the fields of the PGN standard 9.6.1 ("40/7200:3600", "300+3", "1/86400"), with an
 * increment in any of them; chess.com's "15|10", ICC's "15 10" (minutes, seconds); words ("G/90",
 * "90'+30''", "100'/40 + 50'/20 + 15' + 30''", "5 min", "3 days/move").
 *
 * The standard counts seconds, broadcasts and arbiters write minutes ("90+30"). The numbers tell:
 * a base above 150 or with decimals is seconds; below 15, or with an increment from an eighth of
 * it, minutes (an increment is rarely a tenth of the base when both are in seconds, and rarely
 * less than a sixth in mixed units); from 60 with an increment up to a twentieth, seconds.
 * Where that leaves both, they must agree on the class.
 *
 * Unknown for "?", "-", text that is none of these, and sandclocks ("*60"), which put no bound
 * on the time for 60 moves.
 */
enum ipr_time_class ipr_time_control_class(struct ipr_str text);

#endif
