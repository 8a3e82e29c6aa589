/* Games as examples of those behind a figure, where it can be those whose moves are stored. */
#include "view/examples.h"

#include "view/json.h"

#define EXAMPLES 5

json_t *ipr_examples_json(const struct ipr_db_report_example *rows, size_t n)
{
    json_t *out = json_array();

    for (size_t i = 0; i < n; i++)
        json_array_append_new(
            out,
            json_pack("{s:I, s:o, s:o, s:o, s:o, s:s, s:b}", "id", (json_int_t)rows[i].id, "white",
                      ipr_json_player(rows[i].white_id, rows[i].white), "black",
                      ipr_json_player(rows[i].black_id, rows[i].black), "event",
                      ipr_json_text(rows[i].event), "year", ipr_json_known(rows[i].year), "result",
                      ipr_result_text(rows[i].result), "moves_stored", rows[i].moves_stored));
    return out;
}

enum ipr_code ipr_examples_add(const struct ipr_view *v, int32_t judge_id, unsigned times,
                               json_t *out, struct ipr_err *err)
{
    struct ipr_db_report_example *rows = NULL;
    size_t n = 0;
    enum ipr_code rc = IPR_OK;

    /* First those with moves: the latest of all are looked for where there are none. */
    for (int with_moves = 1; judge_id != 0 && rc == IPR_OK && n == 0 && with_moves >= 0;
         with_moves--)
        rc = ipr_db_class_examples(v->db, judge_id, times, with_moves, EXAMPLES, v->mem, &rows, &n,
                                   err);
    if (rc == IPR_OK)
        json_object_set_new(out, "examples", ipr_examples_json(rows, n));
    return rc;
}
