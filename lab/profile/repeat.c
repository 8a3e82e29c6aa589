/* Tests if a weakness named from half of a player's games is there in the other half.
 * docs/profile.md has the rule. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "lab/profile/profile.h"
#include "stats/resample.h"

#define REPEAT_HALVINGS 50
#define REPEAT_NEAREST  50
#define REPEAT_FLIPS    10000
#define REPEAT_BLOCK    400 /* sides that scrambling draws from */
#define REPEAT_KINDS    (IPR_PROFILE_PARTS + 1)

/* A part of one half that is compared. */
struct repeat_row {
    enum ipr_profile_part part;
    uint32_t line;
    bool named;
    double deviation;
};

struct repeat_half {
    struct repeat_row row[IPR_PROFILE_PARTS + IPR_PROFILE_LINES];
    size_t n;
};

/* The halves that compare a part, those in which more is lost there, and how much more. */
struct repeat_mean {
    double n, above, deviation;
};

struct repeat_set {
    uint64_t player;
    unsigned group; /* only sets of one have like ratings */
    double rating;
    struct repeat_half half[REPEAT_HALVINGS][2];
    struct repeat_mean own[REPEAT_KINDS], nearest[REPEAT_KINDS];
};

/* Sums of a player's sets, of a halving on average. */
struct repeat_score {
    uint64_t player;
    size_t sets;
    double named, there, chance, before, after, usual;
};

/* ---- halves ---- */

static void half_of(const struct profile_sides *s, const size_t *at, size_t n,
                    const struct ipr_profile_reference *r, struct repeat_half *out)
{
    size_t advice[IPR_PROFILE_ADVICE], moves;
    struct ipr_profile_move *move;
    struct ipr_profile p;
    const double rating = profile_join(s, at, n, &move, &moves);

    ipr_profile_of(move, moves, r, rating, &p);
    const size_t named = ipr_profile_advice(&p, advice);

    out->n = 0;
    for (size_t i = 0; i < p.n; i++) {
        if (isnan(p.row[i].p))
            continue;
        struct repeat_row *const row = &out->row[out->n++];

        *row = (struct repeat_row){ p.row[i].part, p.row[i].line, false, p.row[i].deviation };
        for (size_t k = 0; k < named; k++)
            row->named = row->named || advice[k] == i;
    }
    free(move);
}

static void own_add(struct repeat_set *set, const struct repeat_half *half)
{
    for (size_t i = 0; i < half->n; i++) {
        struct repeat_mean *const m = &set->own[half->row[i].part];

        m->n++;
        m->above += half->row[i].deviation > 0;
        m->deviation += half->row[i].deviation;
    }
}

static struct repeat_set *repeat_new(struct profile_repeat *t)
{
    if ((t->n & (t->n - 1)) == 0)
        t->set = ipr_xrealloc(t->set, t->n > 0 ? 2 * t->n : 1, sizeof *t->set);
    memset(&t->set[t->n], 0, sizeof *t->set);
    return &t->set[t->n++];
}

static void repeat_add(void *payload, const struct profile_sides *s, const size_t *at, size_t n)
{
    struct profile_repeat *const t = payload;
    size_t *const of = ipr_xcalloc(n + 1, sizeof *of);
    struct repeat_set *const set = repeat_new(t);
    struct ipr_twister rng;

    set->player = s->side[at[0]].player;
    set->group = t->group;
    for (size_t i = 0; i < n; i++)
        set->rating += s->side[at[i]].rating / (double)n;
    memcpy(of, at, n * sizeof *of);
    ipr_twister_seed(&rng, (uint32_t)(ipr_mix64(s->side[at[0]].set) >> 32));
    for (size_t h = 0; h < REPEAT_HALVINGS; h++) {
        for (size_t i = 0; i + 1 < n; i++) {
            const size_t k = i + ipr_twister_below(&rng, (uint32_t)(n - i)), swap = of[i];

            of[i] = of[k];
            of[k] = swap;
        }
        half_of(s, of, n / 2, t->r, &set->half[h][0]);
        half_of(s, of + n / 2, n - n / 2, t->r, &set->half[h][1]);
        own_add(set, &set->half[h][0]);
        own_add(set, &set->half[h][1]);
    }
    free(of);
}

void profile_repeat_add(const struct profile_sides *s, const bool *take, size_t least,
                        struct profile_repeat *t)
{
    profile_each(s, take, least, repeat_add, t);
}

/* ---- the nearest in rating ---- */

struct repeat_place {
    double by; /* a distance, or a rating */
    size_t at;
};

static int by_place(const void *a, const void *b)
{
    const struct repeat_place *x = a, *y = b;

    return x->by != y->by ? (x->by > y->by) - (x->by < y->by) : (x->at > y->at) - (x->at < y->at);
}

static void nearest_find(const struct profile_repeat *t, struct repeat_set *set)
{
    struct repeat_place *const d = ipr_xcalloc(t->n + 1, sizeof *d);
    size_t n = 0;

    memset(set->nearest, 0, sizeof set->nearest);

    for (size_t k = 0; k < t->n; k++)
        if (t->set[k].group == set->group && t->set[k].player != set->player)
            d[n++] = (struct repeat_place){ fabs(t->set[k].rating - set->rating), k };
    qsort(d, n, sizeof *d, by_place);
    for (size_t k = 0; k < n && k < REPEAT_NEAREST; k++)
        for (int part = 0; part < REPEAT_KINDS; part++) {
            const struct repeat_mean *const m = &t->set[d[k].at].own[part];
            struct repeat_mean *const to = &set->nearest[part];

            to->n += m->n;
            to->above += m->above;
            to->deviation += m->deviation;
        }
    free(d);
}

/* ---- scores ---- */

static const struct repeat_row *other_row(const struct repeat_half *half,
                                          const struct repeat_row *row)
{
    for (size_t i = 0; i < half->n; i++)
        if (half->row[i].part == row->part && half->row[i].line == row->line)
            return &half->row[i];
    return NULL;
}

static void score_half(const struct repeat_set *set, const struct repeat_half *half,
                       const struct repeat_half *other, struct repeat_score *out)
{
    for (size_t i = 0; i < half->n; i++) {
        const struct repeat_row *const row = &half->row[i], *const again = other_row(other, row);
        const struct repeat_mean *const m = &set->nearest[row->part];

        if (!row->named || again == NULL || m->n == 0)
            continue;
        out->named++;
        out->there += again->deviation > 0;
        out->chance += m->above / m->n;
        out->before += row->deviation;
        out->after += again->deviation;
        out->usual += m->deviation / m->n;
    }
}

/* The scores by player of the sets of some groups; how many. */
static size_t scores_of(struct profile_repeat *t, unsigned first, unsigned last,
                        struct repeat_score *out)
{
    size_t n = 0;

    for (size_t i = 0; i < t->n; i++) {
        struct repeat_score *score = out;

        if (t->set[i].group < first || t->set[i].group > last)
            continue;
        while (score < out + n && score->player != t->set[i].player)
            score++;
        n += score == out + n;
        score->player = t->set[i].player;
        score->sets++;
        nearest_find(t, &t->set[i]);
        for (size_t h = 0; h < REPEAT_HALVINGS; h++)
            for (size_t k = 0; k < 2; k++)
                score_half(&t->set[i], &t->set[i].half[h][k], &t->set[i].half[h][1 - k], score);
    }
    return n;
}

/* One-sided p of the sum of the scores by flips of their signs. */
static double flips_p(const struct repeat_score *score, size_t n)
{
    struct ipr_twister rng;
    double sum = 0;
    size_t above = 1;

    for (size_t i = 0; i < n; i++)
        sum += score[i].there - score[i].chance;
    ipr_twister_seed(&rng, 1);
    for (size_t k = 0; k < REPEAT_FLIPS; k++) {
        double flipped = 0;

        for (size_t i = 0; i < n; i++)
            flipped +=
                (score[i].there - score[i].chance) * (ipr_twister_below(&rng, 2) == 0 ? 1 : -1);
        above += flipped >= sum * (1 - 1e-12);
    }
    return (double)above / (REPEAT_FLIPS + 1);
}

void profile_repeat_of(struct profile_repeat *t, unsigned first, unsigned last,
                       struct profile_repeated *out)
{
    struct repeat_score *const score = ipr_xcalloc(t->n + 1, sizeof *score);
    const size_t n = scores_of(t, first, last, score);
    struct repeat_score all = { 0 };

    memset(out, 0, sizeof *out);

    for (size_t i = 0; i < n; i++) {
        all.named += score[i].named;
        all.there += score[i].there;
        all.chance += score[i].chance;
        all.before += score[i].before;
        all.after += score[i].after;
        all.usual += score[i].usual;
        out->sets += score[i].sets;
        out->naming += score[i].named > 0;
    }
    out->players = n;
    out->named = all.named / REPEAT_HALVINGS;
    out->there = all.there / all.named;
    out->chance = all.chance / all.named;
    out->before = all.before / all.named;
    out->after = (all.after - all.usual) / all.named;
    out->p = flips_p(score, n);
    free(score);
}

void profile_repeat_free(struct profile_repeat *t)
{
    free(t->set);
    t->set = NULL;
    t->n = 0;
}

/* ---- players that differ in nothing ---- */

void profile_scramble(struct profile_sides *s, const bool *take, uint32_t seed)
{
    struct repeat_place *const place = ipr_xcalloc(s->n + 1, sizeof *place);
    struct ipr_twister rng;
    size_t n = 0;

    for (size_t i = 0; i < s->n; i++)
        if (take[i])
            place[n++] = (struct repeat_place){ s->side[i].rating, i };
    qsort(place, n, sizeof *place, by_place);
    ipr_twister_seed(&rng, seed);
    for (size_t i = 0; i < n; i++) {
        const size_t end =
            (i / REPEAT_BLOCK + 1) * REPEAT_BLOCK < n ? (i / REPEAT_BLOCK + 1) * REPEAT_BLOCK : n;
        struct profile_side *const a = &s->side[place[i].at];
        struct profile_side *const b =
            &s->side[place[i + ipr_twister_below(&rng, (uint32_t)(end - i))].at];
        const struct profile_side swap = *a;

        a->player = b->player;
        a->set = b->set;
        b->player = swap.player;
        b->set = swap.set;
    }
    free(place);
}
