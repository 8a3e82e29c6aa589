/*
 * What is usual, by kind of move, among the players of a pool: reads figures, or with --evals PGN
 * with evaluations, from standard input; writes the constants with --model=FILE and, of differences
 * between players, --between=FILE, and of how often a named weakness is in other games of the
 * player,
 * --halves=FILE; tables in Markdown to standard output. With --careers it writes the latter alone,
 * by the reference over the board. docs/profile.md describes the protocol.
 */
#include <gsl/gsl_errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "lab/profile/profile.h"
#include "stats/resample.h"

#define CAREER_REAL 40 /* games of a year that is looked at */
#define SCRAMBLES   100

static const char *option(int argc, char **argv, const char *name)
{
    const size_t n = strlen(name);

    for (int i = 1; i < argc; i++)
        if (strncmp(argv[i], name, n) == 0)
            return argv[i] + n;
    return NULL;
}

struct options {
    double low, high;
    bool evals, untimed;
};

/* All constants from the sides that are taken. Evaluations in files alone are of accounts with
 * games enough to tell how much players differ, and, if the games are untimed, tell what little
 * time costs: else these are as shipped. */
static void fitted(const struct profile_sides *s, const bool *take, const struct options *o,
                   struct ipr_profile_reference *r)
{
    const struct ipr_profile_reference *const files = &ipr_profile_online_rapid_files;

    memset(r->hurried, 0, sizeof r->hurried);
    if (o->untimed)
        memcpy(r->hurried, files->hurried, sizeof r->hurried);
    profile_fit(s, take, o->low, o->high, r);
    profile_kappa(s, take, r);
    profile_error(s, take, o->untimed, r);
    if (o->untimed)
        memcpy(r->error[IPR_PROFILE_HURRIED], files->error[IPR_PROFILE_HURRIED],
               sizeof r->error[IPR_PROFILE_HURRIED]);
    if (o->evals)
        profile_between(s, take, r);
    else
        memcpy(r->between, files->between, sizeof r->between);
}

/* ---- named again ---- */

static void repeated_head(void)
{
    printf(
        "\n| Sets of games | Number | Players | Named | There in the other half | By chance | p | "
        "More lost, where named | In the other half |\n"
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
}

static void repeated_print(const char *of, const struct profile_repeated *r)
{
    printf("| %s | %zu | %zu | %.1f | %.1f %% | %.1f %% | %.4f | %.1f %% | %.1f %% |\n", of,
           r->sets, r->players, r->named, 100 * r->there, 100 * r->chance, r->p, 100 * r->before,
           100 * r->after);
}

static bool repeated_write(const struct profile_repeated *r, const char *path)
{
    FILE *const f = path == NULL ? NULL : fopen(path, "w");

    if (path == NULL)
        return true;
    if (f == NULL)
        return false;
    fprintf(f, ".halves = { %.3f, %.3f, %.2g },\n", r->there, r->chance, r->p);
    return fclose(f) == 0;
}

/* How often players who differ in nothing would be said to. */
static void repeat_scrambled(struct profile_sides *s, const bool *all,
                             const struct ipr_profile_reference *r)
{
    struct profile_repeat t = { .r = r };
    unsigned below = 0;

    for (uint32_t k = 1; k <= SCRAMBLES; k++) {
        struct profile_repeated out;

        profile_scramble(s, all, k);
        profile_repeat_add(s, all, PROFILE_REAL, &t);
        profile_repeat_of(&t, 0, 0, &out);
        profile_repeat_free(&t);
        below += out.p < .05;
    }
    printf("\nOf %d times that the games were dealt to accounts of like rating at random, p was "
           "below .05 in %u.\n",
           SCRAMBLES, below);
}

static void repeat_sides(struct profile_sides *s, size_t least, struct profile_repeat *t)
{
    bool *const all = ipr_xcalloc(s->n + 1, sizeof *all);

    memset(all, 1, s->n);
    profile_repeat_add(s, all, least, t);
    t->group++;
    free(all);
    profile_free(s);
}

/* Accounts that were added half by half, by constants of the other half of them. */
static bool repeat_accounts(struct profile_repeat *t, const char *path)
{
    struct profile_repeated out;

    profile_repeat_of(t, 0, 0, &out);
    profile_repeat_free(t);
    repeated_head();
    repeated_print("accounts", &out);
    return repeated_write(&out, path);
}

/* Held-out sets: years of careers, and players of a pool over the board. */
static int repeat_held_out(const char *careers, const char *pool, const char *path)
{
    struct profile_repeat t = { .r = &ipr_profile_otb_moves };
    struct profile_repeated years, players, both;
    struct profile_sides s;

    if (!profile_read_careers(careers, &s))
        return 1;
    repeat_sides(&s, CAREER_REAL, &t);
    if (pool == NULL || freopen(pool, "r", stdin) == NULL || !profile_read_figures(NULL, &s))
        return 1;
    repeat_sides(&s, PROFILE_REAL, &t);
    profile_repeat_of(&t, 0, 0, &years);
    profile_repeat_of(&t, 1, 1, &players);
    profile_repeat_of(&t, 0, 1, &both);
    profile_repeat_free(&t);
    repeated_head();
    repeated_print("years of world champions", &years);
    repeated_print("players over the board", &players);
    repeated_print("both", &both);
    return repeated_write(&years, path) ? 0 : 1;
}

int main(int argc, char **argv)
{
    const char *const low = option(argc, argv, "--low="), *const high =
                                                              option(argc, argv, "--high=");
    const char *const model = option(argc, argv, "--model=");
    const char *const between = option(argc, argv, "--between=");
    struct options o = { .evals = option(argc, argv, "--evals") != NULL,
                         .untimed = option(argc, argv, "--untimed") != NULL };
    struct ipr_profile_reference r;
    struct profile_repeat repeat = { .r = &r };
    const char *const careers = option(argc, argv, "--careers=");
    const char *const named = option(argc, argv, "--halves=");
    struct profile_sides s;

    gsl_set_error_handler_off();
    memset(&r, 0, sizeof r);
    if (careers != NULL)
        return repeat_held_out(careers, option(argc, argv, "--pool="), named);
    if (low == NULL || high == NULL ||
        !(o.evals ? profile_read_evals(&s)
                  : profile_read_figures(option(argc, argv, "--clocks="), &s))) {
        fprintf(stderr, "profile --low=R --high=R [--evals] [--clocks=PGN] [--untimed] "
                        "[--model=FILE] [--between=FILE] [--halves=FILE] <GAMES\n"
                        "profile --careers=FIGURES --pool=FIGURES [--halves=FILE] <PGN\n");
        return 2;
    }
    o.low = atof(low);
    o.high = atof(high);
    bool *const fit = ipr_xcalloc(s.n + 1, sizeof *fit), *const rest = ipr_xcalloc(s.n + 1, 1);

    for (size_t i = 0; i < s.n; i++) {
        fit[i] = ipr_mix64(s.side[i].player) % 2 == 0;
        rest[i] = !fit[i];
    }
    printf("%zu sides, %zu moves.\n", s.n, s.moves);
    /* Each half of the players by constants of the other. */
    for (int half = 0; half < 2; half++) {
        const bool *const by = half == 0 ? fit : rest, *const left = half == 0 ? rest : fit;

        fitted(&s, by, &o, &r);
        if (o.evals) /* the others have hardly any accounts with so many games */
            profile_repeat_add(&s, left, PROFILE_REAL, &repeat);
        if (half == 0)
            profile_planted(&s, left, &r);
    }
    if (o.evals && !repeat_accounts(&repeat, named))
        return 1;
    if (model != NULL) {
        memset(fit, 1, s.n);
        fitted(&s, fit, &o, &r);
        if (!profile_write(&r, false, model) ||
            (between != NULL && !profile_write(&r, true, between)))
            return 1;
    }
    memset(fit, 1, s.n);
    if (o.evals)
        repeat_scrambled(&s, fit, &r);
    free(fit);
    free(rest);
    profile_free(&s);
    return 0;
}
