#include "core/judge_json.h"

#include <stdio.h>
#include <string.h>

/* What the judge table can hold. */
#define MULTIPV_MAX 250
#define DEPTH_MAX   60
#define SMALL_MAX   INT16_MAX
#define HASH_MAX    UINT16_MAX

static bool same_settings(const struct ipr_judge *a, const struct ipr_judge *b)
{
    return a->multipv == b->multipv && a->depth == b->depth && a->hash_mb == b->hash_mb &&
           a->threads == b->threads && a->first_move == b->first_move;
}

json_t *ipr_judge_to_json(const struct ipr_judge *j)
{
    json_t *o = json_object();

    if (j->name[0] != '\0')
        json_object_set_new(o, "name", json_string(j->name));
    json_object_set_new(o, "engine", json_string(j->engine));
    json_object_set_new(o, "network", json_string(j->network));
    json_object_set_new(o, "multipv", json_integer(j->multipv));
    json_object_set_new(o, "limit", json_pack("{s:i}", "depth", j->depth));
    json_object_set_new(o, "threads", json_integer(j->threads));
    json_object_set_new(o, "hash_mb", json_integer(j->hash_mb));
    json_object_set_new(o, "clear", json_string("position"));
    json_object_set_new(o, "first_move", json_integer(j->first_move));
    return o;
}

static enum ipr_code bad(struct ipr_err *err, const char *what)
{
    return ipr_err_at(err, IPR_EPARSE, "bad_judge", 0, 0, -1, "The judge %s.", what);
}

static bool text_ok(const json_t *s, size_t size)
{
    if (!json_is_string(s) || json_string_length(s) >= size)
        return false;
    for (const char *p = json_string_value(s); *p != '\0'; p++) {
        if ((unsigned char)*p < 0x20 || *p == 0x7f)
            return false;
    }
    return true;
}

static void copy_text(char *out, size_t size, const json_t *s)
{
    snprintf(out, size, "%s", s != NULL ? json_string_value(s) : "");
}

static enum ipr_code read_texts(const json_t *json, struct ipr_judge *j, struct ipr_err *err)
{
    const json_t *name = json_object_get(json, "name");
    const json_t *engine = json_object_get(json, "engine");
    const json_t *network = json_object_get(json, "network");
    const json_t *clear = json_object_get(json, "clear");

    if (name != NULL && !text_ok(name, sizeof j->name))
        return bad(err, "has a name that is no text of at most 31 bytes");
    if (!text_ok(engine, sizeof j->engine) || json_string_length(engine) == 0)
        return bad(err, "does not say its engine in at most 63 bytes");
    if (network != NULL && !text_ok(network, sizeof j->network))
        return bad(err, "has a network that is no text of at most 63 bytes");
    if (clear != NULL &&
        (!json_is_string(clear) || strcmp(json_string_value(clear), "position") != 0))
        return bad(err, "does not clear its memory before every position");
    copy_text(j->name, sizeof j->name, name);
    copy_text(j->engine, sizeof j->engine, engine);
    copy_text(j->network, sizeof j->network, network);
    return IPR_OK;
}

static bool read_count(const json_t *n, json_int_t max, uint16_t *out)
{
    if (!json_is_integer(n) || json_integer_value(n) < 1 || json_integer_value(n) > max)
        return false;
    *out = (uint16_t)json_integer_value(n);
    return true;
}

static enum ipr_code read_counts(const json_t *json, struct ipr_judge *j, struct ipr_err *err)
{
    const json_t *limit = json_object_get(json, "limit");

    if (!read_count(json_object_get(json, "multipv"), MULTIPV_MAX, &j->multipv))
        return bad(err, "needs a multipv between 1 and 250");
    if (json_object_size(limit) != 1 ||
        !read_count(json_object_get(limit, "depth"), DEPTH_MAX, &j->depth))
        return bad(err, "needs a limit of depth between 1 and 60, and no other");
    if (!read_count(json_object_get(json, "threads"), SMALL_MAX, &j->threads))
        return bad(err, "needs threads, at least 1");
    if (!read_count(json_object_get(json, "hash_mb"), HASH_MAX, &j->hash_mb))
        return bad(err, "needs hash_mb, at least 1");
    if (!read_count(json_object_get(json, "first_move"), SMALL_MAX, &j->first_move))
        return bad(err, "needs first_move, at least 1");
    return IPR_OK;
}

/* A judge without a name gets that of the builtin with its settings. One that bears the name of
 * a builtin must see the same moves and as deep, or figures would mix that do not belong
 * together; hash and threads are an operator's choice. */
static enum ipr_code settle_name(struct ipr_judge *j, struct ipr_err *err)
{
    static const char *const names[] = { "quick", "standard", "deep" };
    struct ipr_judge builtin;

    if (j->name[0] != '\0') {
        if (ipr_judge_builtin(j->name, &builtin) &&
            (j->multipv != builtin.multipv || j->depth != builtin.depth ||
             j->first_move != builtin.first_move))
            return bad(err, "has the name of a built-in one, but other settings");
        return IPR_OK;
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (ipr_judge_builtin(names[i], &builtin) && same_settings(j, &builtin))
            snprintf(j->name, sizeof j->name, "%s", names[i]);
    }
    return IPR_OK;
}

enum ipr_code ipr_judge_from_json(const json_t *json, struct ipr_judge *out, struct ipr_err *err)
{
    struct ipr_judge j = { 0 };
    enum ipr_code rc;

    if (json_is_string(json)) {
        if (!ipr_judge_builtin(json_string_value(json), &j))
            return bad(err, "is a name that is not built in");
        *out = j;
        return IPR_OK;
    }
    if (!json_is_object(json))
        return bad(err, "is missing");
    rc = read_texts(json, &j, err);
    if (rc == IPR_OK)
        rc = read_counts(json, &j, err);
    if (rc == IPR_OK)
        rc = settle_name(&j, err);
    if (rc == IPR_OK)
        *out = j;
    return rc;
}
