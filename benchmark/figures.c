/*
 * Figures for the benchmark from analysed games: NDJSON of the interchange form on standard input,
 * one line a game on standard output. No move, name or event leaves: players, events and games are
 * digests. docs/benchmark.md has the form.
 */
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chess/kind.h"
#include "chess/position.h"
#include "model/strength.h"
#include "stats/resample.h"

#define FIGURES_PLIES 20001
#define FIGURES_MATE  10000

/* FNV-1a, mixed: a digest of text that needs no secret, only to be the same everywhere. */
static uint64_t figures_digest(const char *text)
{
    uint64_t h = 1469598103934665603u;

    for (; *text != '\0'; text++)
        h = (h ^ (unsigned char)*text) * 1099511628211u;
    return ipr_mix64(h);
}

static const char *figures_tag(const json_t *tags, const char *name)
{
    const char *value = json_string_value(json_object_get(tags, name));

    return value != NULL ? value : "";
}

/* Surname and first initial in lower-case letters, so that "Paehtz,E" and "Paehtz, Elisabeth" are
 * one player. Different players of one such name share a fold, which does no harm. */
static void figures_player(const char *name, char out[128])
{
    size_t n = 0;
    bool given = false;

    for (; *name != '\0' && n < 126; name++) {
        const char c = (char)(*name | 32);

        if (*name == ',') {
            given = true;
        } else if ((unsigned char)*name >= 128 || (c >= 'a' && c <= 'z')) {
            out[n++] = c;
            if (given)
                break;
        }
    }
    out[n] = '\0';
}

/* The model knows no chess, so it has the kinds under names of its own. */
_Static_assert((int)IPR_KIND_CAPTURE == (int)IPR_STRENGTH_CAPTURE &&
                   (int)IPR_KIND_CHECK == (int)IPR_STRENGTH_CHECK &&
                   (int)IPR_KIND_RECAPTURE == (int)IPR_STRENGTH_RECAPTURE &&
                   (int)IPR_KIND_CASTLING == (int)IPR_STRENGTH_CASTLING,
               "kinds of moves");

/* A position of the game and the move that led to it. */
struct figures_place {
    struct ipr_pos pos;
    ipr_move before;
    bool captured; /* by that move */
};

/* Positions before each ply, the end included; their number, 0 for what cannot be played. */
static size_t figures_places(const json_t *game, struct figures_place *place)
{
    const char *fen = json_string_value(json_object_get(json_object_get(game, "tags"), "FEN"));
    const char *text = json_string_value(json_object_get(game, "moves"));
    struct ipr_err err;
    size_t n = 1;

    place[0] = (struct figures_place){ .before = IPR_MOVE_NONE };
    ipr_pos_start(&place[0].pos);
    if (fen != NULL &&
        ipr_pos_from_fen(&place[0].pos, (struct ipr_str){ fen, strlen(fen) }, &err) != IPR_OK)
        return 0;
    for (; text != NULL && *text != '\0' && n < FIGURES_PLIES; n++) {
        const struct ipr_pos *pos = &place[n - 1].pos;
        const size_t len = strcspn(text, " ");
        ipr_move m;

        if (ipr_move_from_uci(pos, (struct ipr_str){ text, len }, &m, &err) != IPR_OK)
            return 0;
        place[n] = (struct figures_place){ .pos = *pos,
                                           .before = m,
                                           .captured = ipr_move_captures(pos, m) };
        ipr_pos_play(&place[n].pos, m);
        text += len + (text[len] == ' ');
    }
    return n;
}

static bool figures_repeated(const struct figures_place *place, size_t ply)
{
    for (size_t i = ply; i >= 2; i -= 2)
        if (place[i - 2].pos.key == place[ply].pos.key)
            return true;
    return false;
}

static int figures_kind(const struct figures_place *at, const char *uci)
{
    struct ipr_err err;
    ipr_move m;

    if (ipr_move_from_uci(&at->pos, (struct ipr_str){ uci, strlen(uci) }, &m, &err) != IPR_OK)
        return 0;
    return (int)ipr_move_kinds(&at->pos, at->before, at->captured, m);
}

/* Pieces (3, 3, 5, 9) of the mover and of the opponent, pawns of each, in check, kinds of the
 * moves. */
static json_t *figures_position(const json_t *turn, const struct figures_place *at)
{
    const struct ipr_pos *pos = &at->pos;
    const uint64_t own = pos->by_colour[pos->turn], pawns = pos->by_piece[0];
    json_t *out =
        json_pack("[iiiii]", (int)ipr_pos_pieces(pos, pos->turn),
                  (int)ipr_pos_pieces(pos, 1u - pos->turn), __builtin_popcountll(own & pawns),
                  __builtin_popcountll(~own & pawns), (int)ipr_pos_in_check(pos));
    json_t *move;
    size_t i;

    json_array_foreach(json_object_get(turn, "moves"), i, move)
        json_array_append_new(out, json_integer(figures_kind(at, json_string_value(move))));
    return out;
}

/* Centipawns; a mate in n is 10000 - n; a depth that did not report the move is null. */
static json_t *figures_score(const json_t *score)
{
    json_t *mate = json_object_get(score, "mate");

    if (mate != NULL) {
        const json_int_t n = json_integer_value(mate);
        return json_integer(n > 0 ? FIGURES_MATE - n : -FIGURES_MATE - n);
    }
    return json_is_integer(score) ? json_integer(json_integer_value(score)) : json_null();
}

static json_t *figures_turn(const json_t *turn, const struct figures_place *place)
{
    const size_t ply = (size_t)json_integer_value(json_object_get(turn, "ply"));
    json_t *scores = json_array(), *line, *score;
    size_t i, k;

    json_array_foreach(json_object_get(turn, "scores"), i, line) {
        json_t *out = json_array();

        json_array_foreach(line, k, score)
            json_array_append_new(out, figures_score(score));
        json_array_append_new(scores, out);
    }
    return json_pack("[iIIioo]", (int)ply, json_integer_value(json_object_get(turn, "legal")),
                     json_integer_value(json_object_get(turn, "played")),
                     (int)figures_repeated(place, ply), scores,
                     figures_position(turn, &place[ply]));
}

static json_t *figures_side(const json_t *tags, const char *name, const char *elo)
{
    char player[128], digest[17];

    figures_player(figures_tag(tags, name), player);
    snprintf(digest, sizeof digest, "%08x", (unsigned)(figures_digest(player) >> 32));
    return json_pack("{sssi}", "player", digest, "elo",
                     (int)strtol(figures_tag(tags, elo), NULL, 10));
}

static void figures_game(const json_t *game, struct figures_place *place)
{
    const json_t *tags = json_object_get(game, "tags");
    const char *moves = json_string_value(json_object_get(game, "moves"));
    const size_t n = figures_places(game, place);
    char id[17], event[17];
    json_t *turns = json_array(), *turn, *out;
    size_t i;

    json_array_foreach(n == 0 ? NULL : json_object_get(game, "turns"), i, turn)
        json_array_append_new(turns, figures_turn(turn, place));
    snprintf(id, sizeof id, "%016llx",
             (unsigned long long)figures_digest(moves != NULL ? moves : ""));
    snprintf(event, sizeof event, "%08x",
             (unsigned)(figures_digest(figures_tag(tags, "Event")) >> 32));
    out = json_pack("{sssssisssssososo}", "game", id, "event", event, "year",
                    (int)strtol(figures_tag(tags, "Date"), NULL, 10), "set",
                    figures_tag(tags, "SetName"), "result", figures_tag(tags, "Result"), "white",
                    figures_side(tags, "White", "WhiteElo"), "black",
                    figures_side(tags, "Black", "BlackElo"), "turns", turns);
    json_dumpf(out, stdout, JSON_COMPACT);
    putchar('\n');
    json_decref(out);
}

int main(void)
{
    struct figures_place *place = malloc(FIGURES_PLIES * sizeof *place);
    char *line = NULL;
    size_t size = 0;

    while (place != NULL && getline(&line, &size, stdin) > 0) {
        json_t *game = json_loads(line, 0, NULL);

        if (game == NULL)
            return 1;
        figures_game(game, place);
        json_decref(game);
    }
    free(line);
    free(place);
    return 0;
}
