#include "ingest/staged.h"

#include <stdlib.h>

#define HEADS 4096 /* a power of two */
#define STEPS 64   /* games compared per list; a batch may be the games of a single pair */

struct node {
    struct ipr_staged *kept;
    size_t next; /* index + 1; 0: the last one */
};

struct list {
    size_t head[HEADS]; /* index + 1 of a node; 0: empty */
};

/* A game is in two lists, and in another one when its moves or players change. */
struct ipr_staged_set {
    struct list by_pair, by_moves;
    struct node *node;
    size_t n_nodes, room_nodes;
    struct ipr_staged **all;
    size_t n, room;
};

struct ipr_staged_set *ipr_staged_new(void)
{
    return ipr_xcalloc(1, sizeof(struct ipr_staged_set));
}

void ipr_staged_free(struct ipr_staged_set **set)
{
    struct ipr_staged_set *s = *set;

    if (s == NULL)
        return;
    for (size_t i = 0; i < s->n; i++) {
        ipr_duplicate_marks_forget(&s->all[i]->marks);
        free(s->all[i]);
    }
    free(s->all);
    free(s->node);
    free(s);
    *set = NULL;
}

static size_t staged_pair_place(const struct ipr_db_new_game *g)
{
    const uint64_t pair =
        (uint64_t)(uint32_t)g->white_id.person << 32 | (uint32_t)g->black_id.person;

    return (size_t)((pair * UINT64_C(0x9e3779b97f4a7c15)) >> 52) % HEADS;
}

static size_t staged_moves_place(const struct ipr_db_new_game *g)
{
    return (size_t)(uint64_t)g->moves_key % HEADS;
}

static void list_push(struct ipr_staged_set *set, struct list *list, size_t place,
                      struct ipr_staged *kept)
{
    if (set->n_nodes == set->room_nodes) {
        set->room_nodes = set->room_nodes == 0 ? 4096 : 2 * set->room_nodes;
        set->node = ipr_xrealloc(set->node, set->room_nodes, sizeof *set->node);
    }
    set->node[set->n_nodes] = (struct node){ kept, list->head[place] };
    list->head[place] = ++set->n_nodes;
}

void ipr_staged_add(struct ipr_staged_set *set, struct ipr_db_new_game *game, bool stored)
{
    struct ipr_staged *kept = ipr_xcalloc(1, sizeof *kept);

    if (set->n == set->room) {
        set->room = set->room == 0 ? 1024 : 2 * set->room;
        set->all = ipr_xrealloc(set->all, set->room, sizeof(struct ipr_staged *));
    }
    kept->game = game;
    kept->stored = stored;
    set->all[set->n++] = kept;
    list_push(set, &set->by_pair, staged_pair_place(game), kept);
    list_push(set, &set->by_moves, staged_moves_place(game), kept);
}

/* The closest kind in a list; the numbers of the kinds grow with the distance. */
static struct ipr_staged *look_in(const struct ipr_staged_set *set, size_t at,
                                  const struct ipr_db_new_game *sent,
                                  struct ipr_duplicate_marks *marks, enum ipr_duplicate *kind)
{
    struct ipr_staged *best = NULL;

    *kind = IPR_DUPLICATE_NONE;
    for (int step = 0; at != 0 && step < STEPS && *kind != IPR_DUPLICATE_IDENTICAL; step++) {
        const struct node *node = &set->node[at - 1];
        const enum ipr_duplicate k =
            ipr_duplicate_of(sent, marks, node->kept->game, &node->kept->marks);

        if (k < *kind) {
            *kind = k;
            best = node->kept;
        }
        at = node->next;
    }
    return best;
}

struct ipr_staged *ipr_staged_find(struct ipr_staged_set *set, const struct ipr_db_new_game *sent,
                                   enum ipr_duplicate *kind)
{
    enum ipr_duplicate other = IPR_DUPLICATE_NONE;
    struct ipr_duplicate_marks marks = { 0 };
    struct ipr_staged *pair = NULL;
    struct ipr_staged *best =
        look_in(set, set->by_moves.head[staged_moves_place(sent)], sent, &marks, kind);

    if (*kind != IPR_DUPLICATE_IDENTICAL)
        pair = look_in(set, set->by_pair.head[staged_pair_place(sent)], sent, &marks, &other);
    if (other < *kind) {
        *kind = other;
        best = pair;
    }
    ipr_duplicate_marks_forget(&marks);
    return best;
}

bool ipr_staged_enrich(struct ipr_staged_set *set, struct ipr_staged *kept,
                       const struct ipr_db_new_game *sent, enum ipr_duplicate kind,
                       const struct ipr_db_distinct_pairs *distinct, struct ipr_arena *mem,
                       unsigned *conflicts)
{
    const size_t pair = staged_pair_place(kept->game);

    if (!ipr_duplicate_enrich(kept->game, sent, kind, distinct, mem, conflicts))
        return false;
    ipr_duplicate_marks_forget(&kept->marks);
    if (staged_pair_place(kept->game) != pair)
        list_push(set, &set->by_pair, staged_pair_place(kept->game), kept);
    kept->improved = true;
    if (kind == IPR_DUPLICATE_EXTENDS) {
        kept->new_moves = true;
        list_push(set, &set->by_moves, staged_moves_place(kept->game), kept);
    }
    return true;
}

struct ipr_staged *const *ipr_staged_all(const struct ipr_staged_set *set, size_t *n)
{
    *n = set->n;
    return set->all;
}
