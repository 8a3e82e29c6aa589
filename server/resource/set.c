#include "resource/set.h"

#include <inttypes.h>
#include <string.h>

#include "base/str.h"
#include "model/move_mark.h"
#include "resource/reading.h"

#define YEAR_LAST  9999
#define ALL_PHASES ((1u << IPR_PHASES) - 1u)
#define SHOWN      60 /* bytes of a text that a refusal shows */

struct set_text {
    const char *whole, *at;
    struct ipr_err *err;
};

static size_t part_length(const struct set_text *t, const char *ends)
{
    return strcspn(t->at, ends);
}

static enum ipr_code set_refuse(const struct set_text *t, const char *expected)
{
    const size_t n = part_length(t, ",");
    const size_t got = n == 0 ? ipr_param_clip(t->at, 1) : ipr_param_clip(t->at, SHOWN);

    return ipr_err_param(t->err, "set", strlen("set: "),
                         "set: expected %s, got \"%.*s\" at character %zu of \"%.*s\"", expected,
                         (int)(n > 0 && n < got ? n : got), t->at, (size_t)(t->at - t->whole) + 1,
                         (int)ipr_param_clip(t->whole, SHOWN), t->whole);
}

/* A number up to one of these characters or the end. */
static enum ipr_code set_number(struct set_text *t, const char *ends, int64_t most,
                                const char *expected, int64_t *out)
{
    const size_t n = part_length(t, ends);

    if (*t->at < '1' || *t->at > '9' || !ipr_str_int((struct ipr_str){ t->at, n }, 1, most, out))
        return set_refuse(t, expected);
    t->at += n;
    return IPR_OK;
}

static enum ipr_code set_id(struct set_text *t, const char *expected, int *out)
{
    int64_t id = 0;
    const enum ipr_code rc = set_number(t, ":,", INT32_MAX, expected, &id);

    *out = (int)id;
    return rc;
}

static enum ipr_code set_year(struct set_text *t, int *out)
{
    int64_t year = 0;
    const enum ipr_code rc = set_number(t, "-,", YEAR_LAST, "a year from 1 to 9999", &year);

    *out = (int)year;
    return rc;
}

/* "1972", "1968-1972", "1968-", "-1972"; the colon is read. */
static enum ipr_code set_years(struct set_text *t, struct ipr_set *s)
{
    enum ipr_code rc = IPR_OK;

    if (*t->at != '-' || t->at[1] == ',' || t->at[1] == '\0')
        rc = set_year(t, &s->from);
    if (rc != IPR_OK)
        return rc;
    if (*t->at != '-') {
        s->to = s->from;
        return IPR_OK;
    }
    t->at++;
    const char *const last = t->at;
    if (*t->at != ',' && *t->at != '\0')
        rc = set_year(t, &s->to);
    if (rc == IPR_OK && s->to != 0 && s->from > s->to) {
        t->at = last;
        return set_refuse(t, "a last year that is not before the first");
    }
    return rc;
}

static enum ipr_code set_colour(struct set_text *t, struct ipr_set *s)
{
    const struct ipr_str word = { t->at, part_length(t, ",") };

    if (s->colours != 0)
        return set_refuse(t, "one colour");
    if (ipr_str_is(word, "white"))
        s->colours = 1;
    else if (ipr_str_is(word, "black"))
        s->colours = 2;
    else
        return set_refuse(t, "white or black");
    t->at += word.n;
    return IPR_OK;
}

static enum ipr_code set_event(struct set_text *t, struct ipr_set *s)
{
    return s->event != 0 ? set_refuse(t, "one event") : set_id(t, "the id of an event", &s->event);
}

static enum ipr_code set_opponent(struct set_text *t, struct ipr_set *s)
{
    return s->n_opponents == IPR_SET_OPPONENTS
               ? set_refuse(t, "at most 8 opponents")
               : set_id(t, "the id of a player", &s->opponents[s->n_opponents++]);
}

static enum ipr_code set_upload(struct set_text *t, struct ipr_set *s)
{
    return s->upload != 0 ? set_refuse(t, "one upload")
                          : set_number(t, ",", INT64_MAX, "the id of an upload", &s->upload);
}

static enum ipr_code set_phase(struct set_text *t, struct ipr_set *s)
{
    const struct ipr_str word = { t->at, part_length(t, ",") };

    for (int phase = 0; phase < IPR_PHASES; phase++) {
        if (!ipr_str_is(word, ipr_phase_name((enum ipr_phase)phase)))
            continue;
        if ((s->phases & 1u << phase) != 0)
            return set_refuse(t, "each phase once");
        s->phases |= 1u << phase;
        t->at += word.n;
        return IPR_OK;
    }
    return set_refuse(t, "opening, middlegame or endgame");
}

/* "color=white"; the comma is read. */
static enum ipr_code set_condition(struct set_text *t, struct ipr_set *s)
{
    static const struct {
        const char *name;
        enum ipr_code (*read)(struct set_text *, struct ipr_set *);
    } conditions[] = { { "color=", set_colour },
                       { "event=", set_event },
                       { "opponent=", set_opponent },
                       { "upload=", set_upload },
                       { "phase=", set_phase } };

    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++) {
        const size_t n = strlen(conditions[i].name);

        if (strncmp(t->at, conditions[i].name, n) == 0) {
            t->at += n;
            return conditions[i].read(t, s);
        }
    }
    return set_refuse(t, "color=, event=, opponent=, upload= or phase=");
}

enum ipr_code ipr_set_read(const char *text, struct ipr_set *out, struct ipr_err *err)
{
    struct set_text t = { text, text, err };
    struct ipr_set s = { 0 };
    enum ipr_code rc = set_id(&t, "the id of a player", &s.player);

    if (rc == IPR_OK && *t.at == ':') {
        t.at++;
        rc = set_years(&t, &s);
    }
    while (rc == IPR_OK && *t.at == ',') {
        t.at++;
        rc = set_condition(&t, &s);
    }
    if (rc == IPR_OK && *t.at != '\0')
        rc = set_refuse(&t, "a comma or the end");
    if (s.phases == ALL_PHASES)
        s.phases = 0;
    if (rc == IPR_OK)
        *out = s;
    return rc;
}

const char *ipr_set_text(const struct ipr_set *s, struct ipr_arena *mem)
{
    const char *text = ipr_arena_printf(mem, "%d", s->player);

    if (s->from != 0 && s->from == s->to)
        text = ipr_arena_printf(mem, "%s:%d", text, s->from);
    else if (s->from != 0 && s->to != 0)
        text = ipr_arena_printf(mem, "%s:%d-%d", text, s->from, s->to);
    else if (s->from != 0)
        text = ipr_arena_printf(mem, "%s:%d-", text, s->from);
    else if (s->to != 0)
        text = ipr_arena_printf(mem, "%s:-%d", text, s->to);
    if (s->colours == 1u || s->colours == 2u)
        text = ipr_arena_printf(mem, "%s,color=%s", text, s->colours == 1u ? "white" : "black");
    if (s->event != 0)
        text = ipr_arena_printf(mem, "%s,event=%d", text, s->event);
    for (size_t i = 0; i < s->n_opponents; i++)
        text = ipr_arena_printf(mem, "%s,opponent=%d", text, s->opponents[i]);
    if (s->upload != 0)
        text = ipr_arena_printf(mem, "%s,upload=%" PRId64, text, s->upload);
    for (int phase = 0; phase < IPR_PHASES; phase++)
        if ((s->phases & 1u << phase) != 0)
            text =
                ipr_arena_printf(mem, "%s,phase=%s", text, ipr_phase_name((enum ipr_phase)phase));
    return text;
}
