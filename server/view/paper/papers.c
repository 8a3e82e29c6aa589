/* Shows what `make papers` has computed, with the players and games of this database. */
#include <math.h>
#include <string.h>

#include "view/document.h"
#include "view/examples.h"
#include "view/json.h"
#include "view/paper/paper.h"

enum ipr_code ipr_paper_load(const struct ipr_view *v, const char *name, json_t **out,
                             struct ipr_err *err)
{
    json_t *list = NULL;
    enum ipr_code rc = ipr_view_document(v, "papers/list.json", &list, err);

    if (rc == IPR_OK && ipr_json_first(json_object_get(list, "tables"), "paper", name) == NULL &&
        ipr_json_first(json_object_get(list, "figures"), "paper", name) == NULL)
        rc = ipr_err_set(err, IPR_ENOTFOUND, "no tables of a paper \"%.40s\"", name);
    json_decref(list);
    if (rc == IPR_OK)
        rc = ipr_view_document(v, ipr_arena_printf(v->mem, "papers/%s.json", name), out, err);
    return rc;
}

/* A table or figure (`kind`), as its file has it, and what the paper prints: new references. */
static enum ipr_code paper_read(const struct ipr_view *v, const char *name, const char *kind,
                                const char *of, json_t **paper, json_t **answer,
                                struct ipr_err *err)
{
    enum ipr_code rc = ipr_paper_load(v, name, paper, err);

    if (rc == IPR_OK &&
        ipr_json_first(json_object_get(*paper, ipr_arena_printf(v->mem, "%ss", kind)), kind, of) ==
            NULL)
        rc = ipr_err_set(err, IPR_ENOTFOUND, "no %s \"%.20s\" of %s", kind, of, name);
    if (rc == IPR_OK)
        rc = ipr_view_document(v, ipr_arena_printf(v->mem, "papers/%s/%s-%s.json", name, kind, of),
                               answer, err);
    return rc;
}

/* The context of the engine setting of an answer. */
static enum ipr_code paper_context(const struct ipr_view *v, const char *judge,
                                   struct ipr_view_context *c, struct ipr_err *err)
{
    return ipr_setting_for(v, IPR_FOR_LINES, &(struct ipr_setting_scope){ .judge = judge }, c, err);
}

/* ---- players ---- */

/* Players here by the paper's names, each of which is looked for once. */
struct paper_players {
    const struct ipr_view_context *context;
    const json_t *paper;
    struct paper_player {
        const char *printed;
        struct ipr_figure_named *player;  /* NULL: none */
        struct ipr_db_player_year *years; /* [n_years] with games */
        size_t n_years;
    } * known; /* [n] */
    size_t n;
};

static enum ipr_code paper_look(const struct paper_players *all, struct paper_player *out,
                                struct ipr_err *err)
{
    const struct ipr_view_context *const c = all->context;
    struct ipr_arena *const mem = c->v->mem;
    int32_t id = 0;

    enum ipr_code rc = ipr_paper_find_person(c, all->paper, out->printed, &id, err);
    if (rc == IPR_OK && id != 0)
        rc = ipr_db_player_years(c->v->db, id, c->judge_id, c->times, mem, &out->years,
                                 &out->n_years, err);
    if (rc == IPR_OK && out->n_years > 0) {
        const struct ipr_figure_named found = ipr_named(id, out->years[0].name);

        out->player = ipr_shape_copy(IPR_SHAPE_NAMED, &found, mem);
    }
    return rc;
}

/* The player of a name, with games of that year unless it is 0; NULL: none. */
static enum ipr_code paper_find(struct paper_players *all, const char *printed, int year,
                                struct ipr_figure_named **out, struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;
    size_t i = 0;

    while (i < all->n && strcmp(all->known[i].printed, printed) != 0)
        i++;
    struct paper_player *const found = &all->known[i];
    if (i == all->n) {
        all->known[all->n++] = (struct paper_player){ .printed = printed };
        rc = paper_look(all, found, err);
    }
    *out = year == 0 ? found->player : NULL;
    for (i = 0; i < found->n_years; i++)
        if (found->years[i].year == year)
            *out = found->player;
    return rc;
}

static enum ipr_code paper_fill_side(struct paper_players *all, struct ipr_answer_paper_side *side,
                                     struct ipr_err *err)
{
    return side != NULL ? paper_find(all, side->name, (int)side->year, &side->player, err) : IPR_OK;
}

static bool paper_row_has_ours(const struct ipr_answer_paper_row *row)
{
    for (size_t i = 0; i < row->cells.n; i++)
        if (isfinite(row->cells.at[i].ours))
            return true;
    return false;
}

static enum ipr_code paper_fill_players(struct paper_players *all,
                                        const struct ipr_answer_paper_table *table,
                                        struct ipr_err *err)
{
    const json_t *const names = json_object_get(all->paper, "players");
    enum ipr_code rc = IPR_OK;

    all->known = ipr_arena_alloc(
        all->context->v->mem, json_object_size(names) + 2 * table->rows.n + 1, sizeof *all->known);
    for (size_t i = 0; i < table->rows.n && rc == IPR_OK; i++) {
        struct ipr_answer_paper_row *const row = &table->rows.at[i];

        if (row->label != NULL && json_object_get(names, row->label) != NULL &&
            paper_row_has_ours(row))
            rc = paper_find(all, row->label, 0, &row->player, err);
        if (rc == IPR_OK)
            rc = paper_fill_side(all, row->first, err);
        if (rc == IPR_OK)
            rc = paper_fill_side(all, row->second, err);
    }
    for (size_t i = 0; table->standings != NULL && i < table->standings->rows.n && rc == IPR_OK;
         i++)
        rc = paper_fill_side(all, &table->standings->rows.at[i].side, err);
    return rc;
}

/* ---- answers ---- */

enum ipr_code ipr_fill_paper_table(const struct ipr_view *v,
                                   const struct ipr_paper_table_request *p,
                                   struct ipr_answer_paper_table *out, struct ipr_err *err)
{
    struct ipr_view_context c = { 0 };
    json_t *paper = NULL, *answer = NULL;
    enum ipr_code rc = paper_read(v, p->paper, "table", p->table, &paper, &answer, err);

    if (rc == IPR_OK) {
        ipr_shape_read(IPR_SHAPE_PAPER_TABLE, answer, v->mem, out);
        rc = paper_context(v, ipr_json_text_at(answer, "judge.name"), &c, err);
    }
    if (rc == IPR_OK)
        rc = paper_fill_players(&(struct paper_players){ .context = &c, .paper = paper }, out, err);
    ipr_view_context_close(&c);
    json_decref(answer);
    json_decref(paper);
    return rc;
}

enum ipr_code ipr_fill_paper_figure(const struct ipr_view *v,
                                    const struct ipr_paper_figure_request *p,
                                    struct ipr_answer_paper_figure *out, struct ipr_err *err)
{
    json_t *paper = NULL, *answer = NULL;
    const enum ipr_code rc = paper_read(v, p->paper, "figure", p->figure, &paper, &answer, err);

    if (rc == IPR_OK)
        ipr_shape_read(IPR_SHAPE_PAPER_FIGURE, answer, v->mem, out);
    json_decref(answer);
    json_decref(paper);
    return rc;
}

/* ---- pages ---- */

/* Adds games here of the engine setting of an answer to its page, whose reference is taken. */
static enum ipr_code paper_page(const struct ipr_view *v, json_t *answer, json_t **out,
                                struct ipr_err *err)
{
    struct ipr_view_context c = { 0 };
    enum ipr_code rc = paper_context(v, ipr_json_text_at(answer, "judge.name"), &c, err);

    if (rc == IPR_OK)
        rc = ipr_examples_add(v, c.judge_id, c.times, answer, err);
    ipr_view_context_close(&c);
    if (rc == IPR_OK)
        *out = answer;
    else
        json_decref(answer);
    return rc;
}

/* Tables of predictions lead to the player-years instead. */
enum ipr_code ipr_view_paper_table_page(const struct ipr_view *v,
                                        const struct ipr_paper_table_request *p, json_t **out,
                                        struct ipr_err *err)
{
    struct ipr_answer_paper_table *const table = ipr_shape_new(IPR_SHAPE_PAPER_TABLE, v->mem);
    const enum ipr_code rc = ipr_fill_paper_table(v, p, table, err);

    if (rc != IPR_OK)
        return rc;
    table->players = 0;
    for (size_t i = 0; i < table->rows.n; i++)
        table->players |= table->rows.at[i].player != NULL;
    *out = ipr_shape_page_json(IPR_SHAPE_PAPER_TABLE, table);
    return strcmp(table->form, "values") == 0 ? paper_page(v, *out, out, err) : IPR_OK;
}

/* With games whose moves are stored, unless the figure is of searches of its own. */
enum ipr_code ipr_view_paper_figure_page(const struct ipr_view *v,
                                         const struct ipr_paper_figure_request *p, json_t **out,
                                         struct ipr_err *err)
{
    struct ipr_answer_paper_figure *const figure = ipr_shape_new(IPR_SHAPE_PAPER_FIGURE, v->mem);
    const enum ipr_code rc = ipr_fill_paper_figure(v, p, figure, err);

    if (rc != IPR_OK)
        return rc;
    *out = ipr_shape_page_json(IPR_SHAPE_PAPER_FIGURE, figure);
    return json_is_object(json_object_get(*out, "judge")) ? paper_page(v, *out, out, err) : IPR_OK;
}
