/*
 * The scale of a pool by networks of human moves, where there are too few games for trees of its
 * own: the estimates are those of the trees of rapid, and the curve, errors and prior are the
 * pool's. Reads PGN with ratings from standard input, and the moves that `run --moves` has written.
 *
 *     scale --pool=NAME --knots=1000,1600,2200 [--between=VARIANCE] [--model=FILE.inc]
 *           [--json=FILE] FILES...
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "lab/human/games.h"
#include "lab/pool/pool.h"
#include "model/strength_human.h"
#include "model/strength_pools.h"

struct scale_data {
    struct pool_sides s;
    uint64_t
        left_out; /* an account with a side of every game: there is one rating of it; 0: none */
};

static void scale_add(void *of, const struct human_game *g, const struct ipr_human_move *m)
{
    struct scale_data *const d = of;

    for (unsigned colour = 0; colour < 2; colour++) {
        struct ipr_strength_score score = { 0, 0 };

        if (g->player[colour] == d->left_out ||
            ipr_human_add(ipr_strength_online_rapid_humans.human, m, g->n, colour, &score) == 0)
            continue;
        pool_add(&d->s, false, g->rating[colour], g->player[colour]);
        d->s.score[d->s.n - 1] = score;
    }
}

/* The account with a side of more than half of the games; 0: none. */
static uint64_t scale_everywhere(const struct human_games *games)
{
    for (size_t k = 0; k < 2 && games->n > 1; k++) {
        const uint64_t player = games->game[0].player[k];
        size_t n = 0;

        for (size_t i = 0; i < games->n; i++)
            n += games->game[i].player[0] == player || games->game[i].player[1] == player;
        if (2 * n > games->n)
            return player;
    }
    return 0;
}

static bool scale_write(const struct scale_data *d, const double *knot, size_t knots,
                        const char *path)
{
    bool *const take = ipr_xcalloc(d->s.n + 1, sizeof *take);
    FILE *const out = fopen(path, "w");
    struct pool_scale scale;

    if (out == NULL)
        return false;
    for (size_t i = 0; i < d->s.n; i++)
        take[i] = true;
    pool_calibrate(&d->s, take, knot, knots, &scale);
    pool_write_scale(out, ".alone = true,\n.human = &human,\n", &scale, NULL);
    free(take);
    return fclose(out) == 0;
}

int main(int argc, char **argv)
{
    const char *model = NULL, *json = NULL, *pool = "";
    struct human_games games = { .evaluations = false };
    double knot[IPR_STRENGTH_KNOTS];
    struct pool_scale half[2];
    bool ok = human_games_read(&games);
    struct scale_data d = { .left_out = ok ? scale_everywhere(&games) : 0 };
    size_t knots = 0;

    for (int i = 1; ok && i < argc; i++) {
        if (strncmp(argv[i], "--knots=", 8) == 0)
            knots = pool_knots(argv[i] + 8, knot);
        else if (strncmp(argv[i], "--model=", 8) == 0)
            model = argv[i] + 8;
        else if (strncmp(argv[i], "--json=", 7) == 0)
            json = argv[i] + 7;
        else if (strncmp(argv[i], "--pool=", 7) == 0)
            pool = argv[i] + 7;
        else if (strncmp(argv[i], "--between=", 10) == 0)
            d.s.between = strtod(argv[i] + 10, NULL);
        else
            ok = human_moves_read(&games, argv[i], scale_add, &d);
    }
    if (!ok || d.s.n == 0 || knots < 2)
        return 1;
    pool_halves(&d.s, knot, knots, half);
    json_t *const rows = pool_tables(&d.s, half, pool, "networks");
    ok = json == NULL || json_dump_file(rows, json, JSON_INDENT(1) | JSON_REAL_PRECISION(6)) == 0;
    json_decref(rows);
    return ok && (model == NULL || scale_write(&d, knot, knots, model)) ? 0 : 1;
}
