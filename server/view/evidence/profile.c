/* Where a player's games lose points, and what to work on. */
#include "view/evidence/profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/openings.h"
#include "resource/read.h"
#include "sentence/sentence.h"
#include "view/evidence/positions.h"
#include "view/json.h"
#include "view/rating/rate.h"
#include "view/wording.h"

#define POSITIONS_OF_PART 2
#define POSITIONS         6    /* where no part stands out */
#define NARROW            200. /* half of an interval from which on a rating is a range */
#define GAMES_MORE        100  /* at most */
#define CLEAR             .9   /* of what is lost: so much less is worth saying */

struct profile_work {
    const struct ipr_profile_source *from;
    const struct ipr_evidence_set *set;
    struct ipr_arena *mem;
    struct ipr_profile_move *move; /* [set->n] */
    struct ipr_opening *opening;   /* [set->n], of its game */
    struct ipr_profile of;
    size_t advice[IPR_PROFILE_ADVICE], n_advice; /* rows of it */
    double rating;                               /* NAN: none */
    double level;  /* rating of those that the player is compared with; NAN: nobody */
    double needed; /* games more until its interval is narrow; NAN: too many, or it is */
};

/* ---- the moves ---- */

/* Without the position it is never an endgame. */
static enum ipr_phase move_phase(const struct ipr_evidence_move *m)
{
    if (m->searched.phase != IPR_PHASES)
        return m->searched.phase;
    return m->turn->ply / 2 < IPR_PHASE_OPENING_MOVES ? IPR_PHASE_OPENING : IPR_PHASE_MIDDLEGAME;
}

static void profile_moves(struct profile_work *w)
{
    w->move = ipr_arena_alloc(w->mem, w->set->n + 1, sizeof *w->move);
    w->opening = ipr_arena_alloc(w->mem, w->set->n + 1, sizeof *w->opening);
    for (size_t i = 0; i < w->set->n; i++) {
        const struct ipr_evidence_move *const m = &w->set->moves[i];
        const struct ipr_db_evidence_game *const g = &w->set->games[m->game];
        const struct ipr_move_cost *const cost = &m->searched;
        const bool same = i > 0 && m[-1].game == m->game;

        w->opening[i] = same ? w->opening[i - 1]
                             : ipr_opening_of(ipr_str_c(g->eco), &g->start, g->moves, g->n_moves);
        w->move[i] = (struct ipr_profile_move){
            .game = m->game,
            .line = w->opening[i].number,
            .phase = move_phase(m),
            .standing = ipr_standing_of(cost->expected),
            .black = m->turn->mover == IPR_BLACK,
            .hurried = m->hurried,
            .lost = fmax(cost->lost, 0),
        };
    }
}

/* ---- parts ---- */

/* Points in the games of a colour or an opening; of other parts games do not go by the part. */
static void part_points(const struct profile_work *w, const struct ipr_profile_row *row,
                        struct ipr_answer_profile_part *out)
{
    const bool colour = row->part == IPR_PROFILE_WHITE || row->part == IPR_PROFILE_BLACK;

    if (!colour && row->part != IPR_PROFILE_LINE)
        return;
    out->points = 0;
    out->scored = 0;
    for (size_t i = 0; i < w->set->n; i++) {
        const struct ipr_profile_move *const m = &w->move[i];
        const double points = ipr_profile_points(&w->set->games[m->game], m->black);
        const bool in =
            colour ? m->black == (row->part == IPR_PROFILE_BLACK) : m->line == row->line;

        if ((i > 0 && m[-1].game == m->game) || !in || isnan(points))
            continue;
        out->points += points;
        out->scored++;
    }
}

static void part_fill(const struct profile_work *w, const struct ipr_profile_row *row,
                      struct ipr_answer_profile_part *out)
{
    const double moves = (double)row->moves;

    out->part = ipr_profile_part_name(row->part);
    out->eco = ipr_opening_codes(row->line, w->mem);
    out->opening = ipr_opening_name(row->line);
    out->games = (int64_t)row->games;
    out->moves = (int64_t)row->moves;
    part_points(w, row, out);
    out->lost = row->lost / moves;
    out->usual = row->usual / moves;
    out->stronger = row->stronger / moves;
    out->deviation = row->deviation;
    out->deviation_se = row->se;
    out->reference_se = row->reference_se;
    out->extra = row->extra;
    if (row->called != 0)
        out->called = row->called > 0 ? "more" : "less";
}

/* ---- what to work on ---- */

static const struct {
    const char *words;
    enum ipr_profile_weakness weakness;
} parts[] = {
    [IPR_PROFILE_OPENING] = { "the opening", IPR_PROFILE_WEAKNESS_PHASE },
    [IPR_PROFILE_MIDDLEGAME] = { "the middlegame", IPR_PROFILE_WEAKNESS_PHASE },
    [IPR_PROFILE_ENDGAME] = { "the endgame", IPR_PROFILE_WEAKNESS_PHASE },
    [IPR_PROFILE_WHITE] = { "White", IPR_PROFILE_WEAKNESS_COLOUR },
    [IPR_PROFILE_BLACK] = { "Black", IPR_PROFILE_WEAKNESS_COLOUR },
    [IPR_PROFILE_AHEAD] = { "better positions", IPR_PROFILE_WEAKNESS_STANDING },
    [IPR_PROFILE_LEVEL] = { "level positions", IPR_PROFILE_WEAKNESS_STANDING },
    [IPR_PROFILE_BEHIND] = { "worse positions", IPR_PROFILE_WEAKNESS_STANDING },
    [IPR_PROFILE_HURRIED] = { NULL, IPR_PROFILE_WEAKNESS_HURRIED },
    [IPR_PROFILE_LINE] = { NULL, IPR_PROFILE_WEAKNESS_OPENING },
};

static const char *weakness_text(const struct profile_work *w, const struct ipr_profile_row *row)
{
    const double games = (double)row->games;
    const struct ipr_profile_weakness_slots slots = {
        .part =
            row->part == IPR_PROFILE_LINE ? ipr_opening_name(row->line) : parts[row->part].words,
        .lost = row->lost / games,
        .rest = row->usual * w->of.lost / w->of.usual / games,
    };

    return ipr_say_profile_weakness(parts[row->part].weakness, &slots, w->mem);
}

/* ---- in words ---- */

static const struct ipr_scale *profile_scale(const struct ipr_profile_source *from)
{
    return from->by_file ? &from->pool->files : &from->pool->moves;
}

static const char *profile_strength(const struct profile_work *w,
                                    const struct ipr_answer_profile *out)
{
    const struct ipr_figure_rating_short *const r = &out->rating;
    const double half = (r->interval.hi - r->interval.lo) / 2;
    const bool known = isfinite(r->estimate) && isfinite(half);
    const struct ipr_profile_strength_slots slots = {
        .who = ipr_wording_surname(out->player.name, false, w->mem),
        .estimate = r->estimate,
        .games = (double)out->games,
        .pool = w->from->pool == ipr_pool_at(0) ? NULL : w->from->pool->title,
        .server = out->server,
        .low = r->interval.lo,
        .high = r->interval.hi,
        .needed = w->needed,
    };

    if (!known)
        return ipr_say_profile_strength(w->of.moves == 0 ? IPR_PROFILE_STRENGTH_WAITING
                                                         : IPR_PROFILE_STRENGTH_NONE,
                                        &slots, w->mem);
    return ipr_say_profile_strength(
        half <= NARROW ? IPR_PROFILE_STRENGTH_KNOWN : IPR_PROFILE_STRENGTH_RANGE, &slots, w->mem);
}

/* The end of the reference that a rating beyond it is compared with. */
static const char *level_end(const struct profile_work *w)
{
    if (!(fabs(w->rating - w->level) > 0))
        return NULL;
    return w->rating > w->level ? "strongest" : "weakest";
}

/* Who the player is compared with; the reference's error is that of the part where it is largest.
 */
static const char *profile_reference(const struct profile_work *w)
{
    struct ipr_profile_level_slots slots = { .level = w->level, .end = level_end(w) };

    for (size_t i = 0; i < w->of.n; i++)
        slots.error = fmax(slots.error, 100 * w->of.row[i].reference_se);
    return ipr_say_profile_level(IPR_PROFILE_LEVEL_PLAYERS, &slots, w->mem);
}

static const char *profile_finding(const struct profile_work *w,
                                   const struct ipr_answer_profile *out)
{
    struct ipr_arena *const mem = w->mem;
    const struct ipr_profile_row *most = NULL; /* the phase in which most is lost */
    const char *const strength = profile_strength(w, out);
    struct ipr_profile_nothing_slots slots = {
        .stronger = NAN, .level = w->level, .end = level_end(w), .all = NAN, .usual = NAN
    };
    enum ipr_profile_nothing which = IPR_PROFILE_NOTHING_TOO_FEW;

    if (out->advice.n > 0)
        return ipr_arena_printf(mem, "%s %s", strength, out->advice.at[0].text);
    if (w->of.moves == 0)
        return strength;
    for (size_t i = 0; i < w->of.n && w->of.row[i].part <= IPR_PROFILE_ENDGAME; i++)
        if (most == NULL || w->of.row[i].lost > most->lost)
            most = &w->of.row[i];
    if (most != NULL) { /* else the phases are not known of all moves */
        slots.most = parts[most->part].words;
        slots.lost = most->lost / (double)w->of.games;
        if (most->stronger < CLEAR * most->lost)
            slots.stronger = most->stronger / (double)w->of.games;
    }
    if (w->of.moves >= 2 * IPR_PROFILE_MOVES) {
        const struct ipr_profile_reference *const r = profile_scale(w->from)->usual;

        which = IPR_PROFILE_NOTHING_COMPARED;
        if (fmin(w->of.lost, w->of.usual) < CLEAR * fmax(w->of.lost, w->of.usual)) {
            slots.all = out->lost;
            slots.usual = out->usual;
        }
        if (isnan(w->of.usual))
            which = IPR_PROFILE_NOTHING_NOT_COMPARED;
        if (isnan(w->of.usual) && w->from->compared && r != NULL && !isnan(w->rating)) {
            which = IPR_PROFILE_NOTHING_BEYOND;
            slots.low = r->low;
            slots.high = r->high;
        }
    }
    return ipr_arena_printf(mem, "%s %s", strength, ipr_say_profile_nothing(which, &slots, mem));
}

/* ---- all of it ---- */

static double rating_half(const struct ipr_figure_rating *r)
{
    return (r->figure.interval.hi - r->figure.interval.lo) / 2;
}

/* How many more games like these narrow the interval. A part of the error is the difference between
 * players of one rating, which no number of games reduces. */
static double games_needed(const struct ipr_view_context *c, const struct ipr_scale *scale,
                           const struct ipr_db_strength *sums)
{
    for (int more = 1; more <= GAMES_MORE && sums->games > 0; more++) {
        const double times = 1 + (double)more / (double)sums->games;
        struct ipr_db_strength grown = *sums;

        grown.score = (int64_t)((double)sums->score * times);
        grown.information = (int64_t)((double)sums->information * times);
        if (rating_half(ipr_scale_figure(c, scale, &grown)) <= NARROW)
            return more;
    }
    return NAN;
}

static void profile_rate(struct profile_work *w, struct ipr_answer_profile *out)
{
    const struct ipr_scale *const scale = profile_scale(w->from);
    const struct ipr_view view = { .mem = w->mem, .time_classes = w->from->pool->times };
    const struct ipr_view_context c = ipr_setting_games(&view);
    struct ipr_figure_rating *const rating = ipr_scale_figure(&c, scale, w->from->sums);

    out->rating = ipr_strength_shorten(rating);
    w->rating = out->rating.estimate;
    w->needed = rating_half(rating) > NARROW ? games_needed(&c, scale, w->from->sums) : NAN;
    ipr_progress_fill(w->from, &c, scale, out);
}

/* The parts, and those to work on, once the rating is known. */
static void profile_divide(struct profile_work *w)
{
    const struct ipr_profile_reference *const r = profile_scale(w->from)->usual;
    bool placed = true; /* all positions are known */

    w->level = w->from->compared && r != NULL ? ipr_profile_level(r, w->rating) : NAN;
    profile_moves(w);
    ipr_profile_of(w->move, w->set->n, isnan(w->level) ? NULL : r, w->level, &w->of);
    for (size_t i = 0; i < w->set->n; i++)
        placed = placed && w->set->moves[i].searched.phase != IPR_PHASES;
    if (!placed)
        ipr_profile_drop_phases(&w->of);
    w->n_advice = ipr_profile_advice(&w->of, w->advice);
}

size_t ipr_profile_unconfirmed(const struct ipr_profile_source *from, struct ipr_arena *mem,
                               const struct ipr_evidence_move ***out)
{
    struct profile_work w = { .from = from, .set = from->set, .mem = mem };
    struct ipr_answer_profile *const blank = ipr_shape_new(IPR_SHAPE_PROFILE, mem);
    const size_t n = from->set->n;
    size_t found = 0;

    *out = ipr_arena_alloc(mem, (IPR_PROFILE_ADVICE + 1) * (n + 1), sizeof **out);
    profile_rate(&w, blank);
    profile_divide(&w);
    const struct ipr_positions_of of = { w.set, w.move, mem };
    for (size_t i = 0; i < w.n_advice; i++)
        found +=
            ipr_positions_lacking(&of, &w.of.row[w.advice[i]], POSITIONS_OF_PART, *out + found);
    return w.n_advice > 0 ? found : ipr_positions_lacking(&of, NULL, POSITIONS, *out);
}

/* NULL if it has positions to solve. */
static const char *profile_unsolved(const struct ipr_positions_of *of, bool by_file,
                                    const struct ipr_answer_profile *out)
{
    const struct ipr_evidence_move **const lacking =
        ipr_arena_alloc(of->mem, of->set->n + 1, sizeof *lacking);
    enum ipr_profile_unsolved as = IPR_PROFILE_UNSOLVED_CLEAN;
    size_t n = out->positions.n;

    for (size_t i = 0; i < out->advice.n; i++)
        n += out->advice.at[i].positions.n;
    if (n > 0)
        return NULL;
    if (by_file)
        as = IPR_PROFILE_UNSOLVED_NOT_QUEUED;
    else if (ipr_positions_lacking(of, NULL, 1, lacking) > 0)
        as = IPR_PROFILE_UNSOLVED_LACKING;
    return ipr_say_profile_unsolved(as, &(struct ipr_profile_unsolved_slots){ 0 }, of->mem);
}

void ipr_profile_make(const struct ipr_profile_source *from, struct ipr_arena *mem,
                      struct ipr_answer_profile *out)
{
    struct profile_work w = { .from = from, .set = from->set, .mem = mem };

    out->player = from->player;
    out->by_file = from->by_file;
    profile_rate(&w, out);
    profile_divide(&w);
    out->games = (int64_t)w.of.games;
    out->moves = (int64_t)w.of.moves;
    if (w.of.games > 0) {
        out->lost = w.of.lost / (double)w.of.games;
        out->usual = w.of.usual / (double)w.of.games;
        out->stronger = w.of.stronger / (double)w.of.games;
    }
    out->parts.n = w.of.n;
    out->parts.at = ipr_shape_list(IPR_SHAPE_PROFILE_PART, w.of.n, mem);
    for (size_t i = 0; i < w.of.n; i++)
        part_fill(&w, &w.of.row[i], &out->parts.at[i]);
    ipr_profile_games_fill(from, w.opening, mem, out);
    const struct ipr_positions_of of = { w.set, w.move, mem };
    out->advice.n = w.n_advice;
    out->advice.at = ipr_shape_list(IPR_SHAPE_PROFILE_ADVICE, out->advice.n, mem);
    for (size_t i = 0; i < out->advice.n; i++) {
        const struct ipr_profile_row *const row = &w.of.row[w.advice[i]];

        part_fill(&w, row, &out->advice.at[i].profile_part);
        out->advice.at[i].text = weakness_text(&w, row);
        out->advice.at[i].positions = ipr_positions_find(&of, row, POSITIONS_OF_PART);
    }
    out->positions = ipr_positions_find(&of, NULL, out->advice.n > 0 ? 0 : POSITIONS);
    out->unsolved = profile_unsolved(&of, from->by_file, out);
    out->finding = profile_finding(&w, out);
    if (w.of.usual > 0) {
        const struct ipr_profile_reference *const r = profile_scale(from)->usual;
        const struct ipr_profile_tested_slots slots = { r->halves.there, r->halves.chance,
                                                        r->halves.p };

        out->level = w.level;
        out->reference = profile_reference(&w);
        out->tested = ipr_say_profile_tested(
            r == &ipr_profile_otb_moves ? IPR_PROFILE_TESTED_YEARS : IPR_PROFILE_TESTED_ACCOUNTS,
            &slots, mem);
    }
}

/* ---- of stored games ---- */

static struct ipr_db_game_filter profile_filter(const struct ipr_view_context *c,
                                                const struct ipr_profile_request *p)
{
    struct ipr_db_game_filter f = {
        .player = p->player, .times = c->times, .upload = p->upload, .judge_id = c->judge_id
    };

    ipr_view_years(p->year, p->from, p->to, &f.from, &f.to);
    return f;
}

struct profile_found {
    const struct ipr_profile_request *p;
    struct {
        int64_t *ids;
        size_t n;
    } by[IPR_SETTING_CANDIDATES];
};

static enum ipr_code profile_count(void *of, size_t i, const struct ipr_view_context *c, int64_t *n,
                                   struct ipr_err *err)
{
    struct profile_found *const f = of;
    const struct ipr_db_game_filter filter = profile_filter(c, f->p);
    enum ipr_code rc = IPR_OK;

    if (c->judge_id != 0)
        rc = ipr_db_game_ids(c->v->db, &filter, 0, IPR_EVIDENCE_GAMES + 1, c->v->mem, &f->by[i].ids,
                             &f->by[i].n, err);
    if (rc == IPR_OK && f->by[i].n > IPR_EVIDENCE_GAMES)
        return ipr_evidence_too_many(err);
    *n = (int64_t)f->by[i].n;
    return rc;
}

static enum ipr_code profile_sums(const struct ipr_view_context *c,
                                  const struct ipr_profile_request *p, int32_t person,
                                  struct ipr_db_strength *out, struct ipr_err *err)
{
    struct ipr_db_scope scope = {
        .person = person, .colours = IPR_DB_BOTH_COLOURS, .times = c->times, .upload = p->upload
    };

    ipr_view_years(p->year, p->from, p->to, &scope.from, &scope.to);
    return ipr_db_strength_of_scope(c->v->db, &scope, ipr_strength_is_by_file(c) ? -1 : 1, out,
                                    err);
}

static enum ipr_code profile_answer(const struct ipr_view_context *c,
                                    const struct ipr_profile_request *p,
                                    const struct profile_found *found, json_t **out,
                                    struct ipr_err *err)
{
    struct ipr_answer_profile *const answer = ipr_shape_new(IPR_SHAPE_PROFILE, c->v->mem);
    struct ipr_answer_basis_of_figures basis;
    struct ipr_evidence_set set = { 0 };
    struct ipr_db_strength sums;
    struct ipr_db_player player;

    enum ipr_code rc =
        ipr_db_player_get(c->v->db, p->player, c->judge_id, c->times, c->v->mem, &player, err);
    if (rc == IPR_OK)
        rc = ipr_evidence_load(c, found->by[c->candidate].ids, found->by[c->candidate].n, player.id,
                               &set, err);
    if (rc == IPR_OK)
        rc = profile_sums(c, p, player.id, &sums, err);
    if (rc != IPR_OK)
        return rc;
    ipr_view_context_basis(c, &basis);
    answer->judge = basis.judge;
    answer->time_classes = basis.time_classes;
    answer->pool = basis.pool;
    ipr_profile_make(
        &(struct ipr_profile_source){ .set = &set,
                                      .player = ipr_named(player.id, player.name),
                                      .pool = c->pool,
                                      .by_file = ipr_strength_is_by_file(c),
                                      .compared = c->rates || ipr_strength_is_by_file(c),
                                      .sums = &sums },
        c->v->mem, answer);
    *out = ipr_shape_json(IPR_SHAPE_PROFILE, answer);
    return IPR_OK;
}

enum ipr_code ipr_view_profile(const struct ipr_view *v, const struct ipr_profile_request *p,
                               json_t **out, struct ipr_err *err)
{
    struct profile_found found = { .p = p };
    struct ipr_view_context c = { 0 };
    const enum ipr_code rc =
        ipr_setting_for(v, IPR_FOR_PROFILE,
                        &(struct ipr_setting_scope){ p->judge, profile_count, &found }, &c, err);

    if (rc != IPR_OK)
        return rc;
    const enum ipr_code done = profile_answer(&c, p, &found, out, err);
    ipr_view_context_close(&c);
    return done;
}

enum ipr_code ipr_view_add_profile(const struct ipr_view *v, const struct ipr_profile_request *p,
                                   double games, json_t *out, struct ipr_err *err)
{
    json_t *profile = NULL;

    if (games > (double)IPR_EVIDENCE_GAMES)
        return IPR_OK;
    const enum ipr_code rc = ipr_view_profile(v, p, &profile, err);
    if (rc == IPR_OK)
        json_object_set_new(out, "profile", profile);
    return rc;
}
