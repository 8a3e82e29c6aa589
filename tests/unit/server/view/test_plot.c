#include <math.h>
#include <string.h>

#include "ipr_test.h"
#include "view/json.h"
#include "view/page/page.h"

static void an_axis_covers_its_data_and_ends_on_ticks(void **state)
{
    const double spans[][2] = { { 2491, 2712 },   { 1600, 2800 }, { 2700, 2700 }, { -300, 9000 },
                                { 2000, 2000.5 }, { 1590, 2950 }, { 2448, 2591 } };

    (void)state;
    for (size_t i = 0; i < sizeof spans / sizeof *spans; i++) {
        const struct ipr_axis a = ipr_axis_elo(spans[i][0], spans[i][1]);
        json_t *json = ipr_axis_json(&a);
        const json_t *ticks = json_object_get(json, "ticks");
        const size_t n = json_array_size(ticks);

        if (spans[i][1] - spans[i][0] <= 2400) {
            assert_true(a.lo <= spans[i][0]);
            assert_true(a.hi >= spans[i][1]);
        }
        assert_true(a.hi - a.lo <= 3500.0);
        assert_in_range(n, 2, 9);
        assert_string_equal(ipr_json_text_at(json_array_get(ticks, 0), "x"), "4.00%");
        assert_string_equal(ipr_json_text_at(json_array_get(ticks, n - 1), "x"), "96.00%");
        json_decref(json);
    }
}

static void without_data_there_is_an_axis_too(void **state)
{
    const struct ipr_axis a = ipr_axis_elo(INFINITY, -INFINITY);

    (void)state;
    assert_close(a.lo, 2000.0, 0.0);
    assert_close(a.hi, 3000.0, 0.0);
}

static void positions_stay_within_the_drawing(void **state)
{
    const struct ipr_axis a = { 2000.0, 3000.0 };

    (void)state;
    assert_close(ipr_axis_x(&a, 2000.0), 4.0, 1e-12);
    assert_close(ipr_axis_x(&a, 2500.0), 50.0, 1e-12);
    assert_close(ipr_axis_x(&a, 3000.0), 96.0, 1e-12);
    assert_close(ipr_axis_x(&a, 1e9), 96.0, 1e-12);
    assert_close(ipr_axis_x(&a, -1e9), 4.0, 1e-12);
}

static void an_interval_is_drawn_and_told(void **state)
{
    const struct ipr_axis a = { 2000.0, 3000.0 };
    const struct ipr_plot p = { .estimate = 2500.0,
                                .low = 2250.0,
                                .high = 3200.0,
                                .other = 2600.0,
                                .extrapolated = true,
                                .name = "IPR" };
    json_t *json = ipr_plot_json(&a, &p);

    (void)state;
    assert_string_equal(ipr_json_text_at(json, "x"), "27.00%");
    assert_string_equal(ipr_json_text_at(json, "width"), "69.00%");
    assert_string_equal(ipr_json_text_at(json, "mark"), "50.00%");
    assert_string_equal(ipr_json_text_at(json, "other"), "59.20%");
    assert_true(ipr_json_true_at(json, "extrapolated"));
    assert_false(ipr_json_true_at(json, "cut_low"));
    assert_true(ipr_json_true_at(json, "cut_high"));
    assert_string_equal(ipr_json_text_at(json, "label"),
                        "IPR 2500, 95% interval 2250 to 3200, outside the calibrated range, "
                        "Elo 2600");
    json_decref(json);
}

static void outside_the_calibrated_range_a_bar_is_another(void **state)
{
    const struct ipr_axis a = { 2000.0, 3000.0 };
    struct ipr_plot p = { .estimate = 2700.0,
                          .low = 2500.0,
                          .high = 2950.0,
                          .other = NAN,
                          .name = "Rating",
                          .range = { 1600.0, 2800.0 } };
    json_t *json = ipr_plot_json(&a, &p);

    (void)state;
    assert_string_equal(ipr_json_text_at(json, "x"), "50.00%");
    assert_string_equal(ipr_json_text_at(json, "width"), "27.60%");
    assert_string_equal(ipr_json_text_at(json, "beyond_high.x"), "77.60%");
    assert_string_equal(ipr_json_text_at(json, "beyond_high.width"), "13.80%");
    assert_true(json_is_null(json_object_get(json, "beyond_low")));
    assert_false(ipr_json_true_at(json, "hollow"));
    assert_string_equal(ipr_json_text_at(json, "label"), "Rating 2700, 95% interval 2500 to 2950");
    assert_true(ipr_plot_beyond(&p)); /* an end of the interval is */
    json_decref(json);

    p.estimate = 2850.0;
    json = ipr_plot_json(&a, &p);
    assert_string_equal(ipr_json_text_at(json, "mark"), "82.20%");
    assert_true(ipr_json_true_at(json, "hollow"));
    assert_string_equal(ipr_json_text_at(json, "label"),
                        "Rating 2850, 95% interval 2500 to 2950, outside the calibrated range");
    assert_true(ipr_plot_beyond(&p));
    json_decref(json);

    p = (struct ipr_plot){ 1500.0, 1400.0, 1590.0, NAN, false, "Rating", { 1600.0, 2800.0 } };
    assert_true(ipr_plot_beyond(&p));
    p = (struct ipr_plot){ 1700.0, 1600.0, 2800.0, NAN, false, "Rating", { 1600.0, 2800.0 } };
    assert_false(ipr_plot_beyond(&p));
    p.extrapolated = true;
    assert_true(ipr_plot_beyond(&p));
    p = (struct ipr_plot){ 3100.0, 2900.0, 3300.0, NAN, false, "Score", { 0 } };
    assert_false(ipr_plot_beyond(&p)); /* its range is not known */
}

static void what_is_missing_is_null(void **state)
{
    const struct ipr_axis a = { 2000.0, 3000.0 };
    const struct ipr_plot none = { NAN, NAN, NAN, NAN, false, "score", { 0 } };
    const struct ipr_plot point = { 2500, NAN, NAN, NAN, false, "Rating", { 0 } };

    (void)state;
    json_t *json = ipr_plot_json(&a, &none);
    assert_true(json_is_null(json));
    json_decref(json);
    json = ipr_plot_json(&a, &point);
    assert_true(json_is_null(json_object_get(json, "width")));
    assert_true(json_is_null(json_object_get(json, "other")));
    assert_string_equal(ipr_json_text_at(json, "label"), "Rating 2500");
    json_decref(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_axis_covers_its_data_and_ends_on_ticks),
        cmocka_unit_test(without_data_there_is_an_axis_too),
        cmocka_unit_test(positions_stay_within_the_drawing),
        cmocka_unit_test(an_interval_is_drawn_and_told),
        cmocka_unit_test(outside_the_calibrated_range_a_bar_is_another),
        cmocka_unit_test(what_is_missing_is_null),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
