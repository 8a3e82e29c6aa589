#include "core/interchange.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/interchange_figures.h"
#include "core/json_text.h"
#include "core/judge_json.h"

/* Writing; reading is in interchange_read.c. */

static void put_tag(struct ipr_buf *out, struct ipr_str name, struct ipr_str value, bool first)
{
    if (!first)
        ipr_buf_putc(out, ',');
    ipr_json_string(out, name);
    ipr_buf_putc(out, ':');
    ipr_json_string(out, value);
}

static void interchange_put_move(struct ipr_buf *out, const struct ipr_pos *pos, ipr_move m)
{
    char uci[IPR_UCI_MAX];

    ipr_buf_add(out, uci, ipr_move_to_uci(pos, m, uci));
}

static void interchange_put_moves(struct ipr_buf *out, const struct ipr_interchange_game *g)
{
    struct ipr_pos pos = g->start;

    ipr_buf_puts(out, ",\"moves\":\"");
    for (size_t i = 0; i < g->n_moves; i++) {
        if (i > 0)
            ipr_buf_putc(out, ' ');
        interchange_put_move(out, &pos, g->moves[i]);
        ipr_pos_play(&pos, g->moves[i]);
    }
    ipr_buf_putc(out, '"');
}

static void put_score(struct ipr_buf *out, int16_t score)
{
    int mate;

    if (score == IPR_SCORE_NONE)
        ipr_buf_puts(out, "null");
    else if (ipr_score_is_mate(score, &mate))
        ipr_buf_printf(out, "{\"mate\":%d}", mate);
    else
        ipr_buf_put_int(out, score);
}

/* The scores of a line; `last`: the last one alone. */
static void put_scores(struct ipr_buf *out, const struct ipr_judged_turn *t, unsigned line,
                       bool last)
{
    if (last) {
        put_score(out, ipr_judged_final(t, line));
        return;
    }
    ipr_buf_putc(out, '[');
    for (unsigned d = 0; d < t->depth; d++) {
        if (d > 0)
            ipr_buf_putc(out, ',');
        put_score(out, t->score[(size_t)line * t->depth + d]);
    }
    ipr_buf_putc(out, ']');
}

static void interchange_put_line(struct ipr_buf *out, const struct ipr_pos *pos,
                                 const struct ipr_judged_turn *t)
{
    struct ipr_pos at = *pos;

    for (unsigned i = 0; i < t->n_line; i++) {
        ipr_buf_puts(out, i == 0 ? ",\"line\":\"" : " ");
        interchange_put_move(out, &at, t->line[i]);
        ipr_pos_play(&at, t->line[i]);
    }
    if (t->n_line > 0)
        ipr_buf_putc(out, '"');
}

static void interchange_put_turn(struct ipr_buf *out, const struct ipr_pos *pos,
                                 const struct ipr_judged_turn *t, bool last)
{
    ipr_buf_printf(out, "{\"ply\":%u,\"mover\":\"%c\",\"depth\":%u,\"moves\":[", t->ply,
                   t->mover == IPR_WHITE ? 'w' : 'b', t->depth);
    for (unsigned i = 0; i < t->lines; i++) {
        ipr_buf_puts(out, i > 0 ? ",\"" : "\"");
        interchange_put_move(out, pos, t->moves[i]);
        ipr_buf_putc(out, '"');
    }
    ipr_buf_puts(out, "],\"scores\":[");
    for (unsigned i = 0; i < t->lines; i++) {
        if (i > 0)
            ipr_buf_putc(out, ',');
        put_scores(out, t, i, last);
    }
    ipr_buf_printf(out, "],\"played\":%u,\"legal\":%u,\"nodes\":%llu%s", t->played, t->legal,
                   (unsigned long long)t->nodes, t->settled ? ",\"settled\":true" : "");
    interchange_put_line(out, pos, t);
    ipr_buf_putc(out, '}');
}

static void put_turns(struct ipr_buf *out, const struct ipr_interchange_game *g,
                      const struct ipr_judged_game *judged, bool last)
{
    struct ipr_pos pos = g->start;
    size_t ply = 0;

    ipr_buf_puts(out, ",\"turns\":[");
    for (size_t i = 0; i < judged->n; i++) {
        const struct ipr_judged_turn *t = &judged->turns[i];

        while (ply < t->ply && ply < g->n_moves)
            ipr_pos_play(&pos, g->moves[ply++]);
        if (i > 0)
            ipr_buf_putc(out, ',');
        interchange_put_turn(out, &pos, t, last);
    }
    ipr_buf_putc(out, ']');
}

/* A judge without an engine came as a name alone, and is written as one. */
static void put_judge(struct ipr_buf *out, const struct ipr_judge *judge)
{
    struct ipr_judge builtin;
    json_t *json = judge->engine[0] == '\0' && ipr_judge_builtin(judge->name, &builtin)
                       ? json_string(judge->name)
                       : ipr_judge_to_json(judge);
    char *text = json_dumps(json, JSON_COMPACT | JSON_ENCODE_ANY);

    ipr_buf_printf(out, "\"judge\":%s", text != NULL ? text : "null");
    free(text);
    json_decref(json);
}

void ipr_interchange_write(struct ipr_buf *out, const struct ipr_interchange_game *g)
{
    const bool moves = g->figures == NULL;

    /* A start position must be in the tags, or it would be lost. */
    char fen[IPR_FEN_MAX];
    bool has_fen = false;
    ipr_buf_puts(out, "{\"tags\":{");
    for (size_t i = 0; i < g->n_tags; i++) {
        put_tag(out, g->tags[i].name, g->tags[i].value, i == 0);
        has_fen = has_fen || ipr_str_is(g->tags[i].name, "FEN");
    }
    if (g->custom_start && !has_fen) {
        const size_t n = ipr_pos_to_fen(&g->start, fen);
        put_tag(out, IPR_STR("FEN"), (struct ipr_str){ fen, n }, g->n_tags == 0);
    }
    ipr_buf_puts(out, "}");
    ipr_buf_printf(out, ",\"result\":\"%s\"", ipr_result_text(g->result));
    if (g->domain != NULL)
        ipr_buf_printf(out, ",\"domain\":\"%s\"", g->domain);
    (moves ? interchange_put_moves : ipr_interchange_write_moves_key)(out, g);
    ipr_buf_putc(out, ',');
    put_judge(out, &g->judge);
    if (moves)
        put_turns(out, g, &g->judged, false);
    else
        ipr_interchange_write_figures(out, g);
    if (moves && g->confirmed.n > 0) {
        ipr_buf_puts(out, ",\"confirmed\":{");
        put_judge(out, &g->confirmed_by);
        put_turns(out, g, &g->confirmed, true);
        ipr_buf_putc(out, '}');
    }
    ipr_buf_puts(out, "}\n");
}
