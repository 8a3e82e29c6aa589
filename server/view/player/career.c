#include "view/player/career.h"

#include <math.h>
#include <string.h>

#include "core/names.h"
#include "core/pools.h"
#include "core/spelling.h"
#include "db/strength.h"
#include "model/move_mark.h"
#include "sentence/sentence.h"
#include "view/wording.h"

/* ---- rating ---- */

static struct ipr_career_year career_year(const struct ipr_view_context *c,
                                          const struct ipr_db_year_strength *y)
{
    const struct ipr_db_strength sums = { .score = y->score,
                                          .information = y->information,
                                          .moves = y->moves,
                                          .games = y->games,
                                          .judge_id = y->judge_id,
                                          .classes = y->classes,
                                          .mix = y->mix };
    const struct ipr_scale *const scale = &ipr_setting_pool(c, y->classes)->moves;
    const struct ipr_strength_estimate e =
        ipr_strength_of_stored(scale, &y->mix, y->score, y->information);

    return (struct ipr_career_year){ .year = y->year,
                                     .rating = ipr_strength_short(c, &sums),
                                     .raw = e.raw,
                                     .raw_se = (e.raw_hi - e.raw_lo) / 2 / IPR_Z95 };
}

static void career_set_years(const struct ipr_view_context *c, struct ipr_career *k,
                             const struct ipr_db_year_strength *rows)
{
    k->years = ipr_arena_alloc(c->v->mem, k->n + 1, sizeof *k->years);
    for (size_t i = 0; i < k->n; i++)
        k->years[i] = career_year(c, &rows[i]);
}

static enum ipr_code career_rate_stored(const struct ipr_view_context *c, struct ipr_career *k,
                                        struct ipr_err *err)
{
    struct ipr_db_year_strength *rows = NULL;
    struct ipr_db_strength sums;
    enum ipr_code rc = ipr_db_strength_of_scope(c->v->db, &k->of.db, 1, &sums, err);

    if (rc == IPR_OK)
        rc = ipr_db_strength_of_scope_years(c->v->db, &k->of.db, c->v->mem, &rows, &k->n, err);
    if (rc != IPR_OK)
        return rc;
    k->rating = ipr_strength_short(c, &sums);
    career_set_years(c, k, rows);
    return ipr_strength_no_games(c, &k->of.db, &sums, &k->rating.reason, err);
}

struct ipr_texts ipr_career_phase_names(unsigned phases, struct ipr_arena *mem)
{
    const char **const names = ipr_arena_alloc(mem, IPR_PHASES, sizeof *names);
    size_t n = 0;

    for (int i = 0; i < IPR_PHASES; i++)
        if ((phases & 1u << i) != 0)
            names[n++] = ipr_phase_name((enum ipr_phase)i);
    return (struct ipr_texts){ names, n };
}

static const char *career_no_phases(const struct ipr_career *k, size_t games, struct ipr_arena *mem)
{
    const struct ipr_player_no_phase_slots slots = { (double)games,
                                                     ipr_career_phase_names(k->set.phases, mem) };

    return ipr_say_player_no_phase(games > 0 && k->without_moves == games
                                       ? IPR_PLAYER_NO_PHASE_NO_MOVES
                                       : IPR_PLAYER_NO_PHASE_NOT_ANALYSED,
                                   &slots, mem);
}

static enum ipr_code career_rate_phases(const struct ipr_view_context *c, struct ipr_career *k,
                                        struct ipr_err *err)
{
    struct ipr_db_year_strength *rows = NULL;
    struct ipr_db_strength sums;
    size_t games = 0;
    const enum ipr_code rc = ipr_career_phases(c, &k->of.db, k->set.phases, &sums, &rows, &k->n,
                                               &games, &k->without_moves, err);

    if (rc != IPR_OK)
        return rc;
    k->rating = ipr_strength_short(c, &sums);
    if (sums.information <= 0)
        k->rating.reason = career_no_phases(k, games, c->v->mem);
    career_set_years(c, k, rows);
    return IPR_OK;
}

/* Only of a name that means one person for certain. */
static int career_born(const struct ipr_view *v, const struct ipr_db_player *p)
{
    struct ipr_spelling_person person = { .born = 0 };
    struct ipr_err err = IPR_ERR_INIT;
    const char *key = NULL;

    if (v->spelling == NULL || ipr_name_key(p->name, v->mem, &key, &err) != IPR_OK)
        return 0;
    return ipr_spelling_find(v->spelling, key, p->fide_id, v->mem, &person) ? person.born : 0;
}

static enum ipr_code career_refuse(const struct ipr_view *v, const char *text, enum ipr_code code,
                                   struct ipr_err *why, struct ipr_err *err)
{
    const char *msg = ipr_arena_printf(v->mem, "set \"%s\": %s", text, why->msg);

    if (code != IPR_EPARSE && code != IPR_ENOTFOUND)
        return ipr_err_pass(err, why);
    ipr_err_clear(why);
    return ipr_err_param(err, "set", 0, "%s", msg);
}

/* There is no rating: maybe there is no game. */
static enum ipr_code career_explain(const struct ipr_view_context *c,
                                    const struct ipr_view_scope *asked, struct ipr_career *k,
                                    struct ipr_err *err)
{
    int32_t games[IPR_TIME_CLASSES], all = 0;
    struct ipr_err why = IPR_ERR_INIT;
    const enum ipr_code rc = ipr_db_scope_games(c->v->db, &k->of.db, games, err);

    for (int class = 0; rc == IPR_OK && class < IPR_TIME_CLASSES; class ++)
        all += games[class];
    if (rc == IPR_OK && all == 0 && ipr_rate_scope_no_game(&k->of, asked, &why) != IPR_OK)
        k->reason = k->rating.reason = ipr_arena_printf(c->v->mem, "%s", why.msg);
    ipr_err_clear(&why);
    return rc;
}

struct ipr_view_scope ipr_career_scope(const struct ipr_set *set)
{
    return (struct ipr_view_scope){ .from = set->from,
                                    .to = set->to,
                                    .event = set->event,
                                    .colours = set->colours,
                                    .opponents = set->opponents,
                                    .n_opponents = set->n_opponents,
                                    .upload = set->upload };
}

static bool career_is_of_years(const struct ipr_career *k)
{
    const struct ipr_set *const s = &k->set;

    return s->colours == 0 && s->event == 0 && s->n_opponents == 0 && s->upload == 0 &&
           s->phases == 0;
}

bool ipr_career_is_whole(const struct ipr_career *k)
{
    return career_is_of_years(k) && k->set.from == 0 && k->set.to == 0;
}

bool ipr_career_has_strength(const struct ipr_career *k)
{
    return k->path != NULL && isfinite(k->part.at.mean);
}

static enum ipr_code career_add_path(const struct ipr_view_context *c, struct ipr_career *k,
                                     struct ipr_err *err)
{
    struct ipr_path *const path = ipr_arena_alloc(c->v->mem, 1, sizeof *path);
    const enum ipr_code rc = ipr_paths_of(c, &k->of.player.id, 1, path, err);

    if (rc != IPR_OK)
        return rc;
    ipr_path_add_within(path, c->v->mem);
    k->path = path;
    k->part =
        ipr_career_is_whole(k) ? ipr_path_at_peak(path) : ipr_path_in(path, k->set.from, k->set.to);
    return IPR_OK;
}

enum ipr_code ipr_career_open(const struct ipr_view_context *c, const struct ipr_set *set,
                              struct ipr_career *out, struct ipr_err *err)
{
    const struct ipr_view_scope asked = ipr_career_scope(set);
    struct ipr_err why = IPR_ERR_INIT;

    *out = (struct ipr_career){ .set = *set, .text = ipr_set_text(set, c->v->mem) };
    enum ipr_code rc = ipr_rate_scope_open(c, set->player, &asked, &out->of, &why);
    if (rc != IPR_OK)
        return career_refuse(c->v, out->text, rc, &why, err);
    rc = set->phases != 0 ? career_rate_phases(c, out, &why) : career_rate_stored(c, out, &why);
    if (rc != IPR_OK)
        return career_refuse(c->v, out->text, rc, &why, err);
    out->reason = out->rating.reason;
    if (out->reason != NULL)
        rc = career_explain(c, &asked, out, err);
    if (rc != IPR_OK)
        return rc;
    out->born = career_born(c->v, &out->of.player);
    return career_is_of_years(out) ? career_add_path(c, out, err) : IPR_OK;
}

/* ---- in words ---- */

const char *ipr_career_surname(const char *name, struct ipr_arena *mem)
{
    return ipr_wording_surname(name, false, mem);
}

static bool year_has_moves(const struct ipr_career_year *y)
{
    return y->rating.turns >= IPR_VIEW_MIN_TURNS;
}

static const char *finding_pool(const char *name, struct ipr_arena *mem)
{
    const char *const pool = name != NULL ? ipr_pool_in(ipr_pool_named(name), mem) : "";

    return *pool == ' ' ? pool + 1 : NULL;
}

static const char *finding_peak(const struct ipr_career *k, struct ipr_arena *mem)
{
    const struct ipr_figure_player_peak *const p = &k->path->peak;
    const bool dated = p->from != IPR_UNKNOWN;
    const struct ipr_figure_peak_within *const within = p->within;
    const bool wider = within != NULL && (within->from < p->from || within->to > p->to);
    struct ipr_player_peak_slots slots = {
        .who = ipr_career_surname(k->of.player.name, mem),
        .from = "",
        .to = "",
        .latest = "",
        .estimate = p->rating_short.estimate,
        .pool = finding_pool(p->rating_short.pool, mem),
        .files = k->path->by_file,
    };
    enum ipr_player_peak said = IPR_PLAYER_PEAK_UNDATED;

    if (dated) {
        slots.from = ipr_arena_printf(mem, "%zu", p->from);
        slots.to = ipr_arena_printf(mem, "%zu", p->to);
        said = p->from < p->to ? IPR_PLAYER_PEAK_YEARS : IPR_PLAYER_PEAK_YEAR;
    }
    if (wider) {
        slots.earliest = ipr_arena_printf(mem, "%zu", within->from);
        slots.latest = ipr_arena_printf(mem, "%zu", within->to);
    }
    return ipr_say_player_peak(said, &slots, mem);
}

double ipr_career_strength(const struct ipr_career *k)
{
    if (k->beside)
        return NAN;
    return k->path != NULL ? k->part.at.mean : k->rating.estimate;
}

struct ipr_trajectory_change ipr_career_difference(const struct ipr_career *a,
                                                   const struct ipr_career *b)
{
    if (a->path != NULL && b->path != NULL)
        return ipr_path_difference(&a->part, &b->part);
    return (
        struct ipr_trajectory_change){ ipr_career_strength(a) - ipr_career_strength(b),
                                       hypot(a->rating.standard_error, b->rating.standard_error) };
}

const char *ipr_career_finding(const struct ipr_career *k, struct ipr_arena *mem)
{
    const bool strong = ipr_career_has_strength(k);

    if (strong && ipr_career_is_whole(k))
        return finding_peak(k, mem);
    struct ipr_player_set_slots slots = {
        .who = ipr_career_surname(k->of.player.name, mem),
        .reason = k->reason,
        .estimate = k->rating.estimate,
        .interval = k->rating.interval,
        .phases = ipr_career_phase_names(k->set.phases, mem),
        .part = k->without_moves > 0,
        .pool = finding_pool(k->rating.pool, mem),
    };
    enum ipr_player_set said = k->reason != NULL ? IPR_PLAYER_SET_NONE : IPR_PLAYER_SET_RATED;

    if (strong) {
        const bool one = k->set.from != 0 && k->set.from == k->set.to;

        slots.who = k->label;
        slots.estimate = k->part.at.mean;
        slots.interval = (struct ipr_interval){ k->part.at.lo, k->part.at.hi };
        said = one ? IPR_PLAYER_SET_YEAR : IPR_PLAYER_SET_YEARS;
    }
    return ipr_say_player_set(said, &slots, mem);
}

/* ---- a year among the others, in words ---- */

/* True if no year with enough moves is rated higher. */
static bool year_is_highest(const struct ipr_career *k, const struct ipr_career_year *y)
{
    for (size_t i = 0; i < k->n; i++)
        if (year_has_moves(&k->years[i]) && k->years[i].rating.estimate > y->rating.estimate)
            return false;
    return true;
}

/* The years with enough moves. */
struct years_compared {
    double *elo, *se; /* [n] */
    size_t n, at;     /* at: of the year */
    int other;        /* one of the others */
};

static struct years_compared years_compare(const struct ipr_career *k, int year,
                                           struct ipr_arena *mem)
{
    struct years_compared out = { .n = 0 };

    out.elo = ipr_arena_alloc(mem, 2 * k->n + 1, sizeof *out.elo);
    out.se = out.elo + k->n;
    for (size_t i = 0; i < k->n; i++) {
        const struct ipr_career_year *const y = &k->years[i];

        if (!year_has_moves(y))
            continue;
        if (y->year == year)
            out.at = out.n;
        else
            out.other = y->year;
        out.elo[out.n] = y->raw;
        out.se[out.n++] = y->raw_se;
    }
    return out;
}

const char *ipr_career_year_finding(const struct ipr_career *k, int year, struct ipr_arena *mem)
{
    const struct years_compared all = years_compare(k, year, mem);
    size_t i = 0;

    while (i < k->n && k->years[i].year != year)
        i++;
    if (i == k->n || k->n < 2 || k->reason != NULL)
        return NULL;
    struct ipr_player_year_slots slots = { .year = ipr_arena_printf(mem, "%d", year),
                                           .least = IPR_VIEW_MIN_TURNS,
                                           .n = (double)all.n,
                                           .others = (double)all.n - 1 };
    if (!year_has_moves(&k->years[i]))
        return ipr_say_player_year(IPR_PLAYER_YEAR_FEW, &slots, mem);
    if (all.n < 2)
        return ipr_say_player_year(IPR_PLAYER_YEAR_ALONE, &slots, mem);
    const struct ipr_career_apart a = ipr_career_apart(all.elo, all.se, all.n, all.at);
    const double gap = fabs(a.difference), half = IPR_Z95 * a.standard_error;

    slots.above = a.difference >= 0;
    slots.highest = slots.above && year_is_highest(k, &k->years[i]);
    slots.other = all.n == 2 ? ipr_arena_printf(mem, "%d", all.other) : NULL;
    slots.gap = gap;
    slots.gaps = (struct ipr_interval){ gap - half, gap + half };
    slots.explained = a.chance >= .05;
    slots.chance = a.chance;
    slots.rare = a.chance < .01;
    slots.sure = a.chance > .99;
    return ipr_say_player_year(IPR_PLAYER_YEAR_APART, &slots, mem);
}
