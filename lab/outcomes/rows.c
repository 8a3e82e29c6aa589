#include "lab/outcomes/rows.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"

static bool rows_valid(const struct result_row *r, const struct result_rows *all)
{
    return r->elo[0] >= 0 && r->elo[1] >= 0 && r->halves >= 0 && r->halves <= 2 &&
           r->white != r->black && (all->n == 0 || all->row[all->n - 1].year <= r->year);
}

static void rows_add(struct result_rows *out, const struct result_row *r, size_t *size)
{
    const size_t players = (r->white > r->black ? r->white : r->black) + 1u;

    if (out->n == *size)
        out->row = ipr_xrealloc(out->row, *size = 2 * *size + 1024, sizeof *out->row);
    if (out->n == 0 || out->row[out->n - 1].year < r->year) {
        out->year = ipr_xrealloc(out->year, out->years + 1, sizeof *out->year);
        out->year[out->years++] = r->year;
    }
    out->row[out->n++] = *r;
    if (players > out->players)
        out->players = players;
}

bool result_rows_read(FILE *in, struct result_rows *out)
{
    size_t size = 0;
    struct result_row r;
    int read;

    *out = (struct result_rows){ 0 };
    while ((read = fscanf(in, "%" SCNd32 "%" SCNu32 "%" SCNu32 "%d%d%d", &r.year, &r.white,
                          &r.black, &r.elo[0], &r.elo[1], &r.halves)) == 6) {
        if (!rows_valid(&r, out))
            return false;
        rows_add(out, &r, &size);
    }
    return read == EOF && out->n > 0;
}

void result_rows_free(struct result_rows *r)
{
    free(r->row);
    free(r->year);
}
