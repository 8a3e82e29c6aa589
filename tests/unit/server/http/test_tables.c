#include "ipr_test.h"

#include "base/str.h"
#include "http/answer/tables.h"

static const char answer[] =
    "{\"title\":\"a, "
    "b\",\"forms\":{\"raw\":{\"curve\":[{\"x\":0,\"rho\":0.5},{\"x\":1,\"rho\":null}]},"
    "\"weighted\":{\"curve\":[{\"x\":0,\"rho\":0.75}]},\"none\":null},\"all\":{\"x\":9},"
    "\"n0\":[7,8],\"b\":[10,20],\"rho\":[[1,2],[3,4]]}";

static const struct row {
    const char *name, *rows, *columns, *csv;
} rows[] = {
    { "members of objects and elements of lists", "forms.*.curve.*", "x rho",
      "x,rho\r\n0,0.5\r\n1,\r\n0,0.75\r\n" },
    { "names of what a row is in", "forms.*.curve.*", "form=^^@ place=@ x",
      "form,place,x\r\nraw,0,0\r\nraw,1,1\r\nweighted,0,0\r\n" },
    { "several paths, one that leads nowhere", "all nothing.* forms.*.curve.*", "at=@ x",
      "at,x\r\nall,9\r\n0,0\r\n1,1\r\n0,0\r\n" },
    { "a matrix with the values of its rows and columns", "rho.*.*", "n0=/n0.^@ b=/b.@ rho=.",
      "n0,b,rho\r\n7,10,1\r\n7,20,2\r\n8,10,3\r\n8,20,4\r\n" },
    { "a member of the answer", "all", "/title x", "/title,x\r\n\"a, b\",9\r\n" },
    { "further out than the answer", "all", "x ^^^x ^^^@ /n0.^^^@",
      "x,^^^x,^^^@,/n0.^^^@\r\n9,,,\r\n" },
    { "no row", "forms.none.*", "x", "x\r\n" },
};

static void test_csv(void **state)
{
    const struct row *r = *state;
    const struct ipr_table table = { r->name, r->rows, r->columns };
    struct ipr_buf out = IPR_BUF_INIT;
    json_t *json = json_loads(answer, 0, NULL);

    ipr_table_write(&table, IPR_FORMAT_CSV, json, &out);
    assert_string_equal(ipr_buf_c(&out), r->csv);
    ipr_buf_release(&out);
    json_decref(json);
}

static void ndjson_has_the_columns_as_members(void **state)
{
    const struct ipr_table table = { "t", "forms.*.curve.*", "form=^^@ rho" };
    struct ipr_buf out = IPR_BUF_INIT;
    json_t *json = json_loads(answer, 0, NULL);

    (void)state;
    ipr_table_write(&table, IPR_FORMAT_NDJSON, json, &out);
    assert_string_equal(ipr_buf_c(&out),
                        "{\"form\":\"raw\",\"rho\":0.5}\n{\"form\":\"raw\",\"rho\":"
                        "null}\n{\"form\":\"weighted\",\"rho\":0.75}\n");
    ipr_buf_release(&out);
    json_decref(json);
}

int main(void)
{
    struct CMUnitTest tests[sizeof rows / sizeof *rows + 1];
    size_t n = 0;

    for (; n < sizeof rows / sizeof *rows; n++)
        tests[n] = (struct CMUnitTest){ .name = rows[n].name,
                                        .test_func = test_csv,
                                        .initial_state = (void *)(uintptr_t)&rows[n] };
    tests[n] = (struct CMUnitTest)cmocka_unit_test(ndjson_has_the_columns_as_members);
    return cmocka_run_group_tests_name("tables", tests, NULL, NULL);
}
