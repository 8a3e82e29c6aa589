/* The sentences at the head of a figure, made from its points. */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/str.h"
#include "view/json.h"
#include "view/paper/paper.h"

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
        ipr_buf_printf(out, "From %s analysed moves of %s games.", turns, games);
    else if (strcmp(games, "0") != 0)
        ipr_buf_printf(out, "From %s analysed games.", games);
}

static void finding_of_missing(const struct finding_sums *s, struct ipr_buf *out)
{
    if (s->series == 1)
        ipr_buf_puts(out, " Too few moves of it are analysed here.");
    else
        ipr_buf_printf(out, " %zu of the %zu lines %s too few analysed moves here.", s->missing,
                       s->series, s->missing == 1 ? "has" : "have");
}

json_t *ipr_paper_figure_finding(const json_t *answer)
{
    struct ipr_buf text = IPR_BUF_INIT;
    struct finding_sums s = { 0 };
    const json_t *series;
    size_t i;

    json_array_foreach(json_object_get(answer, "series"), i, series)
        finding_add(answer, series, &s);
    if (!json_is_null(json_object_get(answer, "reason")))
        ipr_buf_printf(&text, "It cannot be made here: %s.", ipr_json_text_at(answer, "reason"));
    else
        finding_of_moves(answer, &text);
    if (s.points > 0)
        finding_of_printed(answer, &s, &text);
    if (s.missing > 0)
        finding_of_missing(&s, &text);
    json_t *out = json_string(ipr_buf_c(&text));
    ipr_buf_release(&text);
    return out;
}
