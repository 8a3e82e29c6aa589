#include "core/judge_json.h"

#include <stdio.h>
#include <string.h>

#include "core/log.h"

static const char *const clears[] = { "position", "game", "remote", NULL };
static const char *const aparts[] = { "searchmoves", "after", "each", "line", NULL };

static bool judge_one_of(const char *const *names, const char *name, uint8_t *out)
{
    for (uint8_t i = 0; names[i] != NULL; i++) {
        if (strcmp(names[i], name) != 0)
            continue;
        *out = i;
        return true;
    }
    return false;
}

const char *ipr_judge_clear_name(uint8_t clear)
{
    return clears[clear];
}

bool ipr_judge_clear_from(const char *name, uint8_t *out)
{
    return judge_one_of(clears, name, out);
}

const char *ipr_judge_apart_name(uint8_t apart)
{
    return aparts[apart];
}

bool ipr_judge_apart_from(const char *name, uint8_t *out)
{
    return judge_one_of(aparts, name, out);
}

static json_t *limit_of(const struct ipr_judge *j)
{
    if (j->depth > 0)
        return json_pack("{s:i}", "depth", (int)j->depth);
    if (j->nodes > 0)
        return json_pack("{s:I}", "nodes", (json_int_t)j->nodes);
    return json_pack("{s:I}", "adaptive_ms", (json_int_t)j->time_ms);
}

json_t *ipr_judge_to_json(const struct ipr_judge *j)
{
    json_t *o = json_object();

    if (j->name[0] != '\0')
        json_object_set_new(o, "name", json_string(j->name));
    json_object_set_new(o, "engine", json_string(j->engine));
    json_object_set_new(o, "network", json_string(j->network));
    json_object_set_new(o, "multipv", json_integer(j->multipv));
    json_object_set_new(o, "limit", limit_of(j));
    json_object_set_new(o, "threads", json_integer(j->threads));
    json_object_set_new(o, "hash_mb", json_integer(j->hash_mb));
    json_object_set_new(o, "clear", json_string(clears[j->clear]));
    json_object_set_new(o, "first_move", json_integer(j->first_move));
    if (j->apart != IPR_APART_SEARCHMOVES)
        json_object_set_new(o, "apart", json_string(aparts[j->apart]));
    if (j->options[0] != '\0')
        json_object_set_new(o, "options", json_string(j->options));
    return o;
}

json_t *ipr_judge_describe(const struct ipr_judge *j)
{
    json_t *o = ipr_judge_to_json(j);

    json_object_set_new(o, "reproducible", json_boolean(ipr_judge_is_pure(j)));
    return o;
}

static enum ipr_code judge_bad(struct ipr_err *err, const char *what)
{
    return ipr_err_type(err, IPR_EPARSE, "bad_judge", "The judge %s.", what);
}

static bool text_ok(const json_t *s, size_t size)
{
    return json_is_string(s) && json_string_length(s) < size &&
           ipr_log_is_plain(json_string_value(s));
}

static void copy_text(char *out, size_t size, const json_t *s)
{
    snprintf(out, size, "%s", s != NULL ? json_string_value(s) : "");
}

static enum ipr_code judge_read_texts(const json_t *json, struct ipr_judge *j, struct ipr_err *err)
{
    const json_t *name = json_object_get(json, "name");
    const json_t *engine = json_object_get(json, "engine");
    const json_t *network = json_object_get(json, "network");
    const json_t *options = json_object_get(json, "options");

    if (name != NULL && !text_ok(name, sizeof j->name))
        return judge_bad(err, "has a name that is not a text of at most 31 bytes");
    if (!text_ok(engine, sizeof j->engine) || json_string_length(engine) == 0)
        return judge_bad(err, "has an engine that is not a text of at most 63 bytes");
    if (network != NULL && !text_ok(network, sizeof j->network))
        return judge_bad(err, "has a network that is not a text of at most 63 bytes");
    if (options != NULL && !text_ok(options, sizeof j->options))
        return judge_bad(err, "has options that are not a text of at most 127 bytes");
    copy_text(j->name, sizeof j->name, name);
    copy_text(j->engine, sizeof j->engine, engine);
    copy_text(j->network, sizeof j->network, network);
    copy_text(j->options, sizeof j->options, options);
    return IPR_OK;
}

static bool judge_read_name(const json_t *json, const char *member, const char *const *names,
                            uint8_t *out)
{
    const json_t *name = json_object_get(json, member);

    return name == NULL ||
           (json_is_string(name) && judge_one_of(names, json_string_value(name), out));
}

static enum ipr_code read_protocol(const json_t *json, struct ipr_judge *j, struct ipr_err *err)
{
    if (!judge_read_name(json, "clear", clears, &j->clear))
        return judge_bad(err, "clears its memory neither by position nor by game nor remotely");
    if (!judge_read_name(json, "apart", aparts, &j->apart))
        return judge_bad(err,
                         "judges moves apart neither by searchmoves nor after nor each nor line");
    if (j->apart == IPR_APART_EACH && j->depth == 0)
        return judge_bad(err, "judges each move apart without a limit of depth");
    if (j->apart == IPR_APART_LINE && (j->nodes == 0 || j->multipv != 2))
        return judge_bad(err, "judges each line apart, and not two with a limit of nodes");
    return IPR_OK;
}

bool ipr_json_int(const json_t *n, json_int_t lo, json_int_t hi, json_int_t *out)
{
    if (!json_is_integer(n) || json_integer_value(n) < lo || json_integer_value(n) > hi)
        return false;
    *out = json_integer_value(n);
    return true;
}

static bool read_count(const json_t *n, json_int_t max, uint16_t *out)
{
    json_int_t value;

    if (!ipr_json_int(n, 1, max, &value))
        return false;
    *out = (uint16_t)value;
    return true;
}

static enum ipr_code read_counts(const json_t *json, struct ipr_judge *j, struct ipr_err *err)
{
    if (!read_count(json_object_get(json, "multipv"), IPR_JUDGE_MULTIPV_MAX, &j->multipv))
        return judge_bad(err, "needs a multipv between 1 and 250");
    if (!read_count(json_object_get(json, "threads"), IPR_JUDGE_SMALL_MAX, &j->threads))
        return judge_bad(err, "needs threads, at least 1");
    if (!read_count(json_object_get(json, "hash_mb"), IPR_JUDGE_HASH_MAX, &j->hash_mb))
        return judge_bad(err, "needs hash_mb, at least 1");
    if (!read_count(json_object_get(json, "first_move"), IPR_JUDGE_SMALL_MAX, &j->first_move))
        return judge_bad(err, "needs first_move, at least 1");
    const json_t *limit = json_object_get(json, "limit");
    const json_t *nodes = json_object_get(limit, "nodes");
    const json_t *time = json_object_get(limit, "adaptive_ms");
    json_int_t n;
    if (json_object_size(limit) == 1 &&
        read_count(json_object_get(limit, "depth"), IPR_DEPTH_MAX, &j->depth))
        return IPR_OK;
    if (json_object_size(limit) == 1 && ipr_json_int(nodes, 1, IPR_JUDGE_NODES_MAX, &n)) {
        j->nodes = (uint32_t)n;
        return IPR_OK;
    }
    if (json_object_size(limit) == 1 && ipr_json_int(time, 1, IPR_JUDGE_TIME_MAX, &n)) {
        j->time_ms = (uint32_t)n;
        return IPR_OK;
    }
    return judge_bad(err, "needs one limit: depth between 1 and 60, nodes or adaptive_ms");
}

/* A judge without a name gets the name of the built-in judge with its settings. One with the name
 * of a built-in judge must search the same moves to the same depth, so that their figures are
 * comparable; hash and threads may differ. */
static enum ipr_code settle_name(struct ipr_judge *j, struct ipr_err *err)
{
    struct ipr_judge builtin;

    if (j->name[0] != '\0') {
        if (ipr_judge_builtin(j->name, &builtin)) {
            builtin.hash_mb = j->hash_mb;
            builtin.threads = j->threads;
            builtin.tablebases = j->tablebases;
            if (builtin.nodes > 0 && j->nodes > 0) /* INTRINSIC_CONFIRM_NODES sets those */
                builtin.nodes = j->nodes;
            if (!ipr_judge_same_search(j, &builtin))
                return judge_bad(err, "has the name of a built-in one, but other settings");
        }
        return IPR_OK;
    }
    for (size_t i = 0; ipr_judge_builtin_at(i) != NULL; i++) {
        builtin = *ipr_judge_builtin_at(i);
        builtin.tablebases = j->tablebases; /* reported tables are part of the options */
        if (ipr_judge_same_search(j, &builtin))
            snprintf(j->name, sizeof j->name, "%s", builtin.name);
    }
    return IPR_OK;
}

enum ipr_code ipr_judge_from_json(const json_t *json, struct ipr_judge *out, struct ipr_err *err)
{
    struct ipr_judge j = { 0 };
    enum ipr_code rc;

    if (json_is_string(json)) {
        if (!ipr_judge_builtin(json_string_value(json), &j))
            return judge_bad(err, "is a name that is not built in");
        *out = j;
        return IPR_OK;
    }
    if (!json_is_object(json))
        return judge_bad(err, "is missing");
    rc = judge_read_texts(json, &j, err);
    if (rc == IPR_OK)
        rc = read_counts(json, &j, err);
    if (rc == IPR_OK)
        rc = read_protocol(json, &j, err);
    if (rc == IPR_OK)
        rc = settle_name(&j, err);
    if (rc == IPR_OK)
        *out = j;
    return rc;
}
