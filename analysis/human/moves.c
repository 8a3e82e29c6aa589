#include "human/moves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "chess/kind.h"
#include "chess/state.h"

#define MOVES_HISTORY 8 /* positions that the network sees */
#define MOVES_BOARD   13
#define MOVES_AUX     (MOVES_HISTORY * MOVES_BOARD)

/* A game as positions. */
struct moves_game {
    size_t n;                /* moves */
    struct ipr_pos *pos;     /* [n + 1] */
    struct ipr_state *state; /* [n + 1] */
};

/* Memory in which the networks run for one game. */
struct moves_room {
    struct ipr_net_work work;
    float *planes, *policy; /* of IPR_CONV_BATCH positions */
};

void ipr_human_free(struct ipr_human *human)
{
    for (size_t k = 0; k < IPR_HUMAN_NETS; k++)
        ipr_net_free(&human->net[k]);
}

/* ---- input ---- */

static void moves_fill(float *planes, size_t plane, float value)
{
    for (size_t s = 0; s < 64; s++)
        planes[s * IPR_NET_PLANES + plane] = value;
}

/* The pieces of the mover, then those of the opponent, the mover's side of the board first. */
static void moves_board(const struct ipr_pos *pos, bool repeated, unsigned us, size_t plane,
                        float *planes)
{
    const unsigned flip = us == IPR_BLACK ? 56 : 0;

    for (unsigned c = 0; c < 2; c++)
        for (unsigned k = 0; k < 6; k++)
            for (uint64_t b = pos->by_piece[k] & pos->by_colour[us ^ c]; b != 0; b &= b - 1)
                planes[((unsigned)__builtin_ctzll(b) ^ flip) * IPR_NET_PLANES + plane + 6 * c + k] =
                    1;
    if (repeated)
        moves_fill(planes, plane + 12, 1);
}

static void moves_planes(const struct moves_game *g, size_t ply, float *planes)
{
    const struct ipr_pos *const now = &g->pos[ply];
    const unsigned us = now->turn, ours = now->castling >> 2 * us,
                   theirs = now->castling >> 2 * (us ^ 1);

    memset(planes, 0, (size_t)64 * IPR_NET_PLANES * sizeof *planes);
    for (size_t k = 0; k < MOVES_HISTORY && k <= ply; k++)
        moves_board(&g->pos[ply - k], g->state[ply - k].repetitions > 1, us, k * MOVES_BOARD,
                    planes);
    moves_fill(planes, MOVES_AUX, (float)(ours >> 1 & 1));
    moves_fill(planes, MOVES_AUX + 1, (float)(ours & 1));
    moves_fill(planes, MOVES_AUX + 2, (float)(theirs >> 1 & 1));
    moves_fill(planes, MOVES_AUX + 3, (float)(theirs & 1));
    moves_fill(planes, MOVES_AUX + 4, us == IPR_BLACK);
    moves_fill(planes, MOVES_AUX + 5, now->halfmove);
    moves_fill(planes, MOVES_AUX + 7, 1);
}

/* ---- output ---- */

/* Planes of the policy: a queen's moves by direction, clockwise from north, and length; a
 * knight's; a pawn's that becomes a rook, bishop or queen. */
static size_t moves_plane(int dx, int dy)
{
    static const int queen[8][2] = { { 0, 1 },  { 1, 1 },   { 1, 0 },  { 1, -1 },
                                     { 0, -1 }, { -1, -1 }, { -1, 0 }, { -1, 1 } },
                     knight[8][2] = { { 1, 2 },   { 2, 1 },   { 2, -1 }, { 1, -2 },
                                      { -1, -2 }, { -2, -1 }, { -2, 1 }, { -1, 2 } };
    const int steps = abs(dx) > abs(dy) ? abs(dx) : abs(dy);

    for (size_t k = 0; k < 8; k++) {
        if (dx == knight[k][0] && dy == knight[k][1])
            return 56 + k;
        if (dx == queen[k][0] * steps && dy == queen[k][1] * steps)
            return 7 * k + (size_t)steps - 1;
    }
    return 0; /* no move of chess */
}

size_t ipr_human_policy_at(const struct ipr_pos *pos, ipr_move m)
{
    static const size_t becomes[5] = { [2] = 1, [3] = 0, [4] = 2 };
    const unsigned flip = pos->turn == IPR_BLACK ? 56 : 0, from = ipr_move_from(m) ^ flip,
                   to = ipr_move_to(m) ^ flip, promotion = ipr_move_promotion(m);
    const int dx = (int)(to % 8) - (int)(from % 8), dy = (int)(to / 8) - (int)(from / 8);
    const size_t plane =
        promotion > 1 ? 64 + 3 * (size_t)(dx + 1) + becomes[promotion] : moves_plane(dx, dy);

    return from * IPR_NET_POLICY + plane;
}

/* ---- moves ---- */

/* Sets what one network says from the logits of the legal moves, which become log-probabilities. */
static void moves_judge(float *logit, size_t legal, size_t played, struct ipr_human_move *m,
                        size_t net)
{
    float top = logit[0], sum = 0, entropy = 0;

    for (size_t i = 1; i < legal; i++)
        top = fmaxf(top, logit[i]);
    for (size_t i = 0; i < legal; i++)
        sum += expf(logit[i] - top);
    m->first[net] = logit[played] >= top;
    m->log_top[net] = -logf(sum);
    for (size_t i = 0; i < legal; i++) {
        logit[i] -= top + logf(sum);
        entropy -= logit[i] * expf(logit[i]);
    }
    m->log_p[net] = logit[played];
    m->entropy[net] = entropy;
}

/* Some positions from `ply` on under all networks. */
static void moves_batch(const struct ipr_human *human, const struct moves_room *room,
                        const struct moves_game *g, const ipr_move *moves, size_t ply, size_t n,
                        struct ipr_human_move *out)
{
    ipr_move legal[IPR_CONV_BATCH][IPR_MAX_MOVES];
    size_t of[IPR_CONV_BATCH], played[IPR_CONV_BATCH] = { 0 };
    float logit[IPR_CONV_BATCH][IPR_HUMAN_NETS][IPR_MAX_MOVES];

    for (size_t i = 0; i < n; i++) {
        moves_planes(g, ply + i, room->planes + i * 64 * IPR_NET_PLANES);
        of[i] = ipr_pos_legal(&g->pos[ply + i], legal[i]);
        while (legal[i][played[i]] != moves[ply + i])
            played[i]++;
        out[ply + i].legal = (uint8_t)of[i];
        out[ply + i].takes = ipr_move_captures(&g->pos[ply + i], moves[ply + i]);
    }
    for (size_t k = 0; k < IPR_HUMAN_NETS; k++) {
        ipr_net_run(&human->net[k], &room->work, n, room->planes, room->policy);
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j < of[i]; j++)
                logit[i][k][j] = room->policy[i * 64 * IPR_NET_POLICY +
                                              ipr_human_policy_at(&g->pos[ply + i], legal[i][j])];
            moves_judge(logit[i][k], of[i], played[i], &out[ply + i], k);
        }
    }
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < IPR_HUMAN_VIEWS; k++) {
            const float *const p = logit[i][k * (IPR_HUMAN_NETS - 1) / (IPR_HUMAN_VIEWS - 1)];

            out[ply + i].drift[k] = 0;
            for (size_t j = 0; j < of[i]; j++)
                out[ply + i].drift[k] +=
                    expf(p[j]) * (logit[i][IPR_HUMAN_NETS - 1][j] - logit[i][0][j]);
        }
}

void ipr_human_moves(const struct ipr_human *human, const struct ipr_pos *start,
                     const ipr_move *moves, size_t n, struct ipr_human_move *out)
{
    const struct moves_game g = { n, ipr_xcalloc(n + 1, sizeof *g.pos),
                                  ipr_xcalloc(n + 1, sizeof *g.state) };
    struct moves_room room = { .planes =
                                   ipr_conv_room((size_t)IPR_CONV_BATCH * 64 * IPR_NET_PLANES),
                               .policy =
                                   ipr_conv_room((size_t)IPR_CONV_BATCH * 64 * IPR_NET_POLICY) };

    ipr_net_work_init(&room.work);
    g.pos[0] = *start;
    for (size_t i = 0; i < n; i++) {
        g.pos[i + 1] = g.pos[i];
        ipr_pos_play(&g.pos[i + 1], moves[i]);
    }
    ipr_game_states(start, moves, n, g.state);
    for (size_t ply = 0; ply < n; ply += IPR_CONV_BATCH)
        moves_batch(human, &room, &g, moves, ply,
                    n - ply < IPR_CONV_BATCH ? n - ply : IPR_CONV_BATCH, out);
    ipr_net_work_free(&room.work);
    free(room.planes);
    free(room.policy);
    free(g.pos);
    free(g.state);
}
