/*
 * The moves of games under the networks of human moves: reads PGN with evaluations and ratings from
 * standard input, and writes a file for each RUN_CHUNK games. Several may run at once on one
 * folder; one that is killed leaves a .claim without a .bin.
 *
 *     run [--moves] NETWORKS OUT [GAMES]
 *
 * --moves: of games without evaluations, too.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "core/human_model.h"
#include "lab/human/games.h"

#define RUN_CHUNK 45

static void run_game(const struct ipr_human *human, const struct human_game *g, size_t number,
                     FILE *out)
{
    struct ipr_human_move *const m = ipr_xcalloc(g->n + 1, sizeof *m);
    const struct human_header header = { g->digest, (uint32_t)number, (uint32_t)g->n };
    struct ipr_pos start;

    ipr_pos_start(&start);
    ipr_human_moves(human, &start, g->move, g->n, m);
    fwrite(&header, sizeof header, 1, out);
    fwrite(m, sizeof *m, g->n, out);
    free(m);
}

static bool run_chunk(const struct ipr_human *human, const struct human_games *games, size_t chunk,
                      const char *dir)
{
    char claim[512], part[512], path[512];
    FILE *out;
    int fd;

    snprintf(claim, sizeof claim, "%s/%05zu.claim", dir, chunk);
    snprintf(part, sizeof part, "%s/%05zu.part", dir, chunk);
    snprintf(path, sizeof path, "%s/%05zu.bin", dir, chunk);
    if ((fd = open(claim, O_CREAT | O_EXCL, 0644)) < 0)
        return true;
    close(fd);
    out = fopen(part, "wb");
    for (size_t i = chunk * RUN_CHUNK; out != NULL && i < (chunk + 1) * RUN_CHUNK && i < games->n;
         i++)
        run_game(human, &games->game[i], i, out);
    return out != NULL && fclose(out) == 0 && rename(part, path) == 0;
}

int main(int argc, char **argv)
{
    const bool moves = argc > 1 && strcmp(argv[1], "--moves") == 0;
    char **const arg = argv + moves;
    const size_t wanted = argc - moves > 3 ? strtoul(arg[3], NULL, 10) : SIZE_MAX;
    struct ipr_err err = IPR_ERR_INIT;
    struct human_games games = { .evaluations = !moves };
    struct ipr_human human;
    bool ok = true;

    if (argc - moves < 3 || !human_games_read(&games))
        return 2;
    if (ipr_human_model_read(arg[1], &human, &err) != IPR_OK) {
        fprintf(stderr, "run: %s\n", err.msg);
        return 1;
    }
    for (size_t chunk = 0; ok && chunk * RUN_CHUNK < games.n && chunk * RUN_CHUNK < wanted; chunk++)
        ok = run_chunk(&human, &games, chunk, arg[2]);
    if (!ok)
        perror(arg[2]);
    ipr_human_free(&human);
    return ok ? 0 : 1;
}
