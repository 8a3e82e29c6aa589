#include "db/evidence.h"

#include "db/side_turns.h"
#include "queries/evidence_inside.h"

enum ipr_code ipr_db_games_turns(struct ipr_db *db, int32_t judge_id, bool own,
                                 const struct ipr_db_evidence_game *game, size_t n,
                                 struct ipr_arena *mem, struct ipr_db_game_evidence *out,
                                 struct ipr_err *err)
{
    struct ipr_db_evidence_side *sides = NULL;
    int64_t *const ids = ipr_arena_alloc(mem, n + 1, sizeof *ids);
    size_t n_sides = 0, s = 0;

    for (size_t i = 0; i < n; i++)
        ids[i] = game[i].id;
    enum ipr_code rc = ipr_db_evidence_sides(db, ids, n, judge_id, own, mem, &sides, &n_sides, err);
    for (size_t i = 0; rc == IPR_OK && i < n; i++) {
        struct ipr_db_game_side side[2];
        size_t of = 0;

        while (s < n_sides && sides[s].game_id < game[i].id)
            s++;
        out[i] = (struct ipr_db_game_evidence){ 0 };
        for (; s < n_sides && sides[s].game_id == game[i].id && of < 2; s++) {
            side[of++] = sides[s].side;
            out[i].counts |= (unsigned)sides[s].counts << sides[s].side.colour;
            if (ipr_db_side_lacks_lines(&sides[s].side))
                out[i].sums[sides[s].side.colour] =
                    (struct ipr_side_sums){ .version = sides[s].strength_version,
                                            .score = sides[s].strength_score,
                                            .information = sides[s].strength_information,
                                            .moves = sides[s].strength_moves };
        }
        rc = ipr_db_side_game(side, of, IPR_SIDES_WITH_LINES, mem, &out[i].judged, err);
        if (rc == IPR_OK)
            rc = ipr_db_side_game(side, of, IPR_SIDES_OF_FIGURES, mem, &out[i].figures, err);
    }
    return rc;
}
