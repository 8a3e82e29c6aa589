#include "lab/data.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long long data_int(const json_t *array, size_t i)
{
    return json_integer_value(json_array_get(array, i));
}

static void data_scores(const json_t *scores, int16_t cp[IPR_STRENGTH_DEPTHS])
{
    for (size_t k = 0; k < IPR_STRENGTH_DEPTHS; k++) {
        const json_t *v = json_array_get(scores, k);

        cp[k] = json_is_integer(v) ? (int16_t)json_integer_value(v) : IPR_STRENGTH_NONE;
    }
}

static struct ipr_strength_turn data_turn(const json_t *in)
{
    const json_t *scores = json_array_get(in, 4), *position = json_array_get(in, 5);
    const size_t played = (size_t)data_int(in, 2);
    struct ipr_strength_turn t = {
        .ply = (uint16_t)data_int(in, 0),
        .legal = (uint8_t)data_int(in, 1),
        .repeated = data_int(in, 3) != 0,
        .check = data_int(position, 4) != 0,
        .pieces = { (uint8_t)data_int(position, 0), (uint8_t)data_int(position, 1) },
        .pawns = { (uint8_t)data_int(position, 2), (uint8_t)data_int(position, 3) },
        .kind = { (uint16_t)data_int(position, 5),
                  json_array_size(position) > 6 ? (uint16_t)data_int(position, 6) : 0 },
    };

    data_scores(json_array_get(scores, 0), t.cp[0]);
    data_scores(t.legal > 1 ? json_array_get(scores, 1) : NULL, t.cp[1]);
    data_scores(json_array_get(scores, played), t.cp[2]);
    return t;
}

static struct bench_side data_side(const json_t *game, const char *colour, size_t index)
{
    const json_t *side = json_object_get(game, colour);
    const char *player = json_string_value(json_object_get(side, "player"));
    const char *event = json_string_value(json_object_get(game, "event"));
    const char *result = json_string_value(json_object_get(game, "result"));
    const char *set = json_string_value(json_object_get(game, "set"));
    const bool white = strcmp(colour, "white") == 0;
    struct bench_side s = {
        .game = index,
        .player = (uint32_t)strtoul(player != NULL ? player : "", NULL, 16),
        .event = (uint32_t)strtoul(event != NULL ? event : "", NULL, 16),
        .elo = (double)json_integer_value(json_object_get(side, "elo")),
        .year = (int)json_integer_value(json_object_get(game, "year")),
        .result = NAN,
        .one_sided = set != NULL && *set == 'O',
        .below = set != NULL && *set == 'L',
    };

    if (result != NULL && *result != '*')
        s.result = result[1] == '/' ? .5 : (*result == '1') == white;
    return s;
}

static bool data_grow(void **array, size_t n, size_t size)
{
    void *more;

    if ((n & (n - 1)) != 0)
        return true;
    more = realloc(*array, (n == 0 ? 1 : 2 * n) * size);
    if (more != NULL)
        *array = more;
    return more != NULL;
}

static bool data_add_turn(struct bench_data *d, const json_t *in)
{
    void *turn = d->turn, *of = d->of;
    const bool room =
        data_grow(&turn, d->n_turns, sizeof *d->turn) && data_grow(&of, d->n_turns, sizeof *d->of);

    d->turn = turn;
    d->of = of;
    if (!room)
        return false;
    d->turn[d->n_turns] = data_turn(in);
    d->of[d->n_turns] = d->n_sides - 2 + d->turn[d->n_turns].ply % 2;
    d->n_turns++;
    return true;
}

static bool data_add_game(struct bench_data *d, const json_t *game)
{
    const json_t *turn;
    void *side = d->side, *id = d->id;
    size_t i;

    if (!data_grow(&id, d->n_games, sizeof *d->id))
        return false;
    d->id = id;
    snprintf(d->id[d->n_games], sizeof *d->id, "%s",
             json_string_value(json_object_get(game, "game")));

    for (size_t k = 0; k < 2; k++, d->n_sides++) {
        if (!data_grow(&side, d->n_sides, sizeof *d->side))
            return false;
        d->side = side;
        d->side[d->n_sides] = data_side(game, k == 0 ? "white" : "black", d->n_games);
    }
    bench_split(d->side + d->n_sides - 2);
    json_array_foreach(json_object_get(game, "turns"), i, turn)
        if (!data_add_turn(d, turn))
            return false;
    d->n_games++;
    return true;
}

static bool data_new(json_t *seen, const json_t *game)
{
    const char *id = json_string_value(json_object_get(game, "game"));

    if (id == NULL || json_object_get(seen, id) != NULL)
        return false;
    return json_object_set_new(seen, id, json_true()) == 0;
}

bool bench_counts(const struct ipr_strength_turn *t)
{
    return ipr_strength_counts(t) && abs(t->cp[0][IPR_STRENGTH_DEPTHS - 1]) <= 300;
}

void bench_hex(const crypto_hash_sha256_state *state, char digest[BENCH_DIGEST])
{
    crypto_hash_sha256_state copy = *state;
    unsigned char raw[crypto_hash_sha256_BYTES];

    crypto_hash_sha256_final(&copy, raw);
    sodium_bin2hex(digest, BENCH_DIGEST, raw, sizeof raw);
}

bool bench_data_read(struct bench_data *d)
{
    json_t *seen = json_object();
    crypto_hash_sha256_state state;
    char *line = NULL;
    size_t size = 0;
    ssize_t n;
    bool ok = seen != NULL;

    memset(d, 0, sizeof *d);
    crypto_hash_sha256_init(&state);
    while (ok && (n = getline(&line, &size, stdin)) > 0) {
        json_t *game = json_loads(line, 0, NULL);

        crypto_hash_sha256_update(&state, (const unsigned char *)line, (size_t)n);
        ok = game != NULL;
        if (ok && data_new(seen, game))
            ok = data_add_game(d, game);
        json_decref(game);
    }
    json_decref(seen);
    free(line);
    bench_hex(&state, d->digest);
    for (size_t i = 0; ok && i < d->n_turns; i++)
        d->side[d->of[i]].moves += bench_counts(&d->turn[i]);
    return ok && d->n_turns > 0;
}
