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

/* The cost of little time, where the games do not say it: as given. */
static void timed(struct ipr_profile_reference *r, const char *hurried)
{
    char *end = NULL;

    r->hurried[0] = hurried == NULL ? 0 : strtod(hurried, &end);
    r->hurried[1] = hurried == NULL ? 0 : strtod(end + 1, NULL);
}

int main(int argc, char **argv)
{
    const char *const low = option(argc, argv, "--low="), *const high =
                                                              option(argc, argv, "--high=");
    const char *const model = option(argc, argv, "--model=");
    const char *const between = option(argc, argv, "--between=");
    const char *const hurried = option(argc, argv, "--hurried=");
    const bool evals = option(argc, argv, "--evals") != NULL;
    struct ipr_profile_reference r;
    struct profile_halves halves = { .r = &r };
    struct profile_sides s;

    gsl_set_error_handler_off();
    memset(&r, 0, sizeof r);
    if (low == NULL || high == NULL ||
        !(evals ? profile_read_evals(&s)
                : profile_read_figures(option(argc, argv, "--clocks="), &s))) {
        fprintf(stderr, "profile --low=R --high=R [--evals] [--clocks=PGN] [--hurried=N,N] "
                        "[--model=FILE] [--between=FILE] <GAMES\n");
        return 2;
    }
    bool *const fit = ipr_xcalloc(s.n + 1, sizeof *fit), *const rest = ipr_xcalloc(s.n + 1, 1);

    for (size_t i = 0; i < s.n; i++) {
        fit[i] = ipr_mix64(s.side[i].player) % 2 == 0;
        rest[i] = !fit[i];
    }
    printf("%zu sides, %zu moves.\n", s.n, s.moves);
    /* Each half of the players by constants of the other. */
    for (int half = 0; half < 2; half++) {
        const bool *const by = half == 0 ? fit : rest, *const of = half == 0 ? rest : fit;

        timed(&r, hurried);
        profile_fit(&s, by, atof(low), atof(high), &r);
        profile_kappa(&s, by, &r);
        profile_between(&s, by, &r);
        halves.r = &r;
        profile_halves(&s, of, &halves);
        if (half == 0)
            profile_planted(&s, of, &r);
    }
    printf("\nHalves of accounts: %zu; a weakness is named in %zu, and more is lost there in the "
           "other half in %zu (%.1f by chance).\n",
           halves.halves, halves.named, halves.again, halves.chance);
    if (model != NULL) {
        memset(fit, 1, s.n);
        timed(&r, hurried);
        profile_fit(&s, fit, atof(low), atof(high), &r);
        profile_kappa(&s, fit, &r);
        profile_between(&s, fit, &r);
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
