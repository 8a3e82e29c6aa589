/* Pages: data that templates need in addition to the resource. */
#include "view/page/page.h"

#include <ctype.h>
#include <string.h>

#include "core/pools.h"
#include "resource/write.h"
#include "view/json.h"
#include "view/page/format.h"
#include "view/queue/findings.h"
#include "view/view.h"

#define PRIORITY_FIRST 1
#define PRIORITY_LAST  9
#define CANDIDATES     8
#define PRINTED        25 /* player-years of an upload on paper: static/css/figures.css */

/* ---- pages that need little else ---- */

static bool page_dashboard(json_t *resource, json_t *page)
{
    json_t *const ranking = json_object_get(resource, "ranking");
    json_t *const unrated = json_object_get(resource, "player_years");

    if (!json_is_array(ranking))
        return false;
    ipr_page_years(json_array_size(ranking) > 0 ? ranking : unrated, page);
    return true;
}

/* Players of an upload to choose among: a few, with the chosen one marked, and those that may be
 * other accounts of it. Those with games in several pools have a row of each. */
static json_t *upload_candidates(const json_t *resource)
{
    const double chosen = ipr_json_at(resource, "choice.player.id", 0.0);
    json_t *out = json_array(), *row;
    double before = -1.0;
    size_t i;

    json_array_foreach(json_object_get(resource, "ratings"), i, row) {
        const double id = ipr_json_at(row, "player.id", -1.0);
        const json_int_t games = (json_int_t)ipr_json_at(row, "games", 0.0);

        if (id == before) {
            json_t *const all =
                json_object_get(json_array_get(out, json_array_size(out) - 1), "games");

            json_integer_set(all, json_integer_value(all) + games);
            continue;
        }
        if (json_array_size(out) == CANDIDATES)
            break;
        before = id;
        json_array_append_new(
            out, json_pack("{s:O, s:I, s:b, s:b}", "player", json_object_get(row, "player"),
                           "games", games, "chosen", id == chosen, "mine",
                           chosen > 0 && id != chosen && !ipr_json_true_at(row, "met")));
    }
    return out;
}

/* An answer and a page that are structures of these shapes. */
struct page_struct {
    const char *name;
    bool (*fill)(void *answer, void *page, struct ipr_arena *mem);
    enum ipr_shape_id answer, page;
};

static const struct page_struct *page_struct_of(const char *template_name);
static bool page_fill_struct(const struct page_struct *of, json_t *resource, json_t *page);

/* The profile in an answer, with what its template reads of a page. NULL: none. */
static json_t *page_fill_profile(json_t *resource, json_t *page)
{
    json_t *const profile = json_object_get(resource, "profile");

    if (profile != NULL)
        page_fill_struct(page_struct_of("profile"), profile, page);
    return profile;
}

/* A year with its games: the page draws the rating of the year, not theirs. */
static bool page_year(json_t *resource, json_t *page)
{
    json_t *const of_games = json_object();

    page_fill_profile(resource, of_games);
    json_decref(of_games);
    return ipr_page_player_year(resource, page);
}

static bool page_upload(json_t *resource, json_t *page)
{
    const char *const state = ipr_json_text_at(resource, "state");

    json_object_set_new(
        page, "importing",
        json_boolean(strcmp(state, "waiting") == 0 || strcmp(state, "importing") == 0));
    json_t *const candidates = upload_candidates(resource);
    if (page_fill_profile(resource, page) == NULL) {
        const char *chosen = ipr_json_text_at(resource, "choice.player.name");

        if (*chosen == '\0' && json_array_size(candidates) > 0)
            chosen = ipr_sentence_word(ipr_words("titles"), "whose");
        json_object_set_new(page, "title",
                            *chosen != '\0'
                                ? json_string(chosen)
                                : ipr_page_format("Upload %.0f", ipr_json_at(resource, "id", 0.0)));
    }
    json_object_set_new(page, "candidates", candidates);
    json_object_set_new(
        page, "players_more",
        json_boolean(json_array_size(json_object_get(resource, "players")) > PRINTED));
    json_object_set_new(page, "earlier",
                        ipr_json_known((json_int_t)ipr_upload_earlier(
                            resource, json_object_get(resource, "choice"))));
    return json_is_array(json_object_get(resource, "errors"));
}

/* Bands of Elo that the columns of the estimators have: the same in every row. */
static bool page_validation(json_t *resource, json_t *page)
{
    const json_t *parts = json_object_get(resource, "parts");
    const json_t *rows = json_object_get(json_array_get(parts, 0), "estimators"), *band;
    json_t *bands = json_array();
    size_t i;

    json_array_foreach(json_object_get(json_array_get(rows, 0), "bands"), i, band)
        json_array_append(bands, json_object_get(band, "elo"));
    json_object_set_new(page, "bands", bands);
    return json_is_array(parts);
}

/* The rest of the page of a table or figure of a paper is in its file. */
static bool page_paper(json_t *resource, json_t *page)
{
    json_object_set(page, "title", json_object_get(resource, "title"));
    return json_is_array(json_object_get(resource, "rows")) ||
           json_is_array(json_object_get(resource, "series"));
}

/* "no such game": "No such game." */
static json_t *missing_sentence(const char *detail)
{
    const size_t n = strlen(detail);

    return ipr_page_format("%c%s%s", toupper((unsigned char)*detail), detail + 1,
                           detail[n - 1] == '.' ? "" : ".");
}

static bool page_error(json_t *resource, json_t *page)
{
    const char *const title = ipr_json_text_at(resource, "title");
    const char *const detail = ipr_json_text_at(resource, "detail");

    if (*detail != '\0' && ipr_json_at(resource, "status", 0.0) == 404.0)
        json_object_set_new(resource, "detail", missing_sentence(detail));
    json_object_set_new(page, "title",
                        ipr_page_format("%s", *title != '\0' ? title : "Something went wrong"));
    return true;
}

/* "sooner" and "later" of an upload, null if they would change nothing. */
static void put_upload_buttons(json_t *u)
{
    const bool moves = ipr_json_at(u, "ready", 0.0) + ipr_json_at(u, "running", 0.0) +
                           ipr_json_at(u, "paused", 0.0) >
                       0.0;
    const json_int_t priority = json_integer_value(json_object_get(u, "priority"));

    json_object_set_new(
        u, "sooner", moves && priority > PRIORITY_FIRST ? json_integer(priority - 1) : json_null());
    json_object_set_new(
        u, "later", moves && priority < PRIORITY_LAST ? json_integer(priority + 1) : json_null());
}

static bool page_queue(json_t *resource, json_t *page __attribute__((unused)))
{
    json_t *u;
    size_t i;

    json_array_foreach(json_object_get(resource, "uploads"), i, u)
        put_upload_buttons(u);
    return json_is_object(json_object_get(resource, "queue")) &&
           json_is_array(json_object_get(resource, "workers"));
}

static void array_swap(json_t *two)
{
    json_t *first = json_incref(json_array_get(two, 0));

    json_array_remove(two, 0);
    json_array_append_new(two, first);
}

/* The words as a query, for the whole lists. */
static bool page_search(json_t *resource, json_t *page)
{
    json_t *given = ipr_given_json("q", ipr_json_text_at(resource, "words"));

    json_object_set(page, "words", json_object_get(given, "query"));
    json_decref(given);
    return true;
}

static bool page_doubtful(json_t *resource, json_t *page __attribute__((unused)))
{
    json_t *pairs = json_object_get(resource, "pairs");
    json_t *pair;
    size_t i;

    json_array_foreach(pairs, i, pair) {
        json_t *two = json_object_get(pair, "players");

        /* By default the player with more games, the second here, is the one kept. */
        if (ipr_json_at(json_array_get(two, 0), "games", 0.0) <=
            ipr_json_at(json_array_get(two, 1), "games", 0.0))
            continue;
        array_swap(two);
        if (json_array_size(json_object_get(pair, "spelled")) > 1)
            array_swap(json_object_get(pair, "spelled"));
    }
    return json_is_array(pairs);
}

/* ---- all of them ---- */

/* Pages that need more than their resource. */
static const struct page_fill {
    const char *name;
    bool (*fill)(json_t *resource, json_t *page);
} page_fills[] = {
    { "dashboard", page_dashboard },
    { "players", ipr_page_players },
    { "player", ipr_page_player },
    { "careers", ipr_page_careers },
    { "doubtful", page_doubtful },
    { "search", page_search },
    { "player_year", page_year },
    { "queue", page_queue },
    { "compare", ipr_page_compare },
    { "game", ipr_page_game },
    { "moves", ipr_page_moves },
    { "upload", page_upload },
    { "calibrations", ipr_page_calibrations },
    { "calibration", ipr_page_calibration },
    { "validation", page_validation },
    { "paper_table", page_paper },
    { "paper_figure", page_paper },
    { "royale", ipr_page_royale },
    { "comparisons", ipr_page_comparisons },
    { "conformance", ipr_page_report_conformance },
    { "reports", ipr_page_reports },
    { "complexity", ipr_page_report },
    { "covariance", ipr_page_report_covariance },
    { "score_curve", ipr_page_report },
    { "error", page_error },
    { "problem", page_error },
};

static const struct page_struct page_structs[] = {
    { "event", ipr_page_event, IPR_SHAPE_EVENT_REPORT, IPR_SHAPE_PAGE_EVENT },
    { "event_player", ipr_page_event_player, IPR_SHAPE_EVENT_PLAYER, IPR_SHAPE_PAGE_EVENT_PLAYER },
    { "profile", ipr_page_profile, IPR_SHAPE_PROFILE, IPR_SHAPE_PAGE_PROFILE },
};

static const struct page_fill *page_fill_of(const char *template_name)
{
    for (size_t i = 0; i < sizeof page_fills / sizeof *page_fills; i++)
        if (strcmp(page_fills[i].name, template_name) == 0)
            return &page_fills[i];
    return NULL;
}

static const struct page_struct *page_struct_of(const char *template_name)
{
    for (size_t i = 0; i < sizeof page_structs / sizeof *page_structs; i++)
        if (strcmp(page_structs[i].name, template_name) == 0)
            return &page_structs[i];
    return NULL;
}

/* Adds what only the page has to the answer and to `page`. */
static bool page_fill_struct(const struct page_struct *of, json_t *resource, json_t *page)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    void *const answer = ipr_shape_new(of->answer, &mem), *const own =
                                                              ipr_shape_new(of->page, &mem);

    ipr_shape_read(of->answer, resource, &mem, answer);
    const bool fits = of->fill(answer, own, &mem);
    json_object_update_new(resource, ipr_shape_page_json(of->answer, answer));
    json_object_update_new(page, ipr_shape_page_json(of->page, own));
    ipr_arena_release(&mem);
    return fits;
}

/* The section of a page; its own entry where it is in none. */
static const char *page_section(const char *menu)
{
    for (const struct ipr_menu_entry *e = ipr_resource_menu(); e->name != NULL; e++)
        if (e->section != NULL && strcmp(e->name, menu) == 0)
            return e->section;
    return menu;
}

/* The entries of a section, or those of every page. */
static json_t *page_nav(const char *section, const char *current)
{
    json_t *nav = json_array();

    for (const struct ipr_menu_entry *e = ipr_resource_menu(); e->name != NULL; e++)
        if (e->section == NULL ? section == NULL
                               : section != NULL && strcmp(e->section, section) == 0)
            json_array_append_new(nav,
                                  json_pack("{s:s, s:s, s:b}", "path", e->path, "label", e->label,
                                            "current", strcmp(e->name, current) == 0));
    return nav;
}

/* `r`: NULL for the pages of problems, which are of no resource. */
static bool page_fill(const struct ipr_resource *r, const struct page_fill *own,
                      const struct page_struct *of, json_t *resource, json_t *page)
{
    const char *const all = ipr_json_text_at(resource, "pool"); /* of all ratings, or of one */
    const struct ipr_scale *const scale = ipr_pool_scale(
        ipr_pool_named(*all != '\0' ? all : ipr_json_text_at(resource, "rating.pool")));

    if (!json_is_object(resource))
        return false;
    if (r != NULL)
        json_object_set_new(page, "title", json_string(r->heading));
    const char *const menu = r != NULL ? r->menu : "", *const section = page_section(menu);
    json_object_set_new(page, "nav", page_nav(NULL, section));
    json_object_set_new(page, "parts", page_nav(section, menu));
    json_object_set_new(page, "min_turns", json_integer(IPR_VIEW_MIN_TURNS));
    json_object_set_new(page, "range",
                        json_pack("{s:f, s:f}", "low", scale->low, "high", scale->high));
    json_object_set_new(
        page, "prior",
        json_pack("{s:f, s:f}", "mean", scale->fit->prior_mean, "sd", scale->fit->prior_sd));
    json_object_set_new(page, "own",
                        json_boolean(json_is_false(json_object_get(resource, "imported"))));
    if (of != NULL)
        return page_fill_struct(of, resource, page);
    return own != NULL ? own->fill(resource, page)
                       : r->rows == NULL || json_is_array(json_object_get(resource, r->rows));
}

enum ipr_code ipr_view_page(const char *template_name, json_t *resource, struct ipr_err *err)
{
    const struct ipr_resource *r = ipr_resource_of_page(template_name);
    const struct page_fill *own = page_fill_of(template_name);
    const struct page_struct *of = page_struct_of(template_name);
    const bool known = r != NULL || own != NULL;
    json_t *page = json_object();

    if (!known || !page_fill(r, own, of, resource, page)) {
        json_decref(page);
        return !known ? ipr_err_set(err, IPR_EINVAL, "no page %s", template_name)
                      : ipr_err_set(err, IPR_EINVAL, "page %s of another resource", template_name);
    }
    json_object_set_new(resource, "page", page);
    return IPR_OK;
}
