/* The sentences at the head of a figure, made from its points. */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/str.h"
#include "lab/papers/papers.h"
#include "view/json.h"

/* Our point at the x of a printed one; NULL: there is none. */
static const json_t *finding_point(const json_t *answer, const json_t *printed, const json_t *at)
{
    const json_t *series, *point;
    size_t i, k;

    json_array_foreach(json_object_get(answer, "series"), i, series) {
        if (ipr_json_true_at(series, "printed") ||
            strcmp(ipr_json_text_at(series, "name"), ipr_json_text_at(printed, "name")) != 0)
            continue;
        json_array_foreach(json_object_get(series, "points"), k, point) {
            if (fabs(ipr_json_at(point, "x", NAN) - ipr_json_at(at, "x", NAN)) < 1e-9)
                return point;
        }
    }
    return NULL;
}

struct finding_sums {
    double apart;
    size_t points, missing, series;
};

static void finding_add(const json_t *answer, const json_t *series, struct finding_sums *s)
{
    const json_t *point;
    size_t i;

    if (!ipr_json_true_at(series, "printed")) {
        s->series++;
        s->missing += json_array_size(json_object_get(series, "points")) == 0;
        return;
    }
    json_array_foreach(json_object_get(series, "points"), i, point) {
        const json_t *ours = finding_point(answer, series, point);

        if (ours == NULL)
            continue;
        s->apart += fabs(ipr_json_at(ours, "y", NAN) - ipr_json_at(point, "y", NAN));
        s->points++;
    }
}

static void finding_of_printed(const json_t *answer, const struct finding_sums *s,
                               struct ipr_buf *out)
{
    const double apart = s->apart / (double)s->points;

    if (strcmp(ipr_json_text_at(answer, "y.unit"), "share") == 0)
        ipr_buf_printf(out, " Ours differ from the paper's by %.1f percentage points",
                       100.0 * apart);
    else
        ipr_buf_printf(out, " Ours differ from the paper's by %.2f %s", apart,
                       ipr_json_text_at(answer, "y.unit"));
    ipr_buf_printf(out, " on average over the %zu printed values that we have, too.", s->points);
}

static void finding_of_moves(const json_t *answer, struct ipr_buf *out)
{
    char turns[IPR_NUMBER_TEXT], games[IPR_NUMBER_TEXT];

    ipr_number_count(ipr_json_at(answer, "turns", 0.0), turns);
    ipr_number_count(ipr_json_at(answer, "games", 0.0), games);
    if (strcmp(turns, "0") != 0)
        ipr_buf_printf(out, " From %s analysed moves of %s games.", turns, games);
    else if (strcmp(games, "0") != 0)
        ipr_buf_printf(out, " From %s analysed games.", games);
}

static void finding_of_missing(const struct finding_sums *s, struct ipr_buf *out)
{
    if (s->series == 1)
        ipr_buf_puts(out, " Too few moves of it are analysed here.");
    else
        ipr_buf_printf(out, " %zu of the %zu lines %s too few analysed moves here.", s->missing,
                       s->series, s->missing == 1 ? "has" : "have");
}

static const char *finding_number(double x, const char *unit, char out[IPR_NUMBER_TEXT])
{
    const bool share = strcmp(unit, "share") == 0;
    const double size = share ? 100.0 * x : x;

    if (fabs(size) >= 1000.0)
        ipr_number_count(size, out);
    else
        ipr_number_fixed(size, share || fabs(size) >= 10.0 ? 1 : 2, out);
    return share ? "%" : "";
}

/* The first number that the paper prints and ours has, too. */
static const json_t *finding_constant(const json_t *answer)
{
    const json_t *constant;
    size_t i;

    json_array_foreach(json_object_get(answer, "constants"), i, constant) {
        if (isfinite(ipr_json_at(constant, "printed", NAN)) &&
            isfinite(ipr_json_at(constant, "ours", NAN)))
            return constant;
    }
    return NULL;
}

/* "“mean depth” is 26.0 in the paper and 18.7 here, outside our 95% interval." */
static void finding_of_constant(const json_t *constant, struct ipr_buf *out)
{
    const double printed = ipr_json_at(constant, "printed", NAN),
                 low = ipr_json_at(constant, "interval.low", NAN),
                 high = ipr_json_at(constant, "interval.high", NAN);
    const char *const unit = ipr_json_text_at(constant, "unit");
    char ours[IPR_NUMBER_TEXT], theirs[IPR_NUMBER_TEXT];
    const char *const sign = finding_number(ipr_json_at(constant, "ours", NAN), unit, ours);

    finding_number(printed, unit, theirs);
    ipr_buf_printf(out, " “%s” is %s%s in the paper and %s%s here",
                   ipr_json_text_at(constant, "name"), theirs, sign, ours, sign);
    if (isfinite(low))
        ipr_buf_printf(out, ", %s our 95%% interval",
                       printed >= low && printed <= high ? "within" : "outside");
    ipr_buf_putc(out, '.');
}

/* Compares what can be compared: printed values, or else a printed number. */
static void finding_of_comparison(const json_t *answer, const struct finding_sums *s,
                                  struct ipr_buf *out)
{
    const json_t *const constant = finding_constant(answer);

    if (s->points > 0)
        finding_of_printed(answer, s, out);
    if (constant != NULL)
        finding_of_constant(constant, out);
    if (s->points == 0 && constant == NULL && s->missing < s->series)
        ipr_buf_puts(out, " The paper prints no number of it: only the drawings can be compared.");
}

json_t *ipr_paper_figure_finding(const json_t *answer)
{
    struct ipr_buf text = IPR_BUF_INIT;
    struct finding_sums s = { 0 };
    const json_t *series;
    size_t i;

    json_array_foreach(json_object_get(answer, "series"), i, series)
        finding_add(answer, series, &s);
    if (json_is_null(json_object_get(answer, "reason"))) {
        finding_of_comparison(answer, &s, &text);
        finding_of_moves(answer, &text);
    } else {
        ipr_buf_printf(&text, " It cannot be made here: %s.", ipr_json_text_at(answer, "reason"));
    }
    if (s.missing > 0)
        finding_of_missing(&s, &text);
    const char *const sentences = ipr_buf_c(&text);
    json_t *out = json_string(sentences + (*sentences == ' '));
    ipr_buf_release(&text);
    return out;
}
