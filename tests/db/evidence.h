#ifndef IPR_TEST_DB_EVIDENCE_H
#define IPR_TEST_DB_EVIDENCE_H

/* Analysed games of three players, whose moves are listed and rated. */

#include "db/judges.h"
#include "pgn/notes.h"
#include "view.h"

#define GAMES 4

/* Ann and Bob twice in 2001, once in 2002; Ann and Cid in 2001; Black has less time every move. */
static inline void clocks_add(struct ipr_arena *mem, struct ipr_db_new_game *g)
{
    struct ipr_pgn_note notes[100] = { 0 };
    struct ipr_buf packed = IPR_BUF_INIT;

    for (uint32_t i = 0; i < g->n_moves; i++)
        notes[i] =
            (struct ipr_pgn_note){ .ply = i + 1, .kind = IPR_NOTE_CLK, .ms = 100000 - 1000 * i };
    ipr_notes_pack(notes, g->n_moves, &packed);
    g->notes.p = ipr_arena_strndup(mem, packed.p, packed.n);
    g->notes.n = packed.n;
    ipr_buf_release(&packed);
}

/* Random moves are too weak for a rating: three in four are the best now, by giving the first
 * line's evaluation to the move played. */
static inline void moves_improve(struct ipr_arena *mem, struct ipr_judged_game *g)
{
    for (size_t i = 0; i < g->n; i++) {
        struct ipr_judged_turn *const t = &g->turns[i];
        ipr_move *line;

        if (i % 8 < 2)
            continue;
        line = ipr_arena_alloc(mem, t->lines, sizeof *line);
        memcpy(line, t->moves, t->lines * sizeof *line);
        line[0] = t->moves[t->played];
        line[t->played] = t->moves[0];
        t->moves = line;
        t->played = 0;
    }
}

static inline void scene_fill(struct ipr_view_scene *s)
{
    const struct ipr_judge judge = ipr_sample_rating_judge();
    struct ipr_db_new_game g[GAMES] = {
        ipr_sample_game(&s->mem, 1, "Ann", "Bob", 2001, 90),
        ipr_sample_game(&s->mem, 2, "Bob", "Ann", 2001, 90),
        ipr_sample_game(&s->mem, 3, "Ann", "Cid", 2001, 90),
        ipr_sample_game(&s->mem, 5, "Ann", "Bob", 2002, 90),
    };

    clocks_add(&s->mem, &g[0]);
    ipr_sample_store(s->db, g, GAMES, "sample");
    assert_ok(ipr_db_judge_ensure(s->db, &judge, &s->judge_id, &s->err), &s->err);
    for (unsigned i = 0; i < GAMES; i++) {
        struct ipr_db_game game;

        assert_ok(ipr_db_game_get(s->db, g[i].id, &s->mem, &game, &s->err), &s->err);
        struct ipr_judged_game judged = ipr_sample_judgement(&s->mem, &judge, &game, i + 1);

        moves_improve(&s->mem, &judged);
        ipr_sample_judged(s->db, s->judge_id, &game, &judged, 3);
    }
}

static inline int32_t person(const char *name)
{
    return (int32_t)ipr_db_test_int(*name == 'A'   ? "SELECT id FROM player WHERE name = 'Ann'"
                                    : *name == 'B' ? "SELECT id FROM player WHERE name = 'Bob'"
                                                   : "SELECT id FROM player WHERE name = 'Cid'");
}

/* SQL that adds copies of a game with a side analysed, of whose moves nothing is stored. */
#define COPIES(from, to)                                                                           \
    "DO $$ DECLARE g game%ROWTYPE; s judged_side%ROWTYPE; BEGIN"                                   \
    " SELECT * INTO g FROM game ORDER BY id LIMIT 1;"                                              \
    " SELECT * INTO s FROM judged_side WHERE game_id = g.id ORDER BY colour LIMIT 1;"              \
    " FOR i IN " from ".." to " LOOP g.id := 1000000 + i; s.game_id := g.id;"                      \
    " INSERT INTO game OVERRIDING SYSTEM VALUE VALUES (g.*); INSERT INTO judged_side VALUES "      \
    "(s.*); END LOOP; END $$"

#endif
