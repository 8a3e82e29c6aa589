/*
 * Speed of the move generator, every count compared. Two figures:
 *
 *   generated  perft: the moves of the last ply are generated and counted, not played.
 *              Stockfish's `go perft` does the same, so this is the one to compare.
 *   played     every leaf is played too, with its key; a sum over the keys keeps it honest.
 *
 * Reads lines "FEN ;D1 20 ;D2 400 ..." from standard input and runs each to the deepest count
 * of at most the limit given. A second argument lists every line. perft.sh sets Stockfish beside.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "perft.h"

static uint64_t play_all(const struct ipr_pos *pos, unsigned depth, uint64_t *keys)
{
    ipr_move list[IPR_MAX_MOVES];
    uint64_t nodes = 0;

    if (depth == 0) {
        *keys += pos->key;
        return 1;
    }
    const size_t n = ipr_pos_legal(pos, list);
    for (size_t i = 0; i < n; i++) {
        struct ipr_pos next = *pos;

        ipr_pos_play(&next, list[i]);
        nodes += play_all(&next, depth - 1, keys);
    }
    return nodes;
}

struct total {
    uint64_t nodes, keys;
    double generated, played; /* seconds */
    unsigned wrong;
};

/* The deepest count of a suite line that is within the limit. */
static unsigned choose_depth(char *fields, uint64_t limit, uint64_t *want)
{
    unsigned best = 0;
    char *save;

    for (char *f = strtok_r(fields, ";", &save); f != NULL; f = strtok_r(NULL, ";", &save)) {
        char *end;
        const unsigned depth = (unsigned)strtoul(f + 1, &end, 10);
        const uint64_t nodes = strtoull(end, NULL, 10);

        if (nodes <= limit && depth > best) {
            best = depth;
            *want = nodes;
        }
    }
    return best;
}

static void run(struct total *t, const char *fen, unsigned depth, uint64_t want, int verbose)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_pos pos;

    if (ipr_pos_from_fen(&pos, ipr_str_c(fen), &err) != IPR_OK) {
        printf("%s: %s\n", fen, err.msg);
        t->wrong++;
        return;
    }
    const double begin = seconds();
    const uint64_t generated = perft(&pos, depth);
    const double middle = seconds();
    const uint64_t played = play_all(&pos, depth, &t->keys);
    const double end = seconds();

    t->nodes += generated;
    t->generated += middle - begin;
    t->played += end - middle;
    if (verbose)
        printf("%" PRIu64 "\t%.4f\t%u\t%s\n", generated, middle - begin, depth, fen);
    if (generated != want || played != want) {
        printf("WRONG: %s depth %u: %" PRIu64 " generated, %" PRIu64 " played, %" PRIu64
               " expected\n",
               fen, depth, generated, played, want);
        t->wrong++;
    }
}

int main(int argc, char **argv)
{
    const uint64_t limit = argc > 1 ? strtoull(argv[1], NULL, 10) : 200000000;
    const int verbose = argc > 2;
    struct total t = { 0 };
    char line[512];

    while (fgets(line, sizeof line, stdin) != NULL) {
        char *const fields = strchr(line, ';');
        uint64_t want = 0;

        if (fields == NULL)
            continue;
        *fields = '\0';
        const unsigned depth = choose_depth(fields + 1, limit, &want);
        if (depth > 0)
            run(&t, line, depth, want, verbose);
    }
    fprintf(stderr, "%" PRIu64 "\t%.3f\t%.3f\t%u\t%" PRIx64 "\n", t.nodes, t.generated, t.played,
            t.wrong, t.keys);
    return t.wrong != 0;
}
