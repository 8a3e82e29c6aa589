/* Games as examples of those behind a figure, where it can be those whose moves are stored. */
#include "view/examples.h"

#include "view/figure/figure.h"

#define EXAMPLES 5

struct ipr_figure_report_example *ipr_examples(const struct ipr_db_report_example *rows, size_t n,
                                               struct ipr_arena *mem)
{
    struct ipr_figure_report_example *const out = ipr_shape_list(IPR_SHAPE_REPORT_EXAMPLE, n, mem);

    for (size_t i = 0; i < n; i++)
        out[i] = (struct ipr_figure_report_example){
            .id = (size_t)rows[i].id,
            .white = ipr_named(rows[i].white_id, rows[i].white),
            .black = ipr_named(rows[i].black_id, rows[i].black),
            .event = rows[i].event,
            .year = ipr_count_if(rows[i].year != 0, (size_t)rows[i].year),
            .result = ipr_result_text(rows[i].result),
            .moves_stored = rows[i].moves_stored,
        };
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
    if (rc != IPR_OK)
        return rc;
    const struct ipr_figure_report_example *const examples = ipr_examples(rows, n, v->mem);
    json_t *const list = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, ipr_shape_json(IPR_SHAPE_REPORT_EXAMPLE, &examples[i]));
    json_object_set_new(out, "examples", list);
    return IPR_OK;
}
