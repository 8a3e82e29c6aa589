#include "db/games.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "db/pq.h"

#define BATCH 1000 /* games a statement */

/* Little endian on every machine, as the column says. */
static unsigned char *moves_bytes(const ipr_move *moves, size_t n, struct ipr_arena *mem)
{
    unsigned char *b = ipr_arena_alloc(mem, n, 2);

    for (size_t i = 0; i < n; i++) {
        b[2 * i] = (unsigned char)(moves[i] & 255);
        b[2 * i + 1] = (unsigned char)(moves[i] >> 8);
    }
    return b;
}

static enum ipr_code players_add(struct ipr_db *db, const struct ipr_db_new_game *g, size_t n,
                                 struct ipr_err *err)
{
    struct ipr_db_array names = { 0 }, keys = { 0 };
    struct ipr_db_params p = { 0 };

    for (size_t i = 0; i < n; i++) {
        ipr_db_array_text(&names, g[i].white);
        ipr_db_array_text(&keys, g[i].white_key);
        ipr_db_array_text(&names, g[i].black);
        ipr_db_array_text(&keys, g[i].black_key);
    }
    ipr_db_p_array_take(&p, &names);
    ipr_db_p_array_take(&p, &keys);
    return ipr_db_exec(db, IPR_Q_PLAYERS_ADD, &p, NULL, err);
}

static void add_elo(struct ipr_db_array *a, int elo)
{
    if (elo > 0 && elo <= INT16_MAX)
        ipr_db_array_int(a, elo);
    else
        ipr_db_array_null(a);
}

enum {
    DIGEST,
    WHITE,
    BLACK,
    YEAR,
    DATE,
    EVENT,
    SITE,
    ROUND,
    RESULT,
    WHITE_ELO,
    BLACK_ELO,
    PLIES,
    START_FEN,
    MOVES,
    TAGS,
    COLUMNS
}; /* the order of query games_add */

/* Ids of the games that were not there before, ascending. */
static enum ipr_code games_add(struct ipr_db *db, const struct ipr_db_new_game *g, size_t n,
                               struct ipr_arena *mem, int64_t **ids, size_t *n_ids,
                               struct ipr_err *err)
{
    struct ipr_db_array a[COLUMNS] = { 0 };
    struct ipr_db_params p = { 0 };
    void *list = NULL;

    for (size_t i = 0; i < n; i++) {
        ipr_db_array_bytes(&a[DIGEST], g[i].digest, sizeof g[i].digest);
        ipr_db_array_text(&a[WHITE], g[i].white_key);
        ipr_db_array_text(&a[BLACK], g[i].black_key);
        ipr_db_array_int(&a[YEAR], g[i].year);
        ipr_db_array_text(&a[DATE], g[i].date);
        ipr_db_array_text(&a[EVENT], g[i].event);
        ipr_db_array_text(&a[SITE], g[i].site);
        ipr_db_array_text(&a[ROUND], g[i].round);
        ipr_db_array_int(&a[RESULT], g[i].result);
        add_elo(&a[WHITE_ELO], g[i].white_elo);
        add_elo(&a[BLACK_ELO], g[i].black_elo);
        ipr_db_array_int(&a[PLIES], (int64_t)g[i].n_moves);
        ipr_db_array_text(&a[START_FEN], g[i].start_fen);
        ipr_db_array_bytes(&a[MOVES], moves_bytes(g[i].moves, g[i].n_moves, mem), 2 * g[i].n_moves);
        ipr_db_array_text(&a[TAGS], g[i].tags_json);
    }
    for (size_t c = 0; c < COLUMNS; c++)
        ipr_db_p_array_take(&p, &a[c]);
    const enum ipr_code rc = ipr_db_list(db, IPR_Q_GAMES_ADD, &p, mem, sizeof **ids,
                                         ipr_db_fill_id64, &list, n_ids, err);
    if (rc == IPR_OK)
        *ids = list;
    return rc;
}

/* The id of every game of the batch, in its order. */
static enum ipr_code ids_of(struct ipr_db *db, struct ipr_db_new_game *g, size_t n,
                            struct ipr_arena *mem, struct ipr_err *err)
{
    struct ipr_db_array digests = { 0 };
    struct ipr_db_params p = { 0 };
    void *list = NULL;
    size_t found = 0;

    for (size_t i = 0; i < n; i++)
        ipr_db_array_bytes(&digests, g[i].digest, sizeof g[i].digest);
    ipr_db_p_array_take(&p, &digests);
    const enum ipr_code rc = ipr_db_list(db, IPR_Q_GAMES_BY_DIGEST, &p, mem, sizeof(int64_t),
                                         ipr_db_fill_id64, &list, &found, err);
    if (rc != IPR_OK)
        return rc;
    if (found != n) /* deleted by somebody in between: the whole transaction again */
        return ipr_err_set(err, IPR_ERETRY, "%zu of %zu games are in the database", found, n);
    for (size_t i = 0; i < n; i++)
        g[i].id = ((const int64_t *)list)[i];
    return IPR_OK;
}

static int by_value(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* The first of equal new games is new, all else was there. */
static void mark_duplicates(struct ipr_db_new_game *g, size_t n, int64_t *fresh, size_t n_fresh,
                            struct ipr_arena *mem)
{
    bool *taken = ipr_arena_alloc(mem, n_fresh, sizeof *taken);

    if (n_fresh > 0)
        qsort(fresh, n_fresh, sizeof *fresh, by_value);
    for (size_t i = 0; i < n; i++) {
        const int64_t *at =
            n_fresh > 0 ? bsearch(&g[i].id, fresh, n_fresh, sizeof *fresh, by_value) : NULL;

        g[i].duplicate = at == NULL || taken[at - fresh];
        if (at != NULL)
            taken[at - fresh] = true;
    }
}

static enum ipr_code link_upload(struct ipr_db *db, int64_t upload_id,
                                 const struct ipr_db_new_game *g, size_t n, struct ipr_err *err)
{
    struct ipr_db_array ordinals = { 0 }, ids = { 0 }, duplicates = { 0 };
    struct ipr_db_params p = { 0 };

    for (size_t i = 0; i < n; i++) {
        ipr_db_array_int(&ordinals, g[i].ordinal);
        ipr_db_array_int(&ids, g[i].id);
        ipr_db_array_bool(&duplicates, g[i].duplicate);
    }
    ipr_db_p_int(&p, upload_id);
    ipr_db_p_array_take(&p, &ordinals);
    ipr_db_p_array_take(&p, &ids);
    ipr_db_p_array_take(&p, &duplicates);
    return ipr_db_exec(db, IPR_Q_UPLOAD_GAMES_ADD, &p, NULL, err);
}

static enum ipr_code insert_batch(struct ipr_db *db, int64_t upload_id, struct ipr_db_new_game *g,
                                  size_t n, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    int64_t *fresh = NULL;
    size_t n_fresh = 0;
    enum ipr_code rc = players_add(db, g, n, err);

    if (rc == IPR_OK)
        rc = games_add(db, g, n, &mem, &fresh, &n_fresh, err);
    if (rc == IPR_OK)
        rc = ids_of(db, g, n, &mem, err);
    if (rc == IPR_OK) {
        mark_duplicates(g, n, fresh, n_fresh, &mem);
        rc = link_upload(db, upload_id, g, n, err);
    }
    ipr_arena_release(&mem);
    return rc;
}

enum ipr_code ipr_db_games_insert(struct ipr_db *db, int64_t upload_id,
                                  struct ipr_db_new_game *games, size_t n, struct ipr_err *err)
{
    for (size_t i = 0; i < n; i++)
        if (games[i].n_moves > INT16_MAX || games[i].year < 0 || games[i].year > 9999)
            return ipr_err_set(err, IPR_EINVAL, "game %d: %zu plies, year %d",
                               (int)games[i].ordinal, games[i].n_moves, games[i].year);
    for (size_t i = 0; i < n; i += BATCH) {
        const size_t m = n - i < BATCH ? n - i : BATCH;
        const enum ipr_code rc = insert_batch(db, upload_id, games + i, m, err);

        if (rc != IPR_OK)
            return rc;
    }
    return IPR_OK;
}

static void fill_moves(struct ipr_db_row *r, struct ipr_db_game *g)
{
    const struct ipr_str b = ipr_db_col_bytes(r, "moves");

    g->n_moves = b.n / 2;
    g->moves = ipr_arena_alloc(r->mem, g->n_moves, sizeof *g->moves);
    for (size_t i = 0; i < g->n_moves; i++)
        g->moves[i] =
            (ipr_move)((unsigned char)b.p[2 * i] | (unsigned)(unsigned char)b.p[2 * i + 1] << 8);
}

static void fill_start(struct ipr_db_row *r, struct ipr_db_game *g)
{
    const char *fen = ipr_db_col_text_or(r, "start_fen", NULL);

    g->custom_start = fen != NULL;
    if (fen == NULL)
        ipr_pos_start(&g->start);
    else if (ipr_pos_from_fen(&g->start, ipr_str_c(fen), NULL) != IPR_OK)
        r->rc = ipr_err_set(r->err, IPR_EDB, "game %lld starts from %s", (long long)g->id, fen);
}

static void fill_game(struct ipr_db_row *r, void *out)
{
    struct ipr_db_game *g = out;

    g->id = ipr_db_col_i64(r, "id");
    g->white_id = ipr_db_col_i32(r, "white_id");
    g->black_id = ipr_db_col_i32(r, "black_id");
    g->white = ipr_db_col_text(r, "white");
    g->black = ipr_db_col_text(r, "black");
    g->event = ipr_db_col_text(r, "event");
    g->site = ipr_db_col_text(r, "site");
    g->date = ipr_db_col_text(r, "date");
    g->round = ipr_db_col_text(r, "round");
    g->tags_json = ipr_db_col_text(r, "tags");
    g->year = ipr_db_col_i32(r, "year");
    g->white_elo = ipr_db_col_i32_or(r, "white_elo", 0);
    g->black_elo = ipr_db_col_i32_or(r, "black_elo", 0);
    g->result = (enum ipr_result)ipr_db_col_int(r, "result", IPR_RESULT_UNKNOWN, IPR_DRAW);
    fill_start(r, g);
    fill_moves(r, g);
}

enum ipr_code ipr_db_game_get(struct ipr_db *db, int64_t id, struct ipr_arena *mem,
                              struct ipr_db_game *out, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    ipr_db_p_int(&p, id);
    return ipr_db_one(db, IPR_Q_GAME_GET, &p, mem, sizeof *out, fill_game, out, "such game", err);
}

enum ipr_code ipr_db_game_ids(struct ipr_db *db, const struct ipr_db_game_filter *filter,
                              struct ipr_arena *mem, int64_t **ids, size_t *n, struct ipr_err *err)
{
    static const struct ipr_db_game_filter any;
    const struct ipr_db_game_filter *f = filter != NULL ? filter : &any;
    struct ipr_db_params p = { 0 };
    enum ipr_query q = IPR_Q_GAME_IDS;
    void *list = NULL;

    ipr_db_p_int(&p, f->judge_id);
    ipr_db_p_int(&p, f->year);
    ipr_db_p_text(&p, f->tag);
    if (f->event != NULL) {
        q = IPR_Q_GAME_IDS_EVENT;
        ipr_db_p_text(&p, f->event);
        ipr_db_p_int(&p, f->player_id);
    } else if (f->player_id != 0) {
        q = IPR_Q_GAME_IDS_PLAYER;
        ipr_db_p_int(&p, f->player_id);
    }
    const enum ipr_code rc =
        ipr_db_list(db, q, &p, mem, sizeof **ids, ipr_db_fill_id64, &list, n, err);
    if (rc == IPR_OK)
        *ids = list;
    return rc;
}
