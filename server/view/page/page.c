/* Pages: data that templates need in addition to the resource. */
#include "view/page/page.h"

#include <ctype.h>
#include <string.h>

#include "core/pools.h"
#include "resource/write.h"
#include "view/json.h"
#include "view/page/format.h"
#include "view/view.h"

#define PRIORITY_FIRST 1
#define PRIORITY_LAST  9
#define CANDIDATES     8
#define PRINTED        25 /* player-years of an upload on paper: static/css/figures.css */

/* ---- pages that need little else ---- */

static bool page_dashboard(void *resource, void *page, struct ipr_arena *mem)
{
    json_t *const ranking = json_object_get(resource, "ranking");
    json_t *const unrated = json_object_get(resource, "player_years");

    if (!json_is_array(ranking))
        return false;
    ipr_page_years(json_array_size(ranking) > 0 ? ranking : unrated, page, mem);
    return true;
}

/* Players of an upload to choose among: a few, with the chosen one marked, and those that may be
 * other accounts of it. Those with games in several pools have a row of each. */
static struct ipr_list_page_candidate upload_candidates(const json_t *resource,
                                                        struct ipr_arena *mem)
{
    const double chosen = ipr_json_at(resource, "choice.player.id", 0.0);
    struct ipr_list_page_candidate out = { ipr_arena_alloc(mem, CANDIDATES, sizeof *out.at), 0 };
    const json_t *row;
    size_t i;

    json_array_foreach(json_object_get(resource, "ratings"), i, row) {
        const double id = ipr_json_at(row, "player.id", 0.0);
        const int64_t games = (int64_t)ipr_json_at(row, "games", 0.0);

        if (out.n > 0 && (double)out.at[out.n - 1].player.id == id) {
            out.at[out.n - 1].games += games;
            continue;
        }
        if (out.n == CANDIDATES)
            break;
        out.at[out.n++] = (struct ipr_page_candidate){
            ipr_named((int64_t)id, ipr_json_text_at(row, "player.name")), games, id == chosen,
            chosen > 0 && id != chosen && !ipr_json_true_at(row, "met")
        };
    }
    return out;
}

static bool page_upload(void *resource, void *out, struct ipr_arena *mem)
{
    const char *const state = ipr_json_text_at(resource, "state");
    const char *chosen = ipr_json_text_at(resource, "choice.player.name");
    struct ipr_page_upload *const page = out;

    page->importing = strcmp(state, "waiting") == 0 || strcmp(state, "importing") == 0;
    page->candidates = upload_candidates(resource, mem);
    page->players_more = json_array_size(json_object_get(resource, "players")) > PRINTED;
    if (*chosen == '\0' && page->candidates.n > 0)
        chosen = ipr_sentence_word(ipr_words("titles"), "whose");
    if (*chosen == '\0')
        chosen = ipr_arena_printf(mem, "Upload %.0f", ipr_json_at(resource, "id", 0.0));
    if (json_object_get(resource, "profile") == NULL) /* which has a title */
        page->title = chosen;
    return json_is_array(json_object_get(resource, "errors"));
}

/* The rest of the page of a table or figure of a paper is in its file. */
static bool page_paper(void *resource, void *out, struct ipr_arena *mem __attribute__((unused)))
{
    struct ipr_page_error *const page = out;

    page->title = ipr_json_text_at(resource, "title");
    return json_is_array(json_object_get(resource, "rows")) ||
           json_is_array(json_object_get(resource, "series"));
}

static bool page_error(void *resource, void *out, struct ipr_arena *mem)
{
    const char *const title = ipr_json_text_at(resource, "title");
    const char *const detail = ipr_json_text_at(resource, "detail");
    const bool sentence = ipr_json_at(resource, "status", 0.0) != 404.0 || *detail == '\0';
    struct ipr_page_error *const page = out;

    page->title = *title != '\0' ? title : "Something went wrong";
    page->detail = detail;
    if (!sentence) /* "no such game": "No such game." */
        page->detail = ipr_arena_printf(mem, "%c%s%s", toupper((unsigned char)*detail), detail + 1,
                                        detail[strlen(detail) - 1] == '.' ? "" : ".");
    return true;
}

/* Jobs of an upload can be taken sooner and later, unless that would change nothing. */
static bool page_queue(void *resource, void *page __attribute__((unused)),
                       struct ipr_arena *mem __attribute__((unused)))
{
    json_t *u;
    size_t i;

    json_array_foreach(json_object_get(resource, "uploads"), i, u) {
        const int64_t priority = (int64_t)ipr_json_at(u, "priority", 0.0);
        const bool moves = ipr_json_at(u, "ready", 0.0) + ipr_json_at(u, "running", 0.0) +
                               ipr_json_at(u, "paused", 0.0) >
                           0.0;
        struct ipr_page_steered steered = { IPR_NO_COUNT, IPR_NO_COUNT };

        if (moves && priority > PRIORITY_FIRST)
            steered.sooner = priority - 1;
        if (moves && priority < PRIORITY_LAST)
            steered.later = priority + 1;
        ipr_page_put(u, IPR_SHAPE_PAGE_STEERED, &steered);
    }
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
static bool page_search(void *resource, void *out, struct ipr_arena *mem)
{
    json_t *given = ipr_given_json("q", ipr_json_text_at(resource, "words"));
    struct ipr_page_search *const page = out;

    page->words = ipr_arena_printf(mem, "%s", ipr_json_text_at(given, "query"));
    json_decref(given);
    return true;
}

static bool page_doubtful(void *resource, void *page __attribute__((unused)),
                          struct ipr_arena *mem __attribute__((unused)))
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
    bool (*fill)(void *answer, void *page, struct ipr_arena *mem);
    enum ipr_shape_id answer; /* of none: the answer as JSON */
    enum ipr_shape_id page;
    bool (*json)(json_t *resource, json_t *page);
} page_fills[] = {
    { "event", ipr_page_event, IPR_SHAPE_EVENT_REPORT, IPR_SHAPE_PAGE_EVENT, NULL },
    { "event_player", ipr_page_event_player, IPR_SHAPE_EVENT_PLAYER, IPR_SHAPE_PAGE_EVENT_PLAYER,
      NULL },
    { "profile", ipr_page_profile, IPR_SHAPE_PROFILE, IPR_SHAPE_PAGE_PROFILE, NULL },
    { "dashboard", page_dashboard, IPR_SHAPE_NONE, IPR_SHAPE_PAGE_YEARS, NULL },
    { "players", ipr_page_players, IPR_SHAPE_NONE, IPR_SHAPE_PAGE_PLAYERS, NULL },
    { "player", ipr_page_player, IPR_SHAPE_NONE, IPR_SHAPE_PAGE_PLAYER, NULL },
    { "doubtful", page_doubtful, IPR_SHAPE_NONE, IPR_SHAPE_NONE, NULL },
    { "search", page_search, IPR_SHAPE_NONE, IPR_SHAPE_PAGE_SEARCH, NULL },
    { "queue", page_queue, IPR_SHAPE_NONE, IPR_SHAPE_NONE, NULL },
    { "upload", page_upload, IPR_SHAPE_NONE, IPR_SHAPE_PAGE_UPLOAD, NULL },
    { "paper_table", page_paper, IPR_SHAPE_NONE, IPR_SHAPE_PAGE_ERROR, NULL },
    { "paper_figure", page_paper, IPR_SHAPE_NONE, IPR_SHAPE_PAGE_ERROR, NULL },
    { "error", page_error, IPR_SHAPE_NONE, IPR_SHAPE_PAGE_ERROR, NULL },
    { "problem", page_error, IPR_SHAPE_NONE, IPR_SHAPE_PAGE_ERROR, NULL },
    { "careers", NULL, 0, 0, ipr_page_careers },
    { "player_year", ipr_page_player_year, IPR_SHAPE_NONE, IPR_SHAPE_PAGE_RATINGS, NULL },
    { "compare", NULL, 0, 0, ipr_page_compare },
    { "game", ipr_page_game, IPR_SHAPE_NONE, IPR_SHAPE_PAGE_GAME, NULL },
    { "moves", ipr_page_moves, IPR_SHAPE_NONE, IPR_SHAPE_PAGE_MOVES, NULL },
    { "calibrations", NULL, 0, 0, ipr_page_calibrations },
    { "calibration", NULL, 0, 0, ipr_page_calibration },
    { "royale", ipr_page_royale, IPR_SHAPE_NONE, IPR_SHAPE_PAGE_ROYALE, NULL },
    { "comparisons", ipr_page_comparisons, IPR_SHAPE_NONE, IPR_SHAPE_PAGE_COMPARISONS, NULL },
    { "conformance", ipr_page_report_conformance, IPR_SHAPE_NONE, IPR_SHAPE_PAGE_CONFORMANCE,
      NULL },
    { "reports", ipr_page_reports, IPR_SHAPE_NONE, IPR_SHAPE_NONE, NULL },
    { "complexity", ipr_page_report, IPR_SHAPE_NONE, IPR_SHAPE_PAGE_REPORT, NULL },
    { "covariance", ipr_page_report_covariance, IPR_SHAPE_NONE, IPR_SHAPE_PAGE_COVARIANCE, NULL },
    { "score_curve", ipr_page_report, IPR_SHAPE_NONE, IPR_SHAPE_PAGE_REPORT, NULL },
};

static const struct page_fill *page_fill_of(const char *template_name)
{
    for (size_t i = 0; i < sizeof page_fills / sizeof *page_fills; i++)
        if (strcmp(page_fills[i].name, template_name) == 0)
            return &page_fills[i];
    return NULL;
}

/* Adds what only the page has to the answer and to `page`. */
static bool page_fill_own(const struct page_fill *of, json_t *resource, json_t *page)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    void *answer = resource, *own = NULL;

    if (of->json != NULL)
        return of->json(resource, page);
    if (of->answer != IPR_SHAPE_NONE) {
        answer = ipr_shape_new(of->answer, &mem);
        ipr_shape_read(of->answer, resource, &mem, answer);
    }
    if (of->page != IPR_SHAPE_NONE)
        own = ipr_shape_new(of->page, &mem);
    const bool fits = of->fill(answer, own, &mem);
    if (of->answer != IPR_SHAPE_NONE)
        ipr_page_put(resource, of->answer, answer);
    if (of->page != IPR_SHAPE_NONE)
        ipr_page_put(page, of->page, own);
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
static struct ipr_list_page_link page_nav(const char *section, const char *current,
                                          struct ipr_arena *mem)
{
    const struct ipr_menu_entry *const menu = ipr_resource_menu(), *end = menu;
    struct ipr_list_page_link nav = { NULL, 0 };

    while (end->name != NULL)
        end++;
    nav.at = ipr_arena_alloc(mem, (size_t)(end - menu), sizeof *nav.at);
    for (const struct ipr_menu_entry *e = menu; e < end; e++)
        if (e->section == NULL ? section == NULL
                               : section != NULL && strcmp(e->section, section) == 0)
            nav.at[nav.n++] =
                (struct ipr_page_link){ e->path, e->label, strcmp(e->name, current) == 0 };
    return nav;
}

/* `r`: NULL for the pages of problems, which are of no resource. */
static bool page_fill(const struct ipr_resource *r, const struct page_fill *own, json_t *resource,
                      json_t *page)
{
    const char *const all = ipr_json_text_at(resource, "pool"); /* of all ratings, or of one */
    const struct ipr_scale *const scale = ipr_pool_scale(
        ipr_pool_named(*all != '\0' ? all : ipr_json_text_at(resource, "rating.pool")));
    json_t *const profile = json_object_get(resource, "profile");
    struct ipr_arena mem = IPR_ARENA_INIT;

    if (!json_is_object(resource))
        return false;
    const char *const menu = r != NULL ? r->menu : "", *const section = page_section(menu);
    const struct ipr_page_common common = {
        .title = r != NULL ? r->heading : NULL,
        .nav = page_nav(NULL, section, &mem),
        .parts = page_nav(section, menu, &mem),
        .min_turns = IPR_VIEW_MIN_TURNS,
        .range = { scale->low, scale->high },
        .prior = { scale->fit->prior_mean, scale->fit->prior_sd, IPR_UNKNOWN },
        .own = json_is_false(json_object_get(resource, "imported")),
    };

    ipr_page_put(page, IPR_SHAPE_PAGE_COMMON, &common);
    ipr_arena_release(&mem);
    if (profile != NULL && !page_fill_own(page_fill_of("profile"), profile, page))
        return false;
    return own != NULL ? page_fill_own(own, resource, page)
                       : r->rows == NULL || json_is_array(json_object_get(resource, r->rows));
}

enum ipr_code ipr_view_page(const char *template_name, json_t *resource, struct ipr_err *err)
{
    const struct ipr_resource *r = ipr_resource_of_page(template_name);
    const struct page_fill *own = page_fill_of(template_name);
    const bool known = r != NULL || own != NULL;
    json_t *page = json_object();

    if (!known || !page_fill(r, own, resource, page)) {
        json_decref(page);
        return !known ? ipr_err_set(err, IPR_EINVAL, "no page %s", template_name)
                      : ipr_err_set(err, IPR_EINVAL, "page %s of another resource", template_name);
    }
    json_object_set_new(resource, "page", page);
    return IPR_OK;
}
