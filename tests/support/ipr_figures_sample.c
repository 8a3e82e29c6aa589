#include "ipr_figures_sample.h"
#include "core/judge_json.h"

#include <stdlib.h>

#include "model/regan_prob.h"

static double uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

/** First line within 1.5 pawns, the others behind it by steps that grow. */
static void draw_lines(struct ipr_turn *t, int16_t *cp, uint64_t *state)
{
    int value = (int)(300.0 * uniform(state)) - 150;

    for (unsigned i = 0; i < t->lines; i++) {
        cp[i] = (int16_t)value;
        value -= (int)(40.0 * uniform(state) * uniform(state)) + (int)i;
    }
    t->cp = cp;
}

static void draw_move(const struct ipr_judge *judge, int elo, struct ipr_turn *t, uint64_t *state)
{
    struct ipr_rh_params params = IPR_RH_PARAMS_INIT;
    struct ipr_rh_probs probs;
    double left = uniform(state);

    params.k = judge->multipv;
    if (ipr_rh_probs(&params, t, 0.30 - (elo - 1600) * 0.00018, 0.55, &probs, NULL) != IPR_OK)
        abort();
    while (t->played + 1u < t->lines && left >= probs.p[t->played])
        left -= probs.p[t->played++];
}

struct ipr_turn *ipr_sample_turns(struct ipr_arena *mem, const struct ipr_judge *judge,
                                  const struct ipr_figures_player *player, int first_game)
{
    const size_t n = (size_t)player->games * (size_t)player->turns;
    struct ipr_turn *turns = ipr_arena_alloc(mem, n, sizeof *turns);
    uint64_t state = player->seed;

    for (size_t i = 0; i < n; i++) {
        const int in_game = (int)(i % (size_t)player->turns);
        turns[i] = (struct ipr_turn){ .game = first_game + (int)(i / (size_t)player->turns),
                                      .year = 2001,
                                      .ply = (uint16_t)(16 + 2 * in_game),
                                      .lines = (uint8_t)judge->multipv,
                                      .n_cp = (uint8_t)judge->multipv,
                                      .legal = (uint8_t)judge->multipv };
        draw_lines(&turns[i], ipr_arena_alloc(mem, judge->multipv, sizeof(int16_t)), &state);
        draw_move(judge, player->elo, &turns[i], &state);
    }
    return turns;
}

static json_t *turn_json(const struct ipr_turn *t)
{
    json_t *cp = json_array();

    for (unsigned i = 0; i < t->n_cp; i++)
        json_array_append_new(cp, json_integer(t->cp[i]));
    return json_pack("{s:i, s:i, s:i, s:b, s:o}", "ply", t->ply, "played", t->played, "legal",
                     t->legal, "repeated", 0, "cp", cp);
}

/* A side better by a pawn on the whole has won, one worse by a pawn lost. */
static json_t *result_json(const struct ipr_turn *turns, int n)
{
    int sum = 0;

    for (int i = 0; i < n; i++)
        sum += turns[i].cp[0];
    return sum > 20 * n ? json_integer(1) : sum < -20 * n ? json_integer(0) : json_real(0.5);
}

void ipr_sample_figures(struct ipr_buf *out, const struct ipr_judge *judge,
                        const struct ipr_figures_player *player, int first_game)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    const struct ipr_turn *turns = ipr_sample_turns(&mem, judge, player, first_game);

    for (int g = 0; g < player->games; g++) {
        json_t *list = json_array();
        for (int k = 0; k < player->turns; k++)
            json_array_append_new(list, turn_json(&turns[g * player->turns + k]));
        json_t *line =
            json_pack("{s:i, s:i, s:i, s:i, s:s, s:o, s:o, s:o}", "game", first_game + g,
                      "milepost", player->elo, "elo", player->elo + g % 21 - 10, "year", 2001,
                      "mover", "w", "result", result_json(&turns[g * player->turns], player->turns),
                      "judge", ipr_judge_to_json(judge), "turns", list);
        char *text = json_dumps(line, JSON_COMPACT);
        ipr_buf_puts(out, text);
        ipr_buf_putc(out, '\n');
        free(text);
        json_decref(line);
    }
    ipr_arena_release(&mem);
}

void ipr_sample_mileposts(struct ipr_buf *out, const struct ipr_judge *judge)
{
    for (int i = 0; i < 7; i++)
        ipr_sample_figures(
            out, judge,
            &(struct ipr_figures_player){
                .elo = 1600 + 200 * i, .games = 40, .turns = 20, .seed = 11u + (unsigned)i },
            100 * i);
}
