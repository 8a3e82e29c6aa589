#include "db/side_turns.h"

/*
 * A side is stored as figures and lines. The figures are the values without moves, which suffice
 * for most models: 8 bytes per turn, namely ply u16, best_cp i16, played_cp i16, legal u8, repeated
 * u8, big endian like PostgreSQL's send functions. The view `turn` reads them, too. The lines are
 * turns in the format of ipr_judged_pack, in the same order.
 */
enum { FIGURE = 8 };

/* ---- encoding ---- */

static void figure_put16(struct ipr_buf *out, uint16_t v)
{
    ipr_buf_putc(out, (char)(v >> 8));
    ipr_buf_putc(out, (char)(v & 255));
}

static void figure_put(struct ipr_buf *out, const struct ipr_turn_figures *f)
{
    figure_put16(out, f->ply);
    figure_put16(out, (uint16_t)f->best_cp);
    figure_put16(out, (uint16_t)f->played_cp);
    ipr_buf_putc(out, (char)f->legal);
    ipr_buf_putc(out, (char)f->repeated);
}

void ipr_db_side_pack(const struct ipr_judged_game *judged, int colour, struct ipr_buf *figures,
                      struct ipr_buf *lines)
{
    for (size_t i = 0; i < judged->n; i++) {
        const struct ipr_turn_figures f = ipr_turn_figures_of(&judged->turns[i]);

        if (judged->turns[i].mover != colour)
            continue;
        figure_put(figures, &f);
        ipr_judged_pack(&judged->turns[i], lines);
    }
}

void ipr_db_side_pack_figures(const struct ipr_side_figures *side, struct ipr_buf *figures,
                              struct ipr_buf *second)
{
    for (size_t i = 0; i < side->n; i++) {
        figure_put(figures, &side->turns[i]);
        figure_put16(second, (uint16_t)side->second[i]);
    }
}

/* ---- decoding ---- */

static uint16_t figure_get16(const char *p)
{
    return (uint16_t)((unsigned char)p[0] << 8 | (unsigned char)p[1]);
}

size_t ipr_db_side_length(struct ipr_str figures)
{
    return figures.n / FIGURE;
}

struct ipr_turn_figures ipr_db_side_figure(struct ipr_str figures, size_t i)
{
    const char *p = figures.p + FIGURE * i;

    return (struct ipr_turn_figures){
        .ply = figure_get16(p),
        .best_cp = (int16_t)figure_get16(p + 2),
        .played_cp = (int16_t)figure_get16(p + 4),
        .legal = (uint8_t)p[6],
        .repeated = p[7] != 0,
    };
}

void ipr_db_side_count(struct ipr_str figures, struct ipr_contribution *c)
{
    for (size_t i = 0; i < ipr_db_side_length(figures); i++) {
        const struct ipr_turn_figures f = ipr_db_side_figure(figures, i);

        ipr_contribution_count(c, &f);
    }
}

bool ipr_db_play_turn(struct ipr_db_play *play, unsigned *side, struct ipr_turn_figures *f)
{
    bool found = false;

    for (unsigned s = 0; s < 2; s++) {
        if (play->next[s] == ipr_db_side_length(play->figures[s]))
            continue;
        const struct ipr_turn_figures its = ipr_db_side_figure(play->figures[s], play->next[s]);

        if (found && its.ply > f->ply)
            continue;
        *f = its;
        *side = s;
        found = true;
    }
    if (found)
        play->next[*side]++;
    return found;
}

struct ipr_turn ipr_db_turn_of(const struct ipr_judged_turn *t, int year, unsigned multipv,
                               struct ipr_arena *mem)
{
    const unsigned all = multipv < t->legal ? multipv : t->legal;
    int16_t *cp = ipr_arena_alloc(mem, t->lines, sizeof *cp);

    for (unsigned i = 0; i < t->lines; i++)
        cp[i] = ipr_figures_clamp(ipr_judged_final(t, i));
    return (struct ipr_turn){
        .year = year,
        .ply = t->ply,
        .mover = t->mover,
        .lines = (uint8_t)(all < t->lines ? all : t->lines),
        .n_cp = t->lines,
        .played = t->played,
        .legal = t->legal,
        .repeated = t->repeated,
        .cp = cp,
    };
}

bool ipr_db_side_lacks_lines(const struct ipr_db_game_side *side)
{
    return side->second.n > 0;
}

/* The evaluation of the second line at turn i of a side without lines. */
static int16_t second_of(const struct ipr_db_game_side *side, size_t i)
{
    return (int16_t)figure_get16(side->second.p + 2 * i);
}

enum ipr_code ipr_db_side_game(const struct ipr_db_game_side *sides, size_t n, unsigned which,
                               struct ipr_arena *mem, struct ipr_judged_game *out,
                               struct ipr_err *err)
{
    struct ipr_str lines[2] = { 0 };
    struct ipr_db_play play = { 0 };
    enum ipr_code rc = IPR_OK;
    struct ipr_turn_figures f;
    unsigned s = 0;
    size_t room = 0;

    for (size_t i = 0; i < n && i < 2; i++) {
        if (!(which &
              (ipr_db_side_lacks_lines(&sides[i]) ? IPR_SIDES_OF_FIGURES : IPR_SIDES_WITH_LINES)))
            continue;
        play.figures[i] = sides[i].figures;
        lines[i] = sides[i].lines;
        room += ipr_db_side_length(sides[i].figures);
    }
    *out = (struct ipr_judged_game){ ipr_arena_alloc(mem, room, sizeof *out->turns), 0 };
    while (rc == IPR_OK && ipr_db_play_turn(&play, &s, &f)) {
        struct ipr_judged_turn *const t = &out->turns[out->n++];

        if (ipr_db_side_lacks_lines(&sides[s])) {
            *t = ipr_turn_of_figures(&f, sides[s].colour, second_of(&sides[s], play.next[s] - 1),
                                     mem);
            continue;
        }
        *t = (struct ipr_judged_turn){ .ply = f.ply,
                                       .mover = (uint8_t)sides[s].colour,
                                       .legal = f.legal,
                                       .repeated = f.repeated };
        if (ipr_judged_unpack(&lines[s], mem, t, NULL) != IPR_OK)
            rc = ipr_err_set(err, IPR_EDB, "stored turns are malformed");
    }
    if (rc == IPR_OK && lines[0].n + lines[1].n > 0)
        rc = ipr_err_set(err, IPR_EDB, "a stored side has lines of more turns");
    return rc;
}

enum ipr_code ipr_db_side_unpack_figures(const struct ipr_db_game_side *side, unsigned multipv,
                                         struct ipr_arena *mem, struct ipr_side_figures *out,
                                         struct ipr_err *err)
{
    const size_t n = ipr_db_side_length(side->figures);

    *out = (struct ipr_side_figures){ .turns = ipr_arena_alloc(mem, n, sizeof *out->turns),
                                      .second = ipr_arena_alloc(mem, n, sizeof *out->second),
                                      .n = n };
    for (size_t i = 0; i < n; i++)
        out->turns[i] = ipr_db_side_figure(side->figures, i);
    if (!ipr_db_side_lacks_lines(side)) {
        struct ipr_judged_game game = { 0 };
        const enum ipr_code rc = ipr_db_side_game(side, 1, IPR_SIDES_WITH_LINES, mem, &game, err);

        for (size_t i = 0; rc == IPR_OK && i < out->n; i++)
            out->second[i] = ipr_figures_second(&game.turns[i], multipv);
        return rc;
    }
    for (size_t i = 0; i < n; i++)
        out->second[i] = second_of(side, i);
    return IPR_OK;
}

enum ipr_code ipr_db_side_rows(const struct ipr_db_side_lines *sides, size_t n,
                               struct ipr_arena *mem, struct ipr_db_row_turn **rows, size_t *n_rows,
                               struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;
    size_t room = 0, k = 0;

    for (size_t i = 0; i < n; i++)
        room += ipr_db_side_length(sides[i].side.figures);
    *rows = ipr_arena_alloc(mem, room, sizeof **rows);
    for (size_t i = 0, of; rc == IPR_OK && i < n; i += of) {
        struct ipr_judged_game game = { 0 };
        const struct ipr_db_side_lines *s = &sides[i];

        of = i + 1 < n && s[1].game_id == s->game_id && s[1].person == s->person ? 2 : 1;
        rc = ipr_db_side_game((struct ipr_db_game_side[]){ s->side, s[of - 1].side }, of,
                              IPR_SIDES_WITH_LINES | IPR_SIDES_OF_FIGURES, mem, &game, err);
        for (size_t t = 0; rc == IPR_OK && t < game.n; t++)
            (*rows)[k++] = (struct ipr_db_row_turn){
                .turn = ipr_db_turn_of(&game.turns[t], s->year, (unsigned)s->multipv, mem),
                .judged = game.turns[t],
                .game_id = s->game_id,
                .person = s->person,
            };
    }
    *n_rows = k;
    return rc;
}

size_t ipr_db_adjacent_sides(const struct ipr_db_side_figures *sides, size_t n)
{
    return n > 1 && sides[1].game == sides[0].game ? 2 : 1;
}

size_t ipr_db_side_transitions(const struct ipr_db_side_figures *sides, size_t n, int32_t game,
                               struct ipr_turn *turns, int16_t *cp)
{
    struct ipr_db_play play = { 0 };
    struct ipr_turn_figures f;
    unsigned s = 0;
    size_t k = 0;

    for (size_t i = 0; i < n; i++)
        play.figures[i] = sides[i].figures;
    for (; ipr_db_play_turn(&play, &s, &f); k++) {
        const uint8_t entries = f.legal > 1 ? 2 : 1; /* a forced turn has a single move */

        cp[2 * k] = f.best_cp;
        cp[2 * k + 1] = f.played_cp;
        turns[k] = (struct ipr_turn){
            .game = game,
            .year = sides[s].year,
            .ply = f.ply,
            .mover = (uint8_t)sides[s].colour,
            .lines = entries,
            .n_cp = entries,
            .played = (uint8_t)(entries - 1),
            .legal = f.legal,
            .repeated = f.repeated,
            .cp = &cp[2 * k],
        };
    }
    return k;
}
