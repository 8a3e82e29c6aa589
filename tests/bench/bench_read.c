/*
 * bench_read FILE [notes]: reads a PGN file and checks every move, as an import does, and keeps
 * nothing. With "notes" comments, glyphs, evaluations and clocks are read too. Prints games,
 * half-moves, notes, refused games and the peak of resident memory in KiB. reading.sh takes the
 * time.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "pgn/reader.h"

struct total {
    uint64_t games, plies, notes, refused;
};

static enum ipr_code count(void *payload, const struct ipr_pgn_game *game, struct ipr_err *err)
{
    struct total *t = payload;

    (void)err;
    t->games++;
    t->plies += game->n_moves;
    t->notes += game->n_notes;
    t->refused += game->error.code != IPR_OK;
    return IPR_OK;
}

static enum ipr_code read_file(FILE *f, struct ipr_pgn_reader *reader, struct ipr_err *err)
{
    static char bytes[1 << 16];
    enum ipr_code rc = IPR_OK;

    for (size_t n; rc == IPR_OK && (n = fread(bytes, 1, sizeof bytes, f)) > 0;)
        rc = ipr_pgn_reader_feed(reader, bytes, n, err);
    if (rc == IPR_OK && ferror(f))
        rc = ipr_err_set(err, IPR_EIO, "cannot read");
    if (rc == IPR_OK)
        rc = ipr_pgn_reader_finish(reader, err);
    return rc;
}

int main(int argc, char **argv)
{
    const struct ipr_pgn_limits limits = { .notes = argc > 2 && strcmp(argv[2], "notes") == 0 };
    struct ipr_err err = IPR_ERR_INIT;
    struct total t = { 0 };
    struct rusage usage;
    FILE *f = argc > 1 ? fopen(argv[1], "rb") : NULL;

    if (f == NULL) {
        fputs("usage: bench_read FILE [notes]\n", stderr);
        return 2;
    }
    struct ipr_pgn_reader *reader = ipr_pgn_reader_new(&limits, count, &t);
    const enum ipr_code rc = read_file(f, reader, &err);
    ipr_pgn_reader_free(&reader);
    fclose(f);
    if (rc != IPR_OK) {
        fprintf(stderr, "bench_read: %s\n", err.msg);
        return 1;
    }
    getrusage(RUSAGE_SELF, &usage);
    printf("%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %ld\n", t.games, t.plies, t.notes,
           t.refused, usage.ru_maxrss);
    return 0;
}
