/*
 * Figures for the benchmark from analysed games: NDJSON of the interchange form on standard input,
 * one line a game on standard output. No move, name or event leaves: players, events and games are
 * digests. docs/benchmark.md has the form.
 */
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/interchange.h"
#include "core/strength_turns.h"
#include "lab/names.h"

#define FIGURES_MATE 10000

static const char *figures_tag(const json_t *tags, const char *name)
{
    const char *value = json_string_value(json_object_get(tags, name));

    return value != NULL ? value : "";
}

/* Centipawns; a mate in n is 10000 - n; a depth that did not report the move is null. */
static json_t *figures_score(int16_t score)
{
    int n;

    if (score == IPR_SCORE_NONE)
        return json_null();
    if (!ipr_score_is_mate(score, &n))
        return json_integer(score);
    return json_integer(n > 0 ? FIGURES_MATE - n : -FIGURES_MATE - n);
}

static json_t *figures_scores(const struct ipr_judged_turn *t)
{
    json_t *lines = json_array();

    for (size_t line = 0; line < t->lines; line++) {
        json_t *scores = json_array();

        for (size_t k = 0; k < t->depth; k++)
            json_array_append_new(scores, figures_score(t->score[line * t->depth + k]));
        json_array_append_new(lines, scores);
    }
    return lines;
}

/* Pieces (3, 3, 5, 9) of the mover and of the opponent, pawns of each, in check, kinds of the best
 * two moves. */
static json_t *figures_turn(const struct ipr_judged_turn *t, const struct ipr_strength_turn *s)
{
    return json_pack("[iiiio[iiiiiii]]", (int)t->ply, (int)t->legal, (int)t->played,
                     (int)t->repeated, figures_scores(t), (int)s->pieces[0], (int)s->pieces[1],
                     (int)s->pawns[0], (int)s->pawns[1], (int)s->check, (int)s->kind[0],
                     (int)s->kind[1]);
}

static json_t *figures_turns(const struct ipr_interchange_game *g)
{
    struct ipr_strength_turn *turn = ipr_xcalloc(g->judged.n + 1, sizeof *turn);
    json_t *out = json_array();

    ipr_strength_turns(&g->start, g->moves, g->n_moves, &g->judged, turn);
    for (size_t i = 0; i < g->judged.n; i++)
        json_array_append_new(out, figures_turn(&g->judged.turns[i], &turn[i]));
    free(turn);
    return out;
}

static json_t *figures_side(const json_t *tags, const char *name, const char *elo)
{
    char player[128], digest[17];

    bench_player(figures_tag(tags, name), player);
    snprintf(digest, sizeof digest, "%08x", (unsigned)(bench_digest(player) >> 32));
    return json_pack("{sssi}", "player", digest, "elo",
                     (int)strtol(figures_tag(tags, elo), NULL, 10));
}

static void figures_print(const json_t *line, const struct ipr_interchange_game *game)
{
    const json_t *tags = json_object_get(line, "tags");
    const char *moves = json_string_value(json_object_get(line, "moves"));
    char id[17], event[17];
    json_t *out;

    snprintf(id, sizeof id, "%016llx",
             (unsigned long long)bench_digest(moves != NULL ? moves : ""));
    snprintf(event, sizeof event, "%08x",
             (unsigned)(bench_digest(figures_tag(tags, "Event")) >> 32));
    out = json_pack("{sssssisssssososo}", "game", id, "event", event, "year",
                    (int)strtol(figures_tag(tags, "Date"), NULL, 10), "set",
                    figures_tag(tags, "SetName"), "result", figures_tag(tags, "Result"), "white",
                    figures_side(tags, "White", "WhiteElo"), "black",
                    figures_side(tags, "Black", "BlackElo"), "turns", figures_turns(game));
    json_dumpf(out, stdout, JSON_COMPACT);
    putchar('\n');
    json_decref(out);
}

/* false: the line is no such game. */
static bool figures_game(struct ipr_str text, uint32_t number)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_interchange_game game;
    struct ipr_err err = IPR_ERR_INIT;
    json_t *line = json_loadb(text.p, text.n, 0, NULL);
    const bool ok = ipr_interchange_read(text, number, &mem, &game, &err) == IPR_OK;

    if (ok)
        figures_print(line, &game);
    else
        fprintf(stderr, "line %u: %s\n", (unsigned)number, err.msg);
    json_decref(line);
    ipr_arena_release(&mem);
    return ok;
}

int main(void)
{
    char *line = NULL;
    size_t size = 0;
    ssize_t n;
    bool ok = true;

    for (uint32_t number = 1; ok && (n = getline(&line, &size, stdin)) > 0; number++)
        ok = figures_game((struct ipr_str){ line, (size_t)n - (line[n - 1] == '\n') }, number);
    free(line);
    return ok ? 0 : 1;
}
