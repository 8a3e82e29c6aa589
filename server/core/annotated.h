#ifndef IPR_CORE_ANNOTATED_H
#define IPR_CORE_ANNOTATED_H

#include "core/interchange.h"

/* Alliot's annotated PGN as evaluations: docs/import.md, "Alliot's annotated PGN". */

/**
 * The evaluations of a game's searched moves (IPR_NOTE_SEARCH), with the engine that its tag
 * Annotator names: moves, judge, judged and sides of `out`, in `mem`; its tags are not set. A side
 * counts if every position in which it is to move has the move played and, where there is another
 * legal one, one that was not played. False if that holds of neither, or the tag has no engine,
 * first move or limit.
 */
bool ipr_annotated_read(const struct ipr_pgn_game *game, struct ipr_arena *mem,
                        struct ipr_interchange_game *out);

#endif
