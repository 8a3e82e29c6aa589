#include "db/time_classes.h"

#include "core/file_evals.h"
#include "core/tags_json.h"
#include "db/turns.h"
#include "queries/games_inside.h"
#include "queries/strength_inside.h"

/* The class of these tags. */
static enum ipr_code class_of_tags(const char *tags_json, struct ipr_arena *mem,
                                   enum ipr_time_class *class, enum ipr_time_known *known,
                                   struct ipr_err *err)
{
    const struct ipr_pgn_tag *tags = NULL;
    size_t n = 0;

    const enum ipr_code rc = ipr_tags_from_json(tags_json, mem, &tags, &n, err);
    if (rc == IPR_OK)
        *class = ipr_time_class(tags, n, known);
    return rc;
}

/* The sums of evaluations in the file, on the scale of the game's pool; none where the moves are
 * not stored. */
static enum ipr_code game_sum_file(struct ipr_db *db, const struct ipr_db_game *game,
                                   struct ipr_arena *mem, struct ipr_err *err)
{
    struct ipr_pgn_note *notes = NULL;
    struct ipr_side_sums sums[2] = { { 0 } };
    struct ipr_file_evals e;
    size_t n = 0;
    enum ipr_code rc = IPR_OK;

    if (game->notes.n > 0)
        rc = ipr_notes_unpack(game->notes, mem, &notes, &n, err);
    if (rc != IPR_OK)
        return rc;
    ipr_file_evals_read(&game->start, game->moves, game->n_moves, notes, n, mem, &e);
    if (ipr_file_evals_suffice(&e))
        ipr_file_evals_sums(&e, ipr_pool_of(IPR_TIME_BIT(game->time_class)), &game->start,
                            game->moves, game->n_moves, sums);
    for (int c = 0; rc == IPR_OK && c < 2; c++)
        rc = ipr_db_strength_set_by_file(db, game->id, c, &sums[c], err);
    return rc;
}

/* Sums of analysed sides are taken from the old class and added to the new one; triggers do the
 * same for those of stored games. */
static enum ipr_code game_classify(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    const int64_t game_id = *(const int64_t *)arg;
    struct ipr_arena mem = IPR_ARENA_INIT;
    enum ipr_time_class class = IPR_TIME_UNKNOWN;
    enum ipr_time_known known = IPR_TIME_NOT_KNOWN;
    struct ipr_db_game_before *before = NULL; /* uploads added something */
    struct ipr_db_game game;
    size_t n = 0;

    enum ipr_code rc = ipr_db_game_get(db, game_id, &mem, &game, err);
    if (rc == IPR_OK)
        rc = class_of_tags(game.tags_json, &mem, &class, &known, err);
    if (rc == IPR_OK && class != game.time_class) {
        rc = ipr_db_sides_count(db, game_id, -1, err);
        if (rc == IPR_OK)
            rc = ipr_db_game_classify(db, game_id, (int)class, (int)known, err);
        game.time_class = class;
        if (rc == IPR_OK)
            rc = game_sum_file(db, &game, &mem, err);
        if (rc == IPR_OK)
            rc = ipr_db_sides_count(db, game_id, 1, err);
    }
    if (rc == IPR_OK)
        rc = ipr_db_game_versions_before(db, game_id, &mem, &before, &n, err);
    for (size_t i = 0; rc == IPR_OK && i < n; i++) {
        rc = class_of_tags(before[i].tags, &mem, &class, &known, err);
        if (rc == IPR_OK)
            rc = ipr_db_game_before_classify(db, before[i].upload_id, game_id, (int)class,
                                             (int)known, err);
    }
    if (rc == IPR_OK)
        rc = ipr_db_game_classified(db, game_id, err);
    ipr_arena_release(&mem);
    return rc;
}

enum ipr_code ipr_db_time_classes_renew(struct ipr_db *db, unsigned *n, struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;
    int64_t game_id = 0;
    bool found = true;

    for (*n = 0; rc == IPR_OK && found; ++*n) {
        rc = ipr_db_game_to_classify(db, &found, &game_id, err);
        if (rc != IPR_OK || !found)
            break;
        rc = ipr_db_tx(db, game_classify, &game_id, err);
    }
    return rc;
}
