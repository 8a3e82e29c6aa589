#include "ipr_test_vectors.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "ipr_test.h"

json_t *ipr_test_vectors(const char *file)
{
    const char *folder = getenv("INTRINSIC_VECTORS");
    json_error_t error;
    char path[512];
    json_t *root;

    snprintf(path, sizeof path, "%s/%s", folder != NULL ? folder : "tests/data/vectors", file);
    root = json_load_file(path, 0, &error);
    if (root == NULL)
        fail_msg("%s:%d: %s", path, error.line, error.text);
    return root;
}

const json_t *ipr_test_get(const json_t *object, const char *key)
{
    const json_t *v = json_object_get(object, key);

    if (v == NULL)
        fail_msg("no member %s", key);
    return v;
}

double ipr_test_num(const json_t *object, const char *key)
{
    const json_t *v = ipr_test_get(object, key);

    if (!json_is_number(v))
        fail_msg("%s is not a number", key);
    return json_number_value(v);
}

bool ipr_test_has(const json_t *object, const char *key)
{
    return json_object_get(object, key) != NULL;
}

size_t ipr_test_array(const json_t *array, double *x, size_t room)
{
    const size_t n = json_array_size(array);

    if (n > room)
        fail_msg("array of %zu, room for %zu", n, room);
    for (size_t i = 0; i < n; i++)
        x[i] = json_number_value(json_array_get(array, i));
    return n;
}

double ipr_test_tol(const json_t *c, double want)
{
    const json_t *t = ipr_test_get(c, "tolerance");

    return json_number_value(json_object_get(t, "abs")) +
           json_number_value(json_object_get(t, "rel")) * fabs(want);
}

static int16_t read_cp(const json_t *v)
{
    const json_t *mate = json_object_get(v, "mate");
    long long cp;

    if (mate != NULL)
        return json_integer_value(mate) > 0 ? IPR_CP_LIMIT : -IPR_CP_LIMIT;
    cp = json_integer_value(v);
    return (int16_t)(cp > 30000 ? 30000 : cp < -30000 ? -30000 : cp);
}

void ipr_test_turns_read(const json_t *array, unsigned k, struct ipr_test_turns *out)
{
    size_t room = 0;
    size_t used = 0;

    out->n = json_array_size(array);
    out->turns = ipr_xcalloc(out->n + 1, sizeof *out->turns);
    for (size_t i = 0; i < out->n; i++)
        room += json_array_size(ipr_test_get(json_array_get(array, i), "cp"));
    out->cp = ipr_xcalloc(room + 1, sizeof *out->cp);
    for (size_t i = 0; i < out->n; i++) {
        const json_t *o = json_array_get(array, i);
        const json_t *cp = ipr_test_get(o, "cp");
        const size_t n = json_array_size(cp);

        out->turns[i] = (struct ipr_turn){
            .game = (int32_t)ipr_test_num(o, "game"),
            .ply = (uint16_t)(ipr_test_num(o, "ply") - 1),
            .mover = json_string_value(ipr_test_get(o, "mover"))[0] == 'b',
            .lines = (uint8_t)(n < k ? n : k),
            .n_cp = (uint8_t)n,
            .played = (uint8_t)ipr_test_num(o, "played"),
            .legal = (uint8_t)ipr_test_num(o, "legal"),
            .cp = &out->cp[used],
        };
        for (size_t j = 0; j < n; j++)
            out->cp[used++] = read_cp(json_array_get(cp, j));
    }
}

void ipr_test_turns_of(const json_t *file, const json_t *c, struct ipr_test_turns *out)
{
    const json_t *inputs = ipr_test_get(c, "inputs");
    const json_t *k = json_object_get(inputs, "K");
    const json_t *other = json_object_get(inputs, "turns_of_case");
    const json_t *holder = c;

    if (other != NULL)
        holder = json_array_get(ipr_test_get(file, "cases"), (size_t)json_integer_value(other));
    ipr_test_turns_read(ipr_test_get(ipr_test_get(holder, "inputs"), "turns"),
                        k != NULL ? (unsigned)json_integer_value(k) : 20, out);
}

void ipr_test_turns_release(struct ipr_test_turns *t)
{
    free(t->turns);
    free(t->cp);
}

void ipr_test_near(double got, double want, double tol, const char *fmt, ...)
{
    char what[256];
    va_list ap;

    if (fabs(got - want) <= tol)
        return;
    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    fail_msg("%s: %.17g is not within %g of %.17g", what, got, tol, want);
}
