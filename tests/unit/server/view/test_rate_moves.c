/* All ratings from the moves: determinism, and degenerate sets of turns. */
#include "rate_moves.h"

/* The shares sum to 1, and their mean is the mean loss of the turns. */
static void gain_has_a_distribution_of_losses(void **state)
{
    struct scene *s = *state;
    json_t *r = rated(s, ipr_rate_gain), *c = rated(s, ipr_rate_conformance);
    const json_t *one;
    double sum = 0.0, mean = 0.0, last = -1.0;
    size_t i;

    json_array_foreach(json_object_get(r, "distribution"), i, one) {
        const double loss = ipr_json_at(one, "loss", NAN);

        assert_true(loss > last);
        last = loss;
        sum += ipr_json_at(one, "share", NAN);
        mean += loss * ipr_json_at(one, "share", NAN);
    }
    assert_close(sum, 1.0, 1e-8);
    assert_close(mean, ipr_json_at(c, "mean_loss", NAN), 1e-8);
    assert_string_equal(ipr_json_text_at(r, "method"), "gain");
    json_decref(r);
    json_decref(c);
}

static ipr_rate_fn *const all[] = { ipr_rate_ipr, ipr_rate_bayes, ipr_rate_concordance,
                                    ipr_rate_depth_weighted, ipr_rate_gain };

static void ratings_are_deterministic(void **state)
{
    struct scene *s = *state;

    s->m.wanted = IPR_RATE_FITS | IPR_RATE_BOOTSTRAP | IPR_RATE_SIDES;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        json_t *first = rated(s, all[k]), *second = rated(s, all[k]);
        assert_true(json_equal(first, second));
        json_decref(first);
        json_decref(second);
    }
}

/* All numbers are finite, and every missing estimate has a reason. */
static void check_sound(const json_t *o)
{
    const char *key;
    json_t *value;
    size_t i;

    if (json_is_real(o))
        assert_true(isfinite(json_real_value(o)));
    json_array_foreach(o, i, value)
        check_sound(value);
    json_object_foreach((json_t *)(uintptr_t)o, key, value) {
        if (json_is_null(value) && (strcmp(key, "estimate") == 0 || strcmp(key, "ipr") == 0))
            assert_true(*ipr_json_text_at(o, "reason"));
        check_sound(value);
    }
}

enum spoil { NO_TURNS, FEW, ONE_GAME, ALL_BEST, ALL_WORST, FORCED, MATES, LEVEL, DECIDED, SPOILS };

static void spoil_turn(struct scene *s, size_t i, enum spoil how)
{
    struct ipr_turn *t = &s->turns[i];
    int16_t *cp = ipr_arena_alloc(&s->mem, t->n_cp, sizeof *cp);
    int16_t *score = (int16_t *)(uintptr_t)s->judged[i].score;

    memcpy(cp, t->cp, t->n_cp * sizeof *cp);
    if (how == ONE_GAME) {
        t->game = 0;
        t->ply = (uint16_t)(24 + 2 * i);
    }
    if (how == ALL_BEST)
        t->played = 0;
    if (how == ALL_WORST)
        t->played = (uint8_t)(t->n_cp - 1);
    if (how == FORCED) {
        t->lines = t->n_cp = t->legal = s->judged[i].lines = 1;
        t->played = 0;
    }
    for (unsigned k = 0; k < t->n_cp; k++) {
        if (how == MATES) /* the mover mates or is mated: |v_0| is at its limit */
            cp[k] = k < t->n_cp / 2U ? IPR_CP_LIMIT : -IPR_CP_LIMIT;
        if (how == LEVEL)
            cp[k] = 0;
        if (how == DECIDED)
            cp[k] = (int16_t)(cp[k] - 700);
        for (unsigned d = 0; d < DEPTH; d++)
            if (how >= MATES)
                score[k * DEPTH + d] =
                    how == MATES ? (int16_t)(cp[k] > 0 ? IPR_SCORE_MATE - 3 : 2 - IPR_SCORE_MATE)
                                 : cp[k];
    }
    t->cp = cp;
}

static void spoil(struct scene *s, enum spoil how)
{
    if (how == NO_TURNS)
        s->t = (struct ipr_db_player_turns){ 0 };
    if (how == FEW)
        s->t.n = IPR_VIEW_MIN_TURNS - 1;
    if (how == ONE_GAME) {
        s->t.n_sides = 1;
        s->t.games = 1;
    }
    for (size_t i = 0; i < s->t.n; i++)
        spoil_turn(s, i, how);
}

static void degenerate_sets_have_figures_or_reasons(void **state)
{
    struct scene *s = *state;
    const unsigned everything =
        IPR_RATINGS_INCLUDE_FITS | IPR_RATINGS_INCLUDE_GAME_BOOTSTRAP | IPR_RATINGS_INCLUDE_SIDES;

    s->use->random_share = 0.01;
    for (int how = 0; how < SPOILS; how++) {
        fill(s, GAMES);
        spoil(s, (enum spoil)how);
        for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
            s->m.wanted = everything;
            json_t *r = rated(s, all[k]);
            char *text = json_dumps(r, 0);

            assert_non_null(text); /* jansson refuses NaN and infinity */
            assert_non_null(json_object_get(r, "excluded"));
            check_sound(r);
            if (how <= FEW || how == FORCED)
                assert_true(*ipr_json_text_at(r, "reason"));
            if (all[k] == ipr_rate_ipr)
                nothing_at(r, "estimate");
            if (all[k] == ipr_rate_depth_weighted && how != ONE_GAME)
                nothing_at(r, "estimate");
            free(text);
            json_decref(r);
        }
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        WITH_SCENE(gain_has_a_distribution_of_losses),
        WITH_SCENE(ratings_are_deterministic),
        WITH_SCENE(degenerate_sets_have_figures_or_reasons),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
