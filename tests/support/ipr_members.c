#include "ipr_members.h"

#include <string.h>

#include "ipr_test.h"

static bool value_fits(const struct ipr_member *m, const json_t *value)
{
    switch (m->type) {
    case IPR_MEMBER_NUMBER:
        return json_is_number(value);
    case IPR_MEMBER_COUNT:
        return json_is_integer(value);
    case IPR_MEMBER_SIZE:
        return json_is_integer(value) && json_integer_value(value) >= 0;
    case IPR_MEMBER_FLAG:
        return json_is_boolean(value);
    case IPR_MEMBER_TEXT:
    case IPR_MEMBER_TIME:
        return json_is_string(value);
    case IPR_MEMBER_INTERVAL:
        return json_object_size(value) == 3 && json_object_get(value, "low") != NULL &&
               json_object_get(value, "high") != NULL && json_object_get(value, "level") != NULL;
    case IPR_MEMBER_COUNTS:
    case IPR_MEMBER_SHAPE:
    case IPR_MEMBER_REF:
        return json_is_object(value);
    }
    return false;
}

static void assert_member(const struct ipr_shape *s, const struct ipr_member *m,
                          const json_t *value, int dims)
{
    const json_t *one;
    size_t i;

    if (json_is_null(value) && m->when != IPR_WHEN_KNOWN && m->when != IPR_WHEN_GIVEN)
        return;
    if (dims > 0) {
        if (!json_is_array(value))
            fail_msg("%s.%s: no list", s->name, m->name);
        json_array_foreach(value, i, one)
            assert_member(s, m, one, dims - 1);
        return;
    }
    if (json_is_null(value) && (m->stored == IPR_STORED_JSON || m->dims != 0))
        return; /* of a list an element that is unknown */
    if (!value_fits(m, value))
        fail_msg("%s.%s: another type than in members.def", s->name, m->name);
    if (m->type == IPR_MEMBER_SHAPE)
        assert_members(m->of, value);
}

void assert_members(enum ipr_shape_id id, const json_t *answer)
{
    const struct ipr_shape *s = ipr_shape(id);
    const char *name;
    const json_t *value;

    json_object_foreach((json_t *)(uintptr_t)answer, name, value) {
        const struct ipr_member *m = ipr_shape_member(id, name);

        if (m == NULL)
            fail_msg("%s.%s: not in members.def", s->name, name);
        else
            assert_member(s, m, value, m->dims);
    }
}

void assert_read_back(enum ipr_shape_id id, const json_t *figure)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    void *read = ipr_shape_new(id, &mem);

    ipr_shape_read(id, figure, &mem, read);
    json_t *again = ipr_shape_json(id, read);
    assert_true(json_equal(figure, again));
    json_decref(again);
    ipr_arena_release(&mem);
}
