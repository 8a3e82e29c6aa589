#include "ipr_view_sample.h"

#include <stdlib.h>

#include "db/records.h"
#include "ipr_db_sample.h"
#include "ipr_db_test.h"
#include "ipr_figures_sample.h"
#include "ipr_sentences_sample.h"
#include "ipr_test.h"
#include "view/calibration/calibration.h"

int ipr_view_scene_open(void **state)
{
    struct ipr_view_scene *s = calloc(1, sizeof *s);

    ipr_sentences_sample();
    s->err = (struct ipr_err)IPR_ERR_INIT;
    s->config.judge = "sample";
    s->config.calibration = "sample";
    s->config.home = ".";
    s->judge = ipr_sample_judge();
    assert_ok(ipr_db_pool_open(ipr_db_test_create_migrated(), 1, &s->pool, &s->err), &s->err);
    assert_ok(ipr_db_lease(s->pool, &s->db, &s->err), &s->err);
    s->view = (struct ipr_view){ .config = &s->config, .db = s->db, .mem = &s->mem };
    *state = s;
    return 0;
}

int ipr_view_scene_close(void **state)
{
    struct ipr_view_scene *s = *state;

    ipr_db_return(&s->db);
    ipr_db_pool_close(&s->pool);
    ipr_arena_release(&s->mem);
    free(s);
    ipr_db_test_drop();
    return 0;
}

json_t *ipr_sample_calibration_record(const char *name, const struct ipr_judge *judge)
{
    struct ipr_buf figures = IPR_BUF_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    json_t *record = NULL;

    ipr_sample_mileposts(&figures, judge);
    assert_ok(
        ipr_calibration_make(name, ipr_str_c(ipr_buf_c(&figures)), false, NULL, &record, &err),
        &err);
    ipr_buf_release(&figures);
    return record;
}

void ipr_sample_calibration(struct ipr_db *db, const struct ipr_judge *judge, const char *digest)
{
    json_t *record = ipr_sample_calibration_record("sample", judge);
    char *text = json_dumps(record, JSON_COMPACT);
    struct ipr_err err = IPR_ERR_INIT;
    bool changed;

    assert_ok(ipr_db_calibration_put(db, "sample", "{}", text, digest, &changed, &err), &err);
    free(text);
    json_decref(record);
}
