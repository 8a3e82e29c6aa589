/*
 * Compares predictors of results: reads the figures of the rating's calibration from standard input
 * and the champions' (--champions=FILE, unpacked), writes tables in Markdown to standard output and
 * with
 * --json=FILE a document. docs/predictors.md describes the protocol.
 */
#include <gsl/gsl_errno.h>
#include <stdlib.h>
#include <string.h>

#include "lab/predictors/predictors.h"

static enum ipr_code predictors_run(const struct bench_data *d, FILE *champions, const char *path,
                                    struct ipr_err *err)
{
    struct predictors_pools pools;
    struct predictors_games games;
    struct predictors_unit *units = NULL;
    size_t n = 0;

    predictors_pools_make(d, &pools);
    enum ipr_code rc = predictors_games_read(champions, &games, err);
    if (rc == IPR_OK)
        fprintf(stderr, "%zu games of the calibration are left out\n",
                predictors_games_leave_out(&games, d));
    if (rc == IPR_OK)
        rc = predictors_units(&games, &pools, &units, &n, err);
    if (rc == IPR_OK && !predictors_report(units, n, games.digest, path))
        rc = ipr_err_set(err, IPR_EIO, "%s cannot be written", path);
    free(units);
    predictors_games_free(&games);
    predictors_pools_free(&pools);
    return rc;
}

static const char *option_value(int argc, char **argv, const char *name)
{
    for (int i = 1; i < argc; i++)
        if (strncmp(argv[i], name, strlen(name)) == 0)
            return argv[i] + strlen(name);
    return NULL;
}

int main(int argc, char **argv)
{
    const char *const sets = option_value(argc, argv, "--champions=");
    FILE *const champions = sets != NULL ? fopen(sets, "r") : NULL;
    struct ipr_err err = IPR_ERR_INIT;
    struct bench_data d;

    gsl_set_error_handler_off();
    if (champions == NULL) {
        fputs("usage: predictors --champions=FILE [--json=FILE] <figures\n", stderr);
        return 1;
    }
    if (!bench_data_read(&d)) {
        fputs("predictors: no figures on standard input\n", stderr);
        return 1;
    }
    const enum ipr_code rc =
        predictors_run(&d, champions, option_value(argc, argv, "--json="), &err);
    if (rc != IPR_OK)
        fprintf(stderr, "predictors: %s\n", err.msg);
    fclose(champions);
    return rc == IPR_OK ? 0 : 1;
}
