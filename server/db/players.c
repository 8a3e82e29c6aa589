#include "db/players.h"

#include "db/pq.h"

static void fill_player(struct ipr_db_row *r, void *out)
{
    struct ipr_db_player *p = out;

    p->id = ipr_db_col_i32(r, "id");
    p->name = ipr_db_col_text(r, "name");
    p->games = ipr_db_col_i32(r, "games");
    p->first_year = ipr_db_col_i32(r, "first_year");
    p->last_year = ipr_db_col_i32(r, "last_year");
    p->turns = ipr_db_col_i64(r, "turns");
    p->fide_id = ipr_db_col_i32_or(r, "fide_id", 0);
}

static void fill_person(struct ipr_db_row *r, void *out)
{
    struct ipr_db_player *p = out;

    fill_player(r, out);
    p->version = ipr_db_col_i64(r, "version");
}

enum ipr_code ipr_db_player_list(struct ipr_db *db, const char *search_key, int32_t judge_id,
                                 int64_t after_turns, int32_t after_id, int limit,
                                 struct ipr_arena *mem, struct ipr_db_player **rows, size_t *n,
                                 struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    void *list = NULL;

    ipr_db_p_text(&p, search_key != NULL ? search_key : "");
    ipr_db_p_int(&p, judge_id);
    ipr_db_p_int(&p, after_turns);
    ipr_db_p_int(&p, after_id);
    ipr_db_p_int(&p, limit);
    const enum ipr_code rc =
        ipr_db_list(db, IPR_Q_PLAYER_LIST, &p, mem, sizeof **rows, fill_player, &list, n, err);
    if (rc == IPR_OK)
        *rows = list;
    return rc;
}

enum ipr_code ipr_db_player_get(struct ipr_db *db, int32_t id, int32_t judge_id, unsigned times,
                                struct ipr_arena *mem, struct ipr_db_player *out,
                                struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    ipr_db_p_int(&p, id);
    ipr_db_p_int(&p, judge_id);
    ipr_db_p_times(&p, times);
    return ipr_db_one(db, IPR_Q_PLAYER_GET, &p, mem, sizeof *out, fill_person, out, "such player",
                      err);
}

static void fill_spelling(struct ipr_db_row *r, void *out)
{
    struct ipr_db_spelling *s = out;

    s->player_id = ipr_db_col_i32(r, "player_id");
    s->name = ipr_db_col_text(r, "name");
}

enum ipr_code ipr_db_player_spellings(struct ipr_db *db, int32_t person, struct ipr_arena *mem,
                                      struct ipr_db_spelling **rows, size_t *n, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    void *list = NULL;

    ipr_db_p_int(&p, person);
    const enum ipr_code rc = ipr_db_list(db, IPR_Q_PLAYER_SPELLINGS, &p, mem, sizeof **rows,
                                         fill_spelling, &list, n, err);
    if (rc == IPR_OK)
        *rows = list;
    return rc;
}

static void fill_member(struct ipr_db_row *r, void *out)
{
    struct ipr_db_member *m = out;

    m->id = ipr_db_col_i32(r, "id");
    m->name = ipr_db_col_text(r, "name");
    m->fide_id = ipr_db_col_i32_or(r, "fide_id", 0);
    m->change_id = ipr_db_col_i64(r, "change_id");
}

enum ipr_code ipr_db_player_members(struct ipr_db *db, int32_t person, struct ipr_arena *mem,
                                    struct ipr_db_member **rows, size_t *n, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    void *list = NULL;

    ipr_db_p_int(&p, person);
    const enum ipr_code rc =
        ipr_db_list(db, IPR_Q_PLAYER_MEMBERS, &p, mem, sizeof **rows, fill_member, &list, n, err);
    if (rc == IPR_OK)
        *rows = list;
    return rc;
}

static void fill_year(struct ipr_db_row *r, void *out)
{
    struct ipr_db_player_year *y = out;
    char column[] = "class_0";

    y->player_id = ipr_db_col_i32(r, "player_id");
    y->name = ipr_db_col_text(r, "name");
    y->year = ipr_db_col_i32(r, "year");
    for (int c = 0; c < IPR_TIME_CLASSES; c++) {
        column[sizeof column - 2] = (char)('0' + c);
        y->in_class[c] = ipr_db_col_i32(r, column);
    }
    y->games_judged = ipr_db_col_i32(r, "games_judged");
    y->turns = ipr_db_col_i32(r, "turns");
    y->counted = ipr_db_col_i32(r, "counted");
    y->at_0 = ipr_db_col_i32(r, "at_0");
    y->at_30 = ipr_db_col_i32(r, "at_30");
    y->version = ipr_db_col_i64(r, "version");
    y->elo_mean = ipr_db_col_i32(r, "elo_mean");
}

/* The statements count every class; a year's games are those asked for. */
static void count_games(struct ipr_db_player_year *rows, size_t n, unsigned times)
{
    for (size_t i = 0; i < n; i++)
        for (int c = 0; c < IPR_TIME_CLASSES; c++)
            if (times & IPR_TIME_BIT(c))
                rows[i].games += rows[i].in_class[c];
}

enum ipr_code ipr_db_player_years(struct ipr_db *db, int32_t person, int32_t judge_id,
                                  unsigned times, struct ipr_arena *mem,
                                  struct ipr_db_player_year **rows, size_t *n, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    void *list = NULL;

    ipr_db_p_int(&p, person);
    ipr_db_p_int(&p, judge_id);
    ipr_db_p_times(&p, times);
    const enum ipr_code rc =
        ipr_db_list(db, IPR_Q_PLAYER_YEARS, &p, mem, sizeof **rows, fill_year, &list, n, err);
    if (rc == IPR_OK) {
        *rows = list;
        count_games(*rows, *n, times);
    }
    return rc;
}

enum ipr_code ipr_db_player_years_top(struct ipr_db *db, int32_t judge_id, unsigned times,
                                      int min_turns, int limit, struct ipr_arena *mem,
                                      struct ipr_db_player_year **rows, size_t *n,
                                      struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    void *list = NULL;

    ipr_db_p_int(&p, judge_id);
    ipr_db_p_int(&p, min_turns);
    ipr_db_p_int(&p, limit);
    ipr_db_p_times(&p, times);
    const enum ipr_code rc =
        ipr_db_list(db, IPR_Q_PLAYER_YEARS_TOP, &p, mem, sizeof **rows, fill_year, &list, n, err);
    if (rc == IPR_OK) {
        *rows = list;
        count_games(*rows, *n, times);
    }
    return rc;
}

static void fill_game(struct ipr_db_row *r, void *out)
{
    struct ipr_db_player_game *g = out;

    g->id = ipr_db_col_i64(r, "id");
    g->white_id = ipr_db_col_i32(r, "white_id");
    g->black_id = ipr_db_col_i32(r, "black_id");
    g->white = ipr_db_col_text(r, "white");
    g->black = ipr_db_col_text(r, "black");
    g->event_id = ipr_db_col_i32(r, "event_id");
    g->event = ipr_db_col_text(r, "event");
    g->date = ipr_db_col_text(r, "date");
    g->round = ipr_db_col_text(r, "round");
    g->result = ipr_db_col_i32(r, "result");
    g->white_elo = ipr_db_col_i32_or(r, "white_elo", 0);
    g->black_elo = ipr_db_col_i32_or(r, "black_elo", 0);
    g->plies = ipr_db_col_i32(r, "plies");
    g->time_class = (enum ipr_time_class)ipr_db_col_int(r, "time_class", 0, IPR_TIME_CLASSES - 1);
    g->judged = ipr_db_col_bool(r, "judged");
    g->job = ipr_db_col_text(r, "job");
}

enum ipr_code ipr_db_player_games(struct ipr_db *db, int32_t player_id, int year, int32_t judge_id,
                                  int limit, struct ipr_arena *mem,
                                  struct ipr_db_player_game **rows, size_t *n, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    void *list = NULL;

    ipr_db_p_int(&p, player_id);
    ipr_db_p_int(&p, year);
    ipr_db_p_int(&p, judge_id);
    ipr_db_p_int(&p, limit);
    const enum ipr_code rc =
        ipr_db_list(db, IPR_Q_PLAYER_GAMES, &p, mem, sizeof **rows, fill_game, &list, n, err);
    if (rc == IPR_OK)
        *rows = list;
    return rc;
}
