#ifndef IPR_CORE_JUDGE_JSON_H
#define IPR_CORE_JUDGE_JSON_H

#include <jansson.h>

#include "base/error.h"
#include "uci/judge.h"

/* Ranges of the settings of a judge, as in the database. */
#define IPR_JUDGE_MULTIPV_MAX 250
#define IPR_JUDGE_NODES_MIN   10000 /* fewer may not complete a depth */
#define IPR_JUDGE_NODES_MAX   INT32_MAX
#define IPR_JUDGE_TIME_MIN    100 /* ms */
#define IPR_JUDGE_TIME_MAX    3600000
#define IPR_JUDGE_HASH_MAX    UINT16_MAX /* MiB */
/* Limit of a definition: each engine running for the judge needs that much memory. */
#define IPR_DEFINITION_HASH_MAX 4096      /* MiB */
#define IPR_JUDGE_SMALL_MAX     INT16_MAX /* threads, first_move */

/**
 * Judge ↔ JSON, as in the interchange of judged games: {"name","engine","network","multipv",
 * "limit":{"depth"|"nodes"|"adaptive_ms"},"threads","hash_mb","clear","first_move","apart",
 * "options"}. network, clear ("position"), apart ("searchmoves") and options ("") are optional; the
 * last two are only written if they differ from the default. Without a name in the object, a
 * built-in judge with the same settings gives it. The name of a built-in judge alone, as a string,
 * is that judge with `engine` "": the caller has to find its version. IPR_EPARSE "bad_judge".
 */
json_t *ipr_judge_to_json(const struct ipr_judge *j);
IPR_CHECK enum ipr_code ipr_judge_from_json(const json_t *json, struct ipr_judge *out,
                                            struct ipr_err *err);

/** The same with "reproducible": whether another search gives the same scores. For answers of the
 * API. */
json_t *ipr_judge_describe(const struct ipr_judge *j);

/**
 * Definition ↔ JSON: {"name","program" ("stockfish"),"multipv" (20),"depth"|"nodes"|"time_ms",
 * "hash_mb" (16, at most IPR_DEFINITION_HASH_MAX),"first_move" (9),"threads" (1),"tablebases"
 * (false),"clear"}, defaults in brackets; `clear` is "remote" for fishnet and only for it, its
 * default "game" with time_ms and "position" otherwise. Numbers may be strings, as forms send them.
 * Other members are rejected, so that no other option reaches an engine. IPR_EPARSE "bad_judge"
 * with the name of the member first.
 */
json_t *ipr_definition_to_json(const struct ipr_judge *j);
IPR_CHECK enum ipr_code ipr_definition_from_json(const json_t *json, struct ipr_judge *out,
                                                 struct ipr_err *err);

/** A whole number within a range; else false. */
bool ipr_json_int(const json_t *n, json_int_t lo, json_int_t hi, json_int_t *out);

/** "position", "game" or "remote", and back; false when it is none of them. */
const char *ipr_judge_clear_name(uint8_t clear);
bool ipr_judge_clear_from(const char *name, uint8_t *out);
/** The same of "searchmoves", "after" and "each". */
const char *ipr_judge_apart_name(uint8_t apart);
bool ipr_judge_apart_from(const char *name, uint8_t *out);

#endif
