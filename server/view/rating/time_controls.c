/*
 * Whether play is weaker at rapid and other time controls than at standard ones (Regan and Haworth
 * leave them out): rating by the moves by class, and differences between the same players in the
 * same year, and at the same Elo.
 *
 * Order of the work: one row for each player, year and class with analysed moves, sorted a few
 * times. z = score / information is what a player's moves tell (model/strength.h); means of it are
 * weighted by the information, errors clustered by player. A difference of z is carried to Elo by
 * the curve of the calibration, whose own error is not included.
 */
#include <math.h>
#include <string.h>

#include "db/strength.h"
#include "pgn/time_class.h"
#include "sentence/sentence.h"
#include "stats/clustered.h"
#include "view/certainty.h"
#include "view/examples.h"
#include "view/rating/rate.h"

/* With fewer players the error between them is hardly known. */
#define TIME_PLAYERS 10

/* The others are compared with the first of these, whose parts are the next two. */
static const struct time_set {
    const char *name; /* NULL: that of the only class */
    unsigned classes; /* set of IPR_TIME_BIT */
    bool compared;
} time_sets[] = {
    { "standard", IPR_TIME_SET_DEFAULT, false },
    { NULL, IPR_TIME_BIT(IPR_TIME_CLASSICAL), false },
    { NULL, IPR_TIME_BIT(IPR_TIME_UNKNOWN), false },
    { NULL, IPR_TIME_BIT(IPR_TIME_RAPID), true },
    { NULL, IPR_TIME_BIT(IPR_TIME_BLITZ), true },
    { NULL, IPR_TIME_BIT(IPR_TIME_BULLET), true },
    { NULL, IPR_TIME_BIT(IPR_TIME_CORRESPONDENCE), true },
};

#define TIME_SETS (sizeof time_sets / sizeof *time_sets)

/* Player-years, by person and year. */
struct time_rows {
    struct ipr_db_time_strength *row;
    size_t n;
    struct ipr_arena *mem;
};

/* A weighted mean over player-years, ascending person. */
struct time_mean {
    double *x, *weight, *influence;
    int32_t *person;
    size_t n, players, moves;
    double mean, se;
};

static struct time_mean time_mean_new(const struct time_rows *r)
{
    return (struct time_mean){ .x = ipr_arena_alloc(r->mem, r->n + 1, sizeof(double)),
                               .weight = ipr_arena_alloc(r->mem, r->n + 1, sizeof(double)),
                               .influence = ipr_arena_alloc(r->mem, 2 * r->n + 1, sizeof(double)),
                               .person = ipr_arena_alloc(r->mem, 2 * r->n + 1, sizeof(int32_t)) };
}

static void time_mean_add(struct time_mean *m, const struct ipr_db_time_strength *row, double x,
                          double weight)
{
    m->players += m->n == 0 || m->person[m->n - 1] != row->person;
    m->moves += (size_t)row->moves;
    m->x[m->n] = x;
    m->weight[m->n] = weight;
    m->person[m->n++] = row->person;
}

static bool time_mean_enough(const struct time_mean *m)
{
    return m->players >= TIME_PLAYERS && m->moves >= IPR_VIEW_MIN_TURNS;
}

/* `less`: what is subtracted; NULL: nothing. */
static void time_mean_close(struct time_mean *m, struct time_mean *less)
{
    const size_t n = m->n;

    m->mean = ipr_stats_weighted_mean(m->x, m->weight, n, m->influence);
    if (less != NULL) {
        m->mean -= ipr_stats_weighted_mean(less->x, less->weight, less->n, less->influence);
        for (size_t i = 0; i < less->n; i++)
            m->influence[n + i] = -less->influence[i];
        memcpy(m->person + n, less->person, less->n * sizeof *m->person);
    }
    m->se = ipr_stats_influence_se(m->influence, m->person, n + (less != NULL ? less->n : 0),
                                   m->players);
}

/* Play at standard time controls is what the others are compared with. */
static const struct ipr_scale *time_scale(void)
{
    return &ipr_pool_of(IPR_TIME_SET_DEFAULT)->moves;
}

static double time_elo(double z)
{
    return ipr_strength_curve_elo(&time_scale()->fit->calibration.curve, z);
}

/* An interval of z on the Elo scale, less an Elo; the curve may fall. */
static struct ipr_interval time_interval(double z, double half, double less)
{
    const double a = time_elo(z - half) - less, b = time_elo(z + half) - less;

    return (struct ipr_interval){ fmin(a, b), fmax(a, b) };
}

static double time_half(const struct time_mean *m)
{
    return ipr_stats_quantile95(m->players) * m->se;
}

static double time_z(const struct ipr_db_time_strength *row)
{
    return (double)row->score / (double)row->information;
}

static bool time_in(const struct ipr_db_time_strength *row, unsigned classes)
{
    return (IPR_TIME_BIT((unsigned)row->time_class) & classes) != 0;
}

/* ---- differences ---- */

/* `z`: of standard games, or what is expected of them. */
static struct ipr_figure_time_difference *time_difference(const struct time_rows *r,
                                                          const struct time_mean *m, double z)
{
    struct ipr_figure_time_difference *out = ipr_shape_new(IPR_SHAPE_TIME_DIFFERENCE, r->mem);
    const double elo = time_elo(z), at = z + m->mean;

    out->estimate = time_elo(at) - elo;
    out->standard_error = fabs(time_elo(at + m->se) - time_elo(at - m->se)) / 2;
    out->interval = time_interval(at, time_half(m), elo);
    out->distinct = out->interval.lo > 0 || out->interval.hi < 0;
    out->players = m->players;
    out->moves = m->moves;
    return out;
}

static struct ipr_figure_time_difference *time_no_difference(const struct time_rows *r,
                                                             const struct time_mean *m,
                                                             enum ipr_report_time_needed which)
{
    struct ipr_figure_time_difference *out = ipr_shape_new(IPR_SHAPE_TIME_DIFFERENCE, r->mem);
    const struct ipr_report_time_needed_slots slots = { TIME_PLAYERS, IPR_VIEW_MIN_TURNS,
                                                        (double)m->players, (double)m->moves };

    out->players = m->players;
    out->moves = m->moves;
    out->reason = ipr_say_report_time_needed(which, &slots, r->mem);
    return out;
}

/* Sums of a player's year over some classes. */
static struct ipr_db_time_strength time_year(const struct time_rows *r, size_t first, size_t end,
                                             unsigned classes)
{
    struct ipr_db_time_strength sum = { .person = r->row[first].person };

    for (size_t i = first; i < end; i++) {
        const bool in = time_in(&r->row[i], classes);
        sum.moves += in ? r->row[i].moves : 0;
        sum.score += in ? r->row[i].score : 0;
        sum.information += in ? r->row[i].information : 0;
    }
    return sum;
}

static size_t time_year_end(const struct time_rows *r, size_t first)
{
    size_t end = first + 1;

    while (end < r->n && r->row[end].person == r->row[first].person &&
           r->row[end].year == r->row[first].year)
        end++;
    return end;
}

/* A year of a player weighs as the inverse variance of its difference. */
static struct ipr_figure_time_difference *time_same_players(const struct time_rows *r,
                                                            unsigned classes)
{
    struct time_mean m = time_mean_new(r), standard = time_mean_new(r);

    for (size_t i = 0, end; i < r->n; i = end) {
        end = time_year_end(r, i);
        const struct ipr_db_time_strength own = time_year(r, i, end, classes);
        const struct ipr_db_time_strength other = time_year(r, i, end, IPR_TIME_SET_DEFAULT);
        const double a = (double)own.information, b = (double)other.information;
        if (!(a > 0 && b > 0))
            continue;
        time_mean_add(&m, &own, time_z(&own) - time_z(&other), a * b / (a + b));
        time_mean_add(&standard, &other, time_z(&other), a * b / (a + b));
    }
    if (!time_mean_enough(&m))
        return time_no_difference(r, &m, IPR_REPORT_TIME_NEEDED_SAME_PLAYERS);
    time_mean_close(&m, NULL);
    time_mean_close(&standard, NULL);
    return time_difference(r, &m, standard.mean);
}

/* z less what is expected at the Elo in that year; *expected: the mean of the latter. */
static struct time_mean time_beyond_elo(const struct time_rows *r, unsigned classes,
                                        double *expected)
{
    const struct ipr_scale *const scale = time_scale();
    struct time_mean m = time_mean_new(r);
    double sum = 0, weights = 0;

    for (size_t i = 0; i < r->n; i++) {
        const struct ipr_db_time_strength *row = &r->row[i];
        if (!time_in(row, classes) || !ipr_scale_holds(scale, row->elo))
            continue;
        const double z = ipr_strength_expected(&scale->fit->calibration, row->elo, row->year);
        time_mean_add(&m, row, time_z(row) - z, (double)row->information);
        sum += (double)row->information * z;
        weights += (double)row->information;
    }
    *expected = sum / weights;
    return m;
}

static struct ipr_figure_time_difference *time_same_elo(const struct time_rows *r, unsigned classes)
{
    double expected, other;
    struct time_mean m = time_beyond_elo(r, classes, &expected);
    struct time_mean standard = time_beyond_elo(r, IPR_TIME_SET_DEFAULT, &other);

    if (!time_mean_enough(&m))
        return time_no_difference(r, &m, IPR_REPORT_TIME_NEEDED_SAME_ELO);
    if (!time_mean_enough(&standard))
        return time_no_difference(r, &standard, IPR_REPORT_TIME_NEEDED_STANDARD);
    time_mean_close(&m, &standard);
    return time_difference(r, &m, expected);
}

/* ---- a class ---- */

static void time_rating(const struct time_rows *r, struct time_mean *m,
                        struct ipr_figure_time_play *out)
{
    if (m->moves == 0) {
        out->reason = ipr_say_report_time_reason(IPR_REPORT_TIME_REASON_NOT_ANALYSED);
        return;
    }
    if (!time_mean_enough(m)) {
        out->reason = time_no_difference(r, m, IPR_REPORT_TIME_NEEDED_GAMES)->reason;
        return;
    }
    time_mean_close(m, NULL);
    out->estimate = time_elo(m->mean);
    out->standard_error = fabs(time_elo(m->mean + m->se) - time_elo(m->mean - m->se)) / 2;
    out->interval = time_interval(m->mean, time_half(m), 0);
}

static struct ipr_figure_time_play time_play(const struct time_rows *r, const struct time_set *set)
{
    struct time_mean m = time_mean_new(r);
    struct ipr_figure_time_play out;
    double elo = 0, weights = 0;

    ipr_shape_blank(IPR_SHAPE_TIME_PLAY, &out);
    out.time_class = set->name;
    for (enum ipr_time_class c = 0; out.time_class == NULL; c++)
        if (set->classes == IPR_TIME_BIT(c))
            out.time_class = ipr_time_class_name(c);
    out.games = 0;
    for (size_t i = 0; i < r->n; i++) {
        const struct ipr_db_time_strength *row = &r->row[i];
        if (!time_in(row, set->classes))
            continue;
        time_mean_add(&m, row, time_z(row), (double)row->information);
        out.games += (size_t)row->games;
        elo += row->elo * (double)row->information;
        weights += row->elo > 0 ? (double)row->information : 0;
    }
    out.players = m.players;
    out.moves = m.moves;
    out.elo = elo / weights;
    time_rating(r, &m, &out);
    if (set->compared && m.moves > 0) {
        out.same_players = time_same_players(r, set->classes);
        out.same_elo = time_same_elo(r, set->classes);
    }
    return out;
}

/* ---- in words ---- */

/* The comparison of the same players, or else of the same Elo; NULL: there is neither. */
static const struct ipr_figure_time_difference *time_told(const struct ipr_figure_time_play *p)
{
    if (p->same_players != NULL && p->same_players->reason == NULL)
        return p->same_players;
    return p->same_elo != NULL && p->same_elo->reason == NULL ? p->same_elo : NULL;
}

static const char *time_sentence(const struct ipr_figure_time_play *p,
                                 const struct ipr_figure_time_difference *d, struct ipr_arena *mem)
{
    const bool better = d->estimate >= 0;
    const struct ipr_report_time_slots slots = {
        .class = p->time_class,
        .better = better,
        .same = d == p->same_players,
        .gap = fabs(d->estimate),
        .gaps = better ? d->interval : (struct ipr_interval){ -d->interval.hi, -d->interval.lo },
        .moves = (double)d->moves,
        .players = (double)d->players,
        .chance = .5 * erfc(-fabs(d->estimate) / d->standard_error / sqrt(2.)),
    };

    return ipr_say_report_time(ipr_certainty_word(slots.chance) == NULL ? IPR_REPORT_TIME_OPEN
                                                                        : IPR_REPORT_TIME_FOUND,
                               &slots, mem);
}

/* A sentence for each class that is compared. */
static const char *time_finding(const struct ipr_figure_time_play *play, const char *reason,
                                struct ipr_arena *mem)
{
    const char *text = "";

    if (reason != NULL)
        return ipr_say_report_time_none(
            IPR_REPORT_TIME_NONE_ALL,
            &(struct ipr_report_time_none_slots){ reason, play->estimate, play->interval,
                                                  (double)play->moves, (double)play->players },
            mem);
    for (size_t i = 0; i < TIME_SETS; i++) {
        const struct ipr_figure_time_difference *d = time_told(&play[i]);

        if (d != NULL)
            text = ipr_arena_printf(mem, "%s%s%s", text, *text != '\0' ? " " : "",
                                    time_sentence(&play[i], d, mem));
    }
    return text;
}

/* ---- the answer ---- */

static json_t *time_answer(const struct time_rows *r)
{
    struct ipr_figure_time_play play[TIME_SETS];
    struct ipr_figure_time_controls out;
    size_t compared = 0, others = 0;

    ipr_shape_blank(IPR_SHAPE_TIME_CONTROLS, &out);
    for (size_t i = 0; i < TIME_SETS; i++) {
        play[i] = time_play(r, &time_sets[i]);
        compared += time_told(&play[i]) != NULL;
        others += time_sets[i].compared ? play[i].games : 0;
    }
    out.least_players = TIME_PLAYERS;
    out.least_moves = IPR_VIEW_MIN_TURNS;
    out.rows.at = play;
    out.rows.n = TIME_SETS;
    if (compared == 0)
        out.reason = ipr_say_report_time_reason(others == 0 ? IPR_REPORT_TIME_REASON_NONE_KNOWN
                                                            : IPR_REPORT_TIME_REASON_FEW_KNOWN);
    out.finding = time_finding(play, out.reason, r->mem);
    return ipr_shape_json(IPR_SHAPE_TIME_CONTROLS, &out);
}

enum ipr_code ipr_view_time_controls(const struct ipr_view *v,
                                     const struct ipr_time_controls_request *p, json_t **out,
                                     struct ipr_err *err)
{
    struct time_rows r = { .mem = v->mem };

    const enum ipr_code rc =
        ipr_db_strength_of_times(v->db, !p->imported, v->mem, &r.row, &r.n, err);
    if (rc == IPR_OK)
        *out = time_answer(&r);
    return rc;
}

/* With games at the other time controls that are compared, or where their moves are not stored at
 * standard ones. */
enum ipr_code ipr_view_time_controls_page(const struct ipr_view *v,
                                          const struct ipr_time_controls_request *p, json_t **out,
                                          struct ipr_err *err)
{
    unsigned others = 0;
    struct ipr_view_context c = { 0 };
    enum ipr_code rc = ipr_view_time_controls(v, p, out, err);

    if (rc != IPR_OK)
        return rc;
    for (size_t i = 0; i < TIME_SETS; i++)
        others |= time_sets[i].compared ? time_sets[i].classes : 0;
    rc = ipr_setting_for(v, IPR_FOR_RATING, NULL, &c, err);
    const int32_t id = c.judge_id;
    ipr_view_context_close(&c);
    if (rc == IPR_OK)
        rc = ipr_examples_add(v, id, others, *out, err);
    json_object_set_new(*out, "other",
                        json_boolean(json_array_size(json_object_get(*out, "examples")) > 0));
    if (rc == IPR_OK && !json_is_true(json_object_get(*out, "other")))
        rc = ipr_examples_add(v, id, IPR_TIME_SET_DEFAULT, *out, err);
    if (rc != IPR_OK) {
        json_decref(*out);
        *out = NULL;
    }
    return rc;
}
