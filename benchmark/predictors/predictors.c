/*
 * Compares predictors of results: reads the figures of the rating's calibration from standard input
 * and the champions' (--champions=FILE, unpacked), writes tables in Markdown to standard output.
 * docs/predictors.md describes the protocol.
 */
#include <gsl/gsl_errno.h>
#include <stdlib.h>
#include <string.h>

#include "benchmark/predictors/predictors.h"

static enum ipr_code predictors_run(const struct bench_data *d, FILE *champions,
                                    struct ipr_err *err)
{
    struct predictors_pools pools;
    struct predictors_games games;
    struct predictors_unit *units = NULL;
    size_t n = 0;

    predictors_pools_make(d, &pools);
    enum ipr_code rc = predictors_games_read(champions, &games, err);
    if (rc == IPR_OK)
        rc = predictors_units(&games, &pools, &units, &n, err);
    if (rc == IPR_OK)
        predictors_report(units, n);
    free(units);
    predictors_games_free(&games);
    predictors_pools_free(&pools);
    return rc;
}

int main(int argc, char **argv)
{
    static const char option[] = "--champions=";
    struct ipr_err err = IPR_ERR_INIT;
    struct bench_data d;
    FILE *champions;

    gsl_set_error_handler_off();
    if (argc != 2 || strncmp(argv[1], option, strlen(option)) != 0) {
        fputs("usage: predictors --champions=FILE <figures\n", stderr);
        return 1;
    }
    champions = fopen(argv[1] + strlen(option), "r");
    if (champions == NULL || !bench_data_read(&d)) {
        fputs("predictors: no figures\n", stderr);
        return 1;
    }
    const enum ipr_code rc = predictors_run(&d, champions, &err);
    if (rc != IPR_OK)
        fprintf(stderr, "predictors: %s\n", err.msg);
    fclose(champions);
    return rc == IPR_OK ? 0 : 1;
}
