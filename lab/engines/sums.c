/*
 * Sums of the scores of moves, for the comparison of engines: analysed games, NDJSON of the
 * interchange form, on standard input; a line a game on standard output, without moves or names.
 *
 *     sums SET <GAMES.ndjson
 *
 * SET: the name of the pool whose ratings are in the tags. The scores are those of the model as it
 * is, whatever engine has analysed.
 */
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/interchange.h"
#include "core/strength_turns.h"
#include "lab/names.h"
#include "model/strength_shipped.h"

static const char *sums_tag(const json_t *tags, const char *name)
{
    const char *value = json_string_value(json_object_get(tags, name));

    return value != NULL ? value : "";
}

/* The last depths in the place of those that the model knows, so that other depths can be compared.
 */
static void sums_shift(struct ipr_judged_game *judged, struct ipr_arena *mem)
{
    for (size_t i = 0; i < judged->n; i++) {
        struct ipr_judged_turn *const t = &judged->turns[i];
        int16_t *const score =
            ipr_arena_alloc(mem, (size_t)t->lines * IPR_STRENGTH_DEPTHS, sizeof *score);

        for (size_t line = 0; line < t->lines; line++)
            for (size_t k = 0; k < IPR_STRENGTH_DEPTHS; k++)
                score[line * IPR_STRENGTH_DEPTHS + k] =
                    k + t->depth >= IPR_STRENGTH_DEPTHS
                        ? t->score[line * t->depth + k + t->depth - IPR_STRENGTH_DEPTHS]
                        : IPR_SCORE_NONE;
        t->score = score;
        t->depth = IPR_STRENGTH_DEPTHS;
    }
}

/* [Elo, moves that count, score, information] */
static json_t *sums_side(const struct ipr_interchange_game *g, const struct ipr_strength_turn *turn,
                         const struct ipr_strength_score *score, unsigned mover, const char *elo)
{
    double sum = 0, information = 0;
    int moves = 0;

    for (size_t i = 0; i < g->judged.n; i++) {
        if (g->judged.turns[i].mover != mover)
            continue;
        sum += score[i].score;
        information += score[i].information;
        moves += ipr_strength_counts(&turn[i]);
    }
    return json_pack("[iiff]", (int)strtol(elo, NULL, 10), moves, sum, information);
}

static void sums_print(const char *set, const json_t *line, const struct ipr_interchange_game *g)
{
    const json_t *const tags = json_object_get(line, "tags");
    const char *const moves = json_string_value(json_object_get(line, "moves"));
    struct ipr_strength_turn *const turn = ipr_xcalloc(g->judged.n + 1, sizeof *turn);
    struct ipr_strength_score *const score = ipr_xcalloc(g->judged.n + 1, sizeof *score);
    char id[17];

    ipr_strength_turns(&g->start, g->moves, g->n_moves, &g->judged, turn);
    ipr_strength_scores(&ipr_strength_shipped.model, turn, g->judged.n, score);
    snprintf(id, sizeof id, "%016llx",
             (unsigned long long)bench_digest(moves != NULL ? moves : ""));
    json_t *const out =
        json_pack("{sssssssssisoso}", "game", id, "set", set, "engine", g->judge.engine, "network",
                  g->judge.network, "depth", (int)g->judge.depth, "white",
                  sums_side(g, turn, score, 0, sums_tag(tags, "WhiteElo")), "black",
                  sums_side(g, turn, score, 1, sums_tag(tags, "BlackElo")));
    json_dumpf(out, stdout, JSON_COMPACT | JSON_REAL_PRECISION(6));
    putchar('\n');
    json_decref(out);
    free(score);
    free(turn);
}

int main(int argc, char **argv)
{
    char *line = NULL;
    size_t size = 0;
    ssize_t n;
    bool ok = argc == 2;

    for (uint32_t number = 1; ok && (n = getline(&line, &size, stdin)) > 0; number++) {
        struct ipr_arena mem = IPR_ARENA_INIT;
        struct ipr_interchange_game game;
        struct ipr_err err = IPR_ERR_INIT;
        const struct ipr_str text = { line, (size_t)n - (line[n - 1] == '\n') };
        json_t *const read = json_loadb(text.p, text.n, 0, NULL);

        ok = ipr_interchange_read(text, number, &mem, &game, &err) == IPR_OK;
        if (ok) {
            sums_shift(&game.judged, &mem);
            sums_print(argv[1], read, &game);
        } else {
            fprintf(stderr, "line %u: %s\n", (unsigned)number, err.msg);
        }
        json_decref(read);
        ipr_arena_release(&mem);
    }
    free(line);
    return ok ? 0 : 1;
}
