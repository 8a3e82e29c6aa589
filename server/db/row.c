#include "db/pq.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Text of a column, NULL when it is NULL or something failed before. */
static const char *col_raw(struct ipr_db_row *r, const char *name)
{
    if (r->rc != IPR_OK)
        return NULL;
    const int col = PQfnumber(r->res, name);
    if (col < 0) {
        r->rc = ipr_err_set(r->err, IPR_EDB, "no column %s", name);
        return NULL;
    }
    return PQgetisnull(r->res, r->row, col) ? NULL : PQgetvalue(r->res, r->row, col);
}

static const char *col_required(struct ipr_db_row *r, const char *name)
{
    const char *s = col_raw(r, name);

    if (s == NULL && r->rc == IPR_OK)
        r->rc = ipr_err_set(r->err, IPR_EDB, "column %s is null", name);
    return s;
}

int64_t ipr_db_col_int(struct ipr_db_row *r, const char *name, int64_t lo, int64_t hi)
{
    const char *s = col_required(r, name);
    int64_t v = 0;

    if (s != NULL && !ipr_str_int(ipr_str_c(s), lo, hi, &v))
        r->rc = ipr_err_set(r->err, IPR_EDB, "column %s holds %s", name, s);
    return v;
}

int64_t ipr_db_col_i64(struct ipr_db_row *r, const char *name)
{
    return ipr_db_col_int(r, name, INT64_MIN, INT64_MAX);
}

int32_t ipr_db_col_i32(struct ipr_db_row *r, const char *name)
{
    return (int32_t)ipr_db_col_int(r, name, INT32_MIN, INT32_MAX);
}

int32_t ipr_db_col_i32_or(struct ipr_db_row *r, const char *name, int32_t when_null)
{
    return col_raw(r, name) != NULL ? ipr_db_col_i32(r, name) : when_null;
}

double ipr_db_col_double(struct ipr_db_row *r, const char *name)
{
    const char *s = col_required(r, name);
    double v = 0.0;

    if (s != NULL && !ipr_str_double(ipr_str_c(s), -HUGE_VAL, HUGE_VAL, &v))
        r->rc = ipr_err_set(r->err, IPR_EDB, "column %s holds %s", name, s);
    return v;
}

double ipr_db_col_double_or(struct ipr_db_row *r, const char *name, double when_null)
{
    return col_raw(r, name) != NULL ? ipr_db_col_double(r, name) : when_null;
}

bool ipr_db_col_bool(struct ipr_db_row *r, const char *name)
{
    const char *s = col_required(r, name);

    return s != NULL && s[0] == 't';
}

const char *ipr_db_col_text_or(struct ipr_db_row *r, const char *name, const char *when_null)
{
    const char *s = col_raw(r, name);

    return s != NULL ? ipr_arena_strndup(r->mem, s, strlen(s)) : when_null;
}

const char *ipr_db_col_text(struct ipr_db_row *r, const char *name)
{
    const char *s = col_required(r, name);

    return s != NULL ? ipr_arena_strndup(r->mem, s, strlen(s)) : "";
}

const char *ipr_db_col_word(struct ipr_db_row *r, const char *name)
{
    const char *s = col_required(r, name);

    return s != NULL ? s : "";
}

void ipr_db_col_accept(struct ipr_db_row *r, const char *name, bool known)
{
    if (!known && r->rc == IPR_OK)
        r->rc = ipr_err_set(r->err, IPR_EDB, "column %s holds %s", name, ipr_db_col_word(r, name));
}

void ipr_db_col_chars(struct ipr_db_row *r, const char *name, char *out, size_t size)
{
    snprintf(out, size, "%s", ipr_db_col_word(r, name));
}

/* One more than its value; 0: not a digit. Evaluations are read by it. */
static const unsigned char hex_digit[256] = {
    ['0'] = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ['a'] = 11, 12, 13, 14, 15, 16,
};

struct ipr_str ipr_db_col_bytes(struct ipr_db_row *r, const char *name)
{
    const char *s = col_required(r, name);
    const struct ipr_str none = { "", 0 };

    if (s == NULL)
        return none;
    const size_t n = strlen(s);
    bool ok = n >= 2 && n % 2 == 0 && s[0] == '\\' && s[1] == 'x';
    char *out = ipr_arena_alloc(r->mem, n / 2 + 1, 1);

    for (size_t i = 2; ok && i < n; i += 2) {
        const unsigned hi = hex_digit[(unsigned char)s[i]];
        const unsigned lo = hex_digit[(unsigned char)s[i + 1]];

        ok = hi != 0 && lo != 0;
        out[i / 2 - 1] = (char)((hi - 1) * 16 + lo - 1);
    }
    if (!ok) {
        r->rc = ipr_err_set(r->err, IPR_EDB, "column %s is not in hex", name);
        return none;
    }
    return (struct ipr_str){ out, n / 2 - 1 };
}

struct ipr_str ipr_db_col_bytes_or(struct ipr_db_row *r, const char *name)
{
    return col_raw(r, name) != NULL ? ipr_db_col_bytes(r, name) : (struct ipr_str){ "", 0 };
}

ipr_move *ipr_db_col_moves(struct ipr_db_row *r, const char *name, size_t *n)
{
    const struct ipr_str b = ipr_db_col_bytes_or(r, name);
    ipr_move *moves = ipr_arena_alloc(r->mem, b.n / 2, sizeof *moves);

    *n = b.n / 2;
    for (size_t i = 0; i < *n; i++)
        moves[i] =
            (ipr_move)((unsigned char)b.p[2 * i] | (unsigned)(unsigned char)b.p[2 * i + 1] << 8);
    return *n > 0 ? moves : NULL;
}

enum ipr_code ipr_db_list(struct ipr_db *db, enum ipr_query q, struct ipr_db_params *p,
                          struct ipr_arena *mem, size_t size, ipr_db_fill_fn fill, void **rows,
                          size_t *n, struct ipr_err *err)
{
    PGresult *res = NULL;
    enum ipr_code rc = ipr_db_exec(db, q, p, &res, err);

    if (rc != IPR_OK)
        return rc;
    const int count = PQntuples(res);
    struct ipr_db_row r = { .res = res, .mem = mem, .err = err, .rc = IPR_OK };
    char *out = ipr_arena_alloc(mem, (size_t)count, size);

    for (; r.row < count && r.rc == IPR_OK; r.row++)
        fill(&r, out + (size_t)r.row * size);
    if (r.rc == IPR_OK) {
        *rows = out;
        *n = (size_t)count;
    }
    PQclear(res);
    return r.rc;
}

enum ipr_code ipr_db_maybe(struct ipr_db *db, enum ipr_query q, struct ipr_db_params *p,
                           struct ipr_arena *mem, size_t size, ipr_db_fill_fn fill, void *out,
                           bool *found, struct ipr_err *err)
{
    PGresult *res = NULL;
    enum ipr_code rc = ipr_db_exec(db, q, p, &res, err);

    if (rc != IPR_OK)
        return rc;
    *found = PQntuples(res) > 0;
    if (!*found) {
        PQclear(res);
        return IPR_OK;
    }
    struct ipr_db_row r = { .res = res, .mem = mem, .err = err, .rc = IPR_OK };
    void *row = ipr_xcalloc(1, size); /* out stays untouched on failure */

    fill(&r, row);
    if (r.rc == IPR_OK)
        memcpy(out, row, size);
    free(row);
    PQclear(res);
    return r.rc;
}

void ipr_db_col_start(struct ipr_db_row *r, const char *name, struct ipr_pos *out)
{
    const char *fen = col_raw(r, name);

    if (fen == NULL)
        ipr_pos_start(out);
    else if (ipr_pos_from_fen(out, ipr_str_c(fen), NULL) != IPR_OK)
        r->rc = ipr_err_set(r->err, IPR_EDB, "a stored game starts from %s", fen);
}
