#include "core/annotated.h"
#include "core/setting.h"

#include <stdio.h>
#include <string.h>

#define LINES_MAX 2

/* ---- the tag ---- */

/* Returns what follows `name` up to the next comma, after any of which the tag may be split. */
static struct ipr_str tag_part(struct ipr_str tag, const char *name)
{
    const char *const at = memmem(tag.p, tag.n, name, strlen(name));

    if (at == NULL)
        return (struct ipr_str){ NULL, 0 };
    const char *const begin = at + strlen(name), *const end = tag.p + tag.n;
    const char *const comma = memchr(begin, ',', (size_t)(end - begin));

    return ipr_str_trim((struct ipr_str){ begin, (size_t)((comma != NULL ? comma : end) - begin) });
}

/* The number that a text begins with; 0: none. `rest` is what follows. */
static int64_t part_number(struct ipr_str s, struct ipr_str *rest)
{
    int64_t v = 0;
    size_t n = 0;

    while (n < s.n && s.p[n] >= '0' && s.p[n] <= '9')
        n++;
    (void)ipr_str_int((struct ipr_str){ s.p, n }, 0, 999999999, &v);
    *rest = (struct ipr_str){ s.p + n, s.n - n };
    return v;
}

/* "4096K", "16M": in MiB, at least 1. */
static uint16_t tag_hash(struct ipr_str tag)
{
    struct ipr_str unit;
    int64_t mb = part_number(tag_part(tag, "Hash Size:"), &unit);

    if (unit.n > 0 && unit.p[0] == 'K')
        mb /= 1024;
    else if (unit.n > 0 && unit.p[0] == 'G')
        mb *= 1024;
    if (mb < 1)
        return 1;
    return mb < UINT16_MAX ? (uint16_t)mb : UINT16_MAX;
}

static uint32_t part_limit(struct ipr_str part, uint32_t most, struct ipr_str *unit)
{
    const int64_t n = part_number(part, unit);

    return n <= most ? (uint32_t)n : 0;
}

/* His "Eval Time:240000ms", or what is written here: "Depth:10", "at most 240 s", "1000 nodes". */
static void tag_limit(struct ipr_str tag, struct ipr_judge *out)
{
    struct ipr_str unit, part;

    out->time_ms = part_limit(tag_part(tag, "Eval Time:"), UINT32_MAX / 2, &unit);
    if (out->time_ms > 0)
        return;
    /* "Avg Depth:25" is no limit. */
    out->depth = (uint16_t)part_limit(tag_part(tag, ", Depth:"), IPR_DEPTH_MAX, &unit);
    if (out->depth > 0)
        return;
    out->time_ms = 1000 * part_limit(tag_part(tag, ", at most "), 1000000, &unit);
    for (size_t i = 0; out->time_ms == 0 && out->nodes == 0 && i < tag.n; i++) {
        if (tag.p[i] != ',')
            continue;
        part = ipr_str_trim((struct ipr_str){ tag.p + i + 1, tag.n - i - 1 });
        const uint32_t n = part_limit(part, UINT32_MAX / 2, &unit);
        if (unit.n >= 6 && memcmp(unit.p, " nodes", 6) == 0)
            out->nodes = n;
    }
}

static void put_text(char *to, size_t size, const char *name, struct ipr_str text)
{
    if (text.n > 0 && !ipr_str_is(text, "none"))
        snprintf(to, size, "%s%.*s", name, (int)text.n, text.p);
}

static bool tag_judge(struct ipr_str tag, struct ipr_judge *out)
{
    struct ipr_str rest;

    *out = (struct ipr_judge){ .program = "stockfish",
                               .multipv = LINES_MAX,
                               .threads = 1,
                               .hash_mb = tag_hash(tag),
                               .clear = IPR_CLEAR_GAME };
    put_text(out->name, sizeof out->name, "", ipr_str_c(ipr_setting_name(IPR_FOR_NOTES)));
    out->first_move = (uint16_t)part_limit(tag_part(tag, "First move:"), 1000, &rest);
    tag_limit(tag, out);
    put_text(out->engine, sizeof out->engine, "", tag_part(tag, "Program:"));
    put_text(out->network, sizeof out->network, "", tag_part(tag, "Network:"));
    put_text(out->options, sizeof out->options, "SyzygyPath=", tag_part(tag, "TB:"));
    return out->engine[0] != '\0' && ipr_judge_valid(out);
}

/* ---- a position ---- */

struct searched {
    const struct ipr_note_search *move[LINES_MAX + 1];
    size_t n;
    const struct ipr_note_search *played;
};

/* Collects the searches of the half-move `ply`. `*at` is the first note that may belong to it, and
 * is moved behind its last one. If two notes have the same move, the first counts. */
static void searched_collect(const struct ipr_pgn_game *g, uint32_t ply, size_t *at,
                             struct searched *out)
{
    *out = (struct searched){ .n = 0 };
    for (; *at < g->n_notes && g->notes[*at].ply <= ply + 1; ++*at) {
        const struct ipr_pgn_note *const note = &g->notes[*at];
        bool known = note->kind != IPR_NOTE_SEARCH || note->ply != ply + 1;

        for (size_t i = 0; i < out->n; i++)
            known = known || out->move[i]->move == note->search.move;
        if (known || out->n > LINES_MAX)
            continue;
        out->move[out->n++] = &note->search;
        if (note->search.move == g->moves[ply])
            out->played = &note->search;
    }
}

/* Best first; the move played is last where two others were searched, which are the lines then. */
static void searched_arrange(struct searched *s)
{
    for (size_t i = 1; i < s->n; i++)
        for (size_t k = i; k > 0; k--) {
            const struct ipr_note_search *const a = s->move[k - 1], *const b = s->move[k];
            const bool last = s->n > LINES_MAX && a == s->played;

            if (last || (b->value > a->value && !(s->n > LINES_MAX && b == s->played))) {
                s->move[k - 1] = b;
                s->move[k] = a;
            }
        }
}

static int16_t score_of(int32_t value)
{
    if (value >= INT16_MIN && value <= INT16_MAX && ipr_score_valid((int16_t)value))
        return (int16_t)value;
    return value > 0 ? IPR_SCORE_CP_MAX : -IPR_SCORE_CP_MAX;
}

static uint8_t depth_of(const struct searched *s, const struct ipr_judge *judge)
{
    int32_t depth = IPR_DEPTH_MAX;

    if (judge->depth > 0)
        return (uint8_t)judge->depth;
    for (size_t i = 0; i < s->n; i++)
        depth = s->move[i]->depth < depth ? s->move[i]->depth : depth;
    return depth > 1 ? (uint8_t)depth : 1;
}

static void turn_fill(struct ipr_judged_turn *t, const struct searched *s, unsigned ply,
                      const struct ipr_judge *judge, struct ipr_arena *mem)
{
    const uint8_t depth = depth_of(s, judge);
    ipr_move *const moves = ipr_arena_alloc(mem, s->n, sizeof *moves);
    int16_t *const score = ipr_arena_alloc(mem, s->n * depth, sizeof *score);

    *t = (struct ipr_judged_turn){
        .ply = (uint16_t)ply, .depth = depth, .lines = (uint8_t)s->n, .moves = moves, .score = score
    };
    for (size_t i = 0; i < s->n * depth; i++)
        score[i] = IPR_SCORE_NONE;
    for (size_t i = 0; i < s->n; i++) {
        moves[i] = s->move[i]->move;
        score[(i + 1) * depth - 1] = score_of(s->move[i]->value);
        if (s->move[i] == s->played)
            t->played = (uint8_t)i;
    }
}

/* ---- a game ---- */

/* The sides of which every position has its evaluations. */
static unsigned annotated_turns(const struct ipr_pgn_game *g, const struct ipr_judge *judge,
                                struct ipr_arena *mem, struct ipr_judged_game *out)
{
    struct ipr_pos pos = g->start;
    unsigned *const mover = ipr_arena_alloc(mem, g->n_moves + 1, sizeof *mover), sides = 3;
    size_t at = 0;

    out->turns = ipr_arena_alloc(mem, g->n_moves + 1, sizeof *out->turns);
    out->n = 0;
    for (uint32_t ply = 0; ply < g->n_moves; ply++) {
        ipr_move legal[IPR_MAX_MOVES];
        struct searched s;

        searched_collect(g, ply, &at, &s);
        if (ply >= ipr_judge_first_ply(judge)) {
            const size_t n_legal = ipr_pos_legal(&pos, legal);
            searched_arrange(&s);
            if (s.played == NULL || s.n < (n_legal < LINES_MAX ? n_legal : LINES_MAX)) {
                sides &= ~(1u << (pos.turn & 1u));
            } else {
                mover[out->n] = pos.turn & 1u;
                turn_fill(&out->turns[out->n++], &s, ply, judge, mem);
            }
        }
        ipr_pos_play(&pos, g->moves[ply]);
    }
    /* The sides that lack an evaluation lose all their turns. */
    size_t n = 0;
    for (size_t i = 0; i < out->n; i++)
        if (sides >> mover[i] & 1u)
            out->turns[n++] = out->turns[i];
    out->n = n;
    return n > 0 ? sides : 0;
}

static bool annotated_has_any(const struct ipr_pgn_game *game)
{
    for (size_t i = 0; i < game->n_notes; i++)
        if (game->notes[i].kind == IPR_NOTE_SEARCH)
            return true;
    return false;
}

bool ipr_annotated_read(const struct ipr_pgn_game *game, struct ipr_arena *mem,
                        struct ipr_interchange_game *out)
{
    ipr_move *moves;

    *out = (struct ipr_interchange_game){ .start = game->start,
                                          .custom_start = game->custom_start,
                                          .n_moves = game->n_moves,
                                          .result = game->result };
    if (!annotated_has_any(game) || !tag_judge(ipr_pgn_tag_get(game, "Annotator"), &out->judge))
        return false;
    moves = ipr_arena_alloc(mem, game->n_moves + 1, sizeof *moves);
    memcpy(moves, game->moves, game->n_moves * sizeof *moves);
    out->moves = moves;
    out->sides = annotated_turns(game, &out->judge, mem, &out->judged);
    return out->sides != 0 && ipr_judged_check(&out->judge, &game->start, moves, game->n_moves,
                                               out->sides, &out->judged, NULL) == IPR_OK;
}
