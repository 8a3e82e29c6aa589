/* Says which evaluations an answer rests on. */
#include "db/judges.h"
#include "lab/papers/papers.h"

enum ipr_code ipr_paper_add_basis(const struct ipr_view_context *c, bool of_games, json_t *out,
                                  struct ipr_err *err)
{
    struct ipr_db_judge_row *rows = NULL;
    size_t n = 0;

    const enum ipr_code rc = ipr_db_judge_list(c->v->db, c->v->mem, &rows, &n, err);
    ipr_view_context_add_basis(c, out);
    json_object_del(json_object_get(out, "judge"), "id");
    for (size_t i = 0; i < n && of_games; i++)
        if (rows[i].id == c->judge_id)
            json_object_set_new(out, "analysed",
                                json_pack("{s:I, s:I}", "games", (json_int_t)rows[i].games, "turns",
                                          (json_int_t)rows[i].turns));
    return rc;
}
