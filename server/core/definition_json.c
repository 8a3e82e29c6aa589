#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "core/judge_json.h"
#include "uci/remote.h"

/* Definitions of judges: the engine settings that a user may choose. */

#define GOT_MAX 40

/* In the form of all refusals of parameters (resource/resource.h). */
static enum ipr_code definition_bad(struct ipr_err *err, const json_t *json, const char *member,
                                    const char *expected)
{
    const json_t *got = json_object_get(json, member);
    char *text = json_dumps(got, JSON_ENCODE_ANY | JSON_COMPACT | JSON_ENSURE_ASCII);

    if (text == NULL)
        return ipr_err_type(err, IPR_EPARSE, "bad_judge", "%s: expected %s, got nothing", member,
                            expected);
    const size_t quote = json_is_string(got), n = strlen(text) - 2 * quote;
    const enum ipr_code rc =
        ipr_err_type(err, IPR_EPARSE, "bad_judge", "%s: expected %s, got \"%.*s\"", member,
                     expected, (int)(n < GOT_MAX ? n : GOT_MAX), text + quote);
    free(text);
    return rc;
}

/* A name of a judge or of a program. */
static bool definition_read_name(const json_t *json, char *out, size_t size)
{
    const char *s = json_string_value(json);

    if (s == NULL || json_string_length(json) != strlen(s) || strlen(s) >= size || s[0] == '\0' ||
        s[0] == '-' || s[0] == '_' ||
        strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789_-") != strlen(s))
        return false;
    snprintf(out, size, "%s", s);
    return true;
}

static enum ipr_code read_names(const json_t *json, struct ipr_judge *j, struct ipr_err *err)
{
    static const char rule[] = "at most 31 of a-z, 0-9, _ and -, beginning with a letter or digit";
    const json_t *program = json_object_get(json, "program");

    if (!definition_read_name(json_object_get(json, "name"), j->name, sizeof j->name))
        return definition_bad(err, json, "name", rule);
    if (program == NULL)
        snprintf(j->program, sizeof j->program, "stockfish");
    else if (!definition_read_name(program, j->program, sizeof j->program))
        return definition_bad(err, json, "program", rule);
    return IPR_OK;
}

/* A number, or a string holding one; *out is unchanged when the member is missing. */
static enum ipr_code definition_read_int(const json_t *json, const char *member, int64_t lo,
                                         int64_t hi, int64_t *out, struct ipr_err *err)
{
    const json_t *value = json_object_get(json, member);
    const struct ipr_str text = { json_string_value(value), json_string_length(value) };
    int64_t n = json_integer_value(value);
    char expected[80];

    if (value == NULL)
        return IPR_OK;
    const bool number = json_is_string(value) ? ipr_str_int(text, INT64_MIN, INT64_MAX, &n)
                                              : json_is_integer(value);
    if (number && n >= lo && n <= hi) {
        *out = n;
        return IPR_OK;
    }
    snprintf(expected, sizeof expected, "a whole number from %lld to %lld", (long long)lo,
             (long long)hi);
    return definition_bad(err, json, member, expected);
}

static enum ipr_code read_numbers(const json_t *json, struct ipr_judge *j, struct ipr_err *err)
{
    int64_t multipv = 20, hash = 16, first = 9, threads = 1, depth = 0, nodes = 0, time = 0;
    const struct {
        const char *member;
        int64_t lo, hi, *out;
    } numbers[] = {
        { "multipv", 1, IPR_JUDGE_MULTIPV_MAX, &multipv },
        { "depth", 1, IPR_DEPTH_MAX, &depth },
        { "nodes", IPR_JUDGE_NODES_MIN, IPR_JUDGE_NODES_MAX, &nodes },
        { "time_ms", IPR_JUDGE_TIME_MIN, IPR_JUDGE_TIME_MAX, &time },
        { "hash_mb", 1, IPR_DEFINITION_HASH_MAX, &hash },
        { "first_move", 1, IPR_JUDGE_SMALL_MAX, &first },
        { "threads", 1, 1, &threads }, /* with more threads no search is reproducible */
    };

    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        const enum ipr_code rc = definition_read_int(json, numbers[i].member, numbers[i].lo,
                                                     numbers[i].hi, numbers[i].out, err);
        if (rc != IPR_OK)
            return rc;
    }
    if ((depth > 0) + (nodes > 0) + (time > 0) != 1)
        return definition_bad(err, json, "depth", "one limit: depth, nodes or time_ms");
    j->multipv = (uint16_t)multipv;
    j->depth = (uint16_t)depth;
    j->nodes = (uint32_t)nodes;
    j->time_ms = (uint32_t)time;
    j->hash_mb = (uint16_t)hash;
    j->first_move = (uint16_t)first;
    j->threads = (uint16_t)threads;
    return IPR_OK;
}

static enum ipr_code read_tablebases(const json_t *json, struct ipr_judge *j, struct ipr_err *err)
{
    const json_t *value = json_object_get(json, "tablebases");
    const struct ipr_str text = { json_string_value(value), json_string_length(value) };

    if (value != NULL && !json_is_boolean(value) && !ipr_str_is(text, "true") &&
        !ipr_str_is(text, "false"))
        return definition_bad(err, json, "tablebases", "true or false");
    j->tablebases = json_is_true(value) || ipr_str_is(text, "true");
    return IPR_OK;
}

/* Remote machines use their own engines, and only take a depth. */
static enum ipr_code read_clear(const json_t *json, struct ipr_judge *j, struct ipr_err *err)
{
    const bool remote = strcmp(j->program, "fishnet") == 0;
    const json_t *clear = json_object_get(json, "clear");

    j->clear = j->time_ms > 0 ? IPR_CLEAR_GAME : IPR_CLEAR_POSITION;
    if (remote)
        j->clear = IPR_CLEAR_REMOTE;
    if (clear != NULL &&
        (!json_is_string(clear) || !ipr_judge_clear_from(json_string_value(clear), &j->clear)))
        return definition_bad(err, json, "clear", "position, game or remote");
    if ((j->clear == IPR_CLEAR_REMOTE) != remote)
        return definition_bad(err, json, "clear",
                              "remote with the program fishnet, and only with it");
    if (remote && j->tablebases)
        return definition_bad(err, json, "tablebases", "false with fishnet");
    if (remote && !ipr_remote_judge_fits(j))
        return definition_bad(err, json, "depth", "2 or more with fishnet, and no other limit");
    j->apart = remote ? IPR_APART_AFTER : IPR_APART_SEARCHMOVES;
    return IPR_OK;
}

static enum ipr_code definition_refuse_unknown(const json_t *json, struct ipr_err *err)
{
    static const char *const members[] = { "name",    "program",    "multipv", "depth",
                                           "nodes",   "time_ms",    "hash_mb", "first_move",
                                           "threads", "tablebases", "clear" };
    json_t *copy = json_deep_copy(json); /* jansson cannot iterate over a const object */
    enum ipr_code rc = IPR_OK;
    const char *member;
    json_t *value;

    json_object_foreach(copy, member, value) {
        size_t i = 0;

        while (i < sizeof members / sizeof members[0] && strcmp(member, members[i]) != 0)
            i++;
        if (rc == IPR_OK && i == sizeof members / sizeof members[0])
            rc = ipr_err_type(err, IPR_EPARSE, "bad_judge",
                              "%.40s: an engine setting has no such member", member);
    }
    json_decref(copy);
    return rc;
}

enum ipr_code ipr_definition_from_json(const json_t *json, struct ipr_judge *out,
                                       struct ipr_err *err)
{
    struct ipr_judge j = { 0 };
    enum ipr_code rc;

    if (!json_is_object(json))
        return definition_bad(err, json, "judge", "a JSON object");
    rc = definition_refuse_unknown(json, err);
    if (rc == IPR_OK)
        rc = read_names(json, &j, err);
    if (rc == IPR_OK)
        rc = read_numbers(json, &j, err);
    if (rc == IPR_OK)
        rc = read_tablebases(json, &j, err);
    if (rc == IPR_OK)
        rc = read_clear(json, &j, err);
    if (rc == IPR_OK)
        *out = j;
    return rc;
}

json_t *ipr_definition_to_json(const struct ipr_judge *j)
{
    json_t *o = json_object();

    json_object_set_new(o, "name", json_string(j->name));
    json_object_set_new(o, "program", json_string(j->program));
    json_object_set_new(o, "multipv", json_integer(j->multipv));
    if (j->depth > 0)
        json_object_set_new(o, "depth", json_integer(j->depth));
    if (j->nodes > 0)
        json_object_set_new(o, "nodes", json_integer(j->nodes));
    if (j->time_ms > 0)
        json_object_set_new(o, "time_ms", json_integer(j->time_ms));
    json_object_set_new(o, "hash_mb", json_integer(j->hash_mb));
    json_object_set_new(o, "first_move", json_integer(j->first_move));
    json_object_set_new(o, "threads", json_integer(j->threads));
    json_object_set_new(o, "tablebases", json_boolean(j->tablebases));
    json_object_set_new(o, "clear", json_string(ipr_judge_clear_name(j->clear)));
    return o;
}
