#include "uci/parse.h"

#include <string.h>

static bool info_number(struct ipr_str *rest, int64_t lo, int64_t hi, int64_t *out)
{
    struct ipr_str word;

    return ipr_str_word(rest, &word) && ipr_str_int(word, lo, hi, out);
}

static bool info_unsigned(struct ipr_str *rest, int64_t hi, unsigned *out)
{
    int64_t v;

    if (!info_number(rest, 0, hi, &v))
        return false;
    *out = (unsigned)v;
    return true;
}

/* "cp 13", "mate -4", each with "lowerbound" or "upperbound" perhaps */
static bool info_score(struct ipr_str *rest, struct ipr_uci_line *out)
{
    struct ipr_str word, after;
    int64_t v;

    if (!ipr_str_word(rest, &word))
        return false;
    out->mate = ipr_str_is(word, "mate");
    if (!out->mate && !ipr_str_is(word, "cp"))
        return false;
    if (!info_number(rest, -1000000, 1000000, &v))
        return false;
    out->score = (int32_t)v;
    out->has_score = true;
    out->bound = IPR_UCI_EXACT;
    after = *rest;
    if (!ipr_str_word(&after, &word))
        return true;
    if (ipr_str_is(word, "lowerbound"))
        out->bound = IPR_UCI_LOWER;
    else if (ipr_str_is(word, "upperbound"))
        out->bound = IPR_UCI_UPPER;
    else
        return true;
    *rest = after;
    return true;
}

/* Words we do not know are skipped, as the protocol demands; "pv" and "string" take the rest. A
 * "pv" without a move is valid: Ethereal prints it when all moves failed low. */
static enum ipr_uci_kind parse_info(struct ipr_str rest, struct ipr_uci_line *out)
{
    struct ipr_str word;
    int64_t v = 0;

    while (ipr_str_word(&rest, &word)) {
        bool ok = true;

        if (ipr_str_is(word, "string"))
            return IPR_UCI_OTHER;
        if (ipr_str_is(word, "pv")) {
            out->line = rest;
            (void)!ipr_str_word(&rest, &out->move);
            return IPR_UCI_INFO;
        }
        if (ipr_str_is(word, "depth")) {
            ok = info_unsigned(&rest, 1000, &out->depth);
        } else if (ipr_str_is(word, "multipv")) {
            ok = info_unsigned(&rest, 1000, &out->multipv);
        } else if (ipr_str_is(word, "score")) {
            ok = info_score(&rest, out);
        } else if (ipr_str_is(word, "nodes")) {
            /* Counters overflow, and not every search needs them. */
            out->has_nodes = info_number(&rest, 0, INT64_MAX, &v);
            out->nodes = out->has_nodes ? (uint64_t)v : 0;
        } else if (ipr_str_is(word, "time")) {
            out->has_time = info_number(&rest, 0, UINT32_MAX, &v);
            out->time_ms = out->has_time ? (uint32_t)v : 0;
        }
        if (!ok)
            return IPR_UCI_BAD;
    }
    return IPR_UCI_INFO;
}

/* Words up to `stop`, which is taken too; false when it does not come. */
static bool words_until(struct ipr_str *rest, const char *stop, struct ipr_str *out)
{
    const char *from = NULL, *to = NULL;
    struct ipr_str word;

    while (ipr_str_word(rest, &word)) {
        if (ipr_str_is(word, stop)) {
            *out = from == NULL ? IPR_STR("") : (struct ipr_str){ from, (size_t)(to - from) };
            return true;
        }
        if (from == NULL)
            from = word.p;
        to = word.p + word.n;
    }
    return false;
}

/* A limit that is no number of ours, as 2^64 - 1 or 1.5, limits nothing. */
static void option_spin(struct ipr_str rest, struct ipr_uci_line *out)
{
    struct ipr_str word;

    while (ipr_str_word(&rest, &word))
        if (ipr_str_is(word, "default"))
            (void)!ipr_str_word(&rest, &out->text);
        else if (ipr_str_is(word, "min"))
            (void)!info_number(&rest, INT64_MIN, INT64_MAX, &out->lo);
        else if (ipr_str_is(word, "max"))
            (void)!info_number(&rest, INT64_MIN, INT64_MAX, &out->hi);
}

/* "name Debug Log File type string default <empty>": names and defaults may hold spaces. */
static enum ipr_uci_kind parse_option(struct ipr_str rest, struct ipr_uci_line *out)
{
    struct ipr_str word;

    if (!ipr_str_word(&rest, &word) || !ipr_str_is(word, "name"))
        return IPR_UCI_OTHER;
    if (!words_until(&rest, "type", &out->name) || out->name.n == 0)
        return IPR_UCI_OTHER;
    if (!ipr_str_word(&rest, &word))
        return IPR_UCI_OTHER;
    if (ipr_str_is(word, "spin"))
        option_spin(rest, out);
    else if (ipr_str_word(&rest, &word) && ipr_str_is(word, "default"))
        out->text = ipr_str_trim(rest);
    if (ipr_str_is(out->text, "<empty>"))
        out->text = IPR_STR("");
    return IPR_UCI_OPTION;
}

static enum ipr_uci_kind info_parse(struct ipr_str rest, struct ipr_uci_line *out)
{
    struct ipr_str word;

    if (!ipr_str_word(&rest, &word))
        return IPR_UCI_OTHER;
    if (ipr_str_is(word, "info"))
        return parse_info(rest, out);
    if (ipr_str_is(word, "bestmove"))
        return ipr_str_word(&rest, &out->move) ? IPR_UCI_BESTMOVE : IPR_UCI_BAD;
    if (ipr_str_is(word, "option"))
        return parse_option(rest, out);
    if (ipr_str_is(word, "uciok"))
        return IPR_UCI_UCIOK;
    if (ipr_str_is(word, "readyok"))
        return IPR_UCI_READYOK;
    if (!ipr_str_is(word, "id") || !ipr_str_word(&rest, &word) || !ipr_str_is(word, "name"))
        return IPR_UCI_OTHER;
    out->text = ipr_str_trim(rest);
    return out->text.n > 0 ? IPR_UCI_ID_NAME : IPR_UCI_BAD;
}

void ipr_uci_parse(struct ipr_str line, struct ipr_uci_line *out)
{
    *out = (struct ipr_uci_line){ .lo = INT64_MIN, .hi = INT64_MAX };
    out->kind = info_parse(line, out);
}
