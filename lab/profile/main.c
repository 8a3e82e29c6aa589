/*
 * What is usual, by kind of move, among the players of a pool: reads figures, or with --evals PGN
 * with evaluations, from standard input; writes the constants with --model=FILE and, of differences
 * between players, --between=FILE; tables in Markdown to standard output. docs/profile.md describes
 * the protocol.
 */
#include <gsl/gsl_errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "lab/profile/profile.h"
#include "stats/resample.h"

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

int main(int argc, char **argv)
{
    const char *const low = option(argc, argv, "--low="), *const high =
                                                              option(argc, argv, "--high=");
    const char *const model = option(argc, argv, "--model=");
    const char *const between = option(argc, argv, "--between=");
    struct options o = { .evals = option(argc, argv, "--evals") != NULL,
                         .untimed = option(argc, argv, "--untimed") != NULL };
    struct ipr_profile_reference r;
    struct profile_halves halves = { .r = &r };
    struct profile_sides s;

    gsl_set_error_handler_off();
    memset(&r, 0, sizeof r);
    if (low == NULL || high == NULL ||
        !(o.evals ? profile_read_evals(&s)
                  : profile_read_figures(option(argc, argv, "--clocks="), &s))) {
        fprintf(stderr, "profile --low=R --high=R [--evals] [--clocks=PGN] [--untimed] "
                        "[--model=FILE] [--between=FILE] <GAMES\n");
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
        const bool *const by = half == 0 ? fit : rest, *const of = half == 0 ? rest : fit;

        fitted(&s, by, &o, &r);
        halves.r = &r;
        profile_halves(&s, of, &halves);
        if (half == 0)
            profile_planted(&s, of, &r);
    }
    printf(
        "\nHalves of accounts: %zu; they name %zu weaknesses, and in %zu of these more is lost in "
        "the other half, too (%.1f by chance).\n",
        halves.halves, halves.named, halves.again, halves.chance);
    if (model != NULL) {
        memset(fit, 1, s.n);
        fitted(&s, fit, &o, &r);
        r.halves.named = (double)halves.named;
        r.halves.again = (double)halves.again;
        r.halves.chance = halves.chance;
        if (!profile_write(&r, false, model) ||
            (between != NULL && !profile_write(&r, true, between)))
            return 1;
    }
    free(fit);
    free(rest);
    profile_free(&s);
    return 0;
}
