#ifndef IPR_CORE_JUDGE_JSON_H
#define IPR_CORE_JUDGE_JSON_H

#include <jansson.h>

#include "base/error.h"
#include "uci/judge.h"

/** Judge ↔ JSON: {"name","engine","network","multipv","limit":{"depth"},"threads","hash_mb",
 * "clear":"position","first_move"}. Without a name in the object, a built-in judge with the same
 * settings gives it. The name of a built-in judge alone, as a string, is that judge with `engine`
 * "": whose version is for the reader to find. IPR_EPARSE "bad_judge". */
json_t *ipr_judge_to_json(const struct ipr_judge *j);
IPR_CHECK enum ipr_code ipr_judge_from_json(const json_t *json, struct ipr_judge *out,
                                            struct ipr_err *err);

#endif
