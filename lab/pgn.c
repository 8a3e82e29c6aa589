#include "lab/pgn.h"

#include <stdio.h>
#include <string.h>

#include "lab/names.h"

bool bench_pgn_read(ipr_pgn_game_fn take, void *payload)
{
    const struct ipr_pgn_limits limits = { .notes = true };
    struct ipr_pgn_reader *reader = ipr_pgn_reader_new(&limits, take, payload);
    struct ipr_err err = IPR_ERR_INIT;
    static char bytes[1 << 16];
    enum ipr_code rc = IPR_OK;
    size_t n;

    while (rc == IPR_OK && (n = fread(bytes, 1, sizeof bytes, stdin)) > 0)
        rc = ipr_pgn_reader_feed(reader, bytes, n, &err);
    if (rc == IPR_OK)
        rc = ipr_pgn_reader_finish(reader, &err);
    ipr_pgn_reader_free(&reader);
    if (rc != IPR_OK)
        fprintf(stderr, "games: %s\n", err.msg);
    return rc == IPR_OK;
}

uint64_t bench_pgn_player(const struct ipr_pgn_game *g, const char *tag)
{
    const struct ipr_str s = ipr_pgn_tag_get(g, tag);
    char text[256] = "";

    memcpy(text, s.p, s.n < sizeof text ? s.n : sizeof text - 1);
    return bench_digest(text);
}
