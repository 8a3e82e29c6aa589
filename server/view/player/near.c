/* Players of a name that is similar to the one searched. */
#include "view/player/near.h"

#include <stdlib.h>
#include <string.h>

#include "core/champions.h"
#include "core/names.h"
#include "core/near.h"
#include "core/spelling.h"
#include "core/transliteration.h"

#define SPELLINGS_MOST 20000 /* compared in one search */
#define SIMILAR_MOST   200   /* persons of them whose games are counted */
#define FIRST_MOST     3     /* before those who were found */
#define PER_LETTER     10.0
#define HOPELESS       1000.0 /* times less likely than the first */

struct near_player {
    int32_t id;
    unsigned letters;
    double weight; /* games, a tenth of them for each wrong letter */
    struct ipr_db_player row;
};

struct near_players {
    const struct ipr_view_context *c;
    struct near_player *of;
    size_t n;
};

const char *ipr_players_spelled(const struct ipr_view *v, const char *key)
{
    const struct ipr_champion *const champion = ipr_champion_called(key, v->mem);
    struct ipr_spelling_person person;
    const char *canonical = NULL;

    if (champion != NULL)
        return ipr_name_key(champion->spelled[0], v->mem, &canonical, NULL) == IPR_OK ? canonical
                                                                                      : NULL;
    if (v->spelling == NULL || !ipr_spelling_alive(v->spelling, key, 0, 0, 0, v->mem, &person) ||
        ipr_name_key(person.name, v->mem, &canonical, NULL) != IPR_OK)
        return NULL;
    return canonical;
}

/* A nickname of the spelling file: with the right surname it is a name of this player. */
static bool near_is_nickname(const struct ipr_view *v, const char *likely, const char *key)
{
    const char *const spelled = ipr_players_spelled(v, likely);

    return spelled != NULL && ipr_names_fit(spelled, key);
}

static void near_add(struct near_players *p, int32_t id, unsigned letters)
{
    for (size_t i = 0; i < p->n; i++)
        if (p->of[i].id == id) {
            if (letters < p->of[i].letters)
                p->of[i].letters = letters;
            return;
        }
    if (p->n < SIMILAR_MOST)
        p->of[p->n++] = (struct near_player){ .id = id, .letters = letters };
}

static enum ipr_code near_compare(struct near_players *p, const char *key, struct ipr_err *err)
{
    const struct ipr_view *const v = p->c->v;
    const struct ipr_near *const search = ipr_near_make(ipr_name_fold(key, v->mem), v->mem);
    struct ipr_db_beginning *rows = NULL;
    const char *likely;
    size_t n = 0;

    if (search == NULL)
        return IPR_OK;
    const enum ipr_code rc = ipr_db_spellings_beginning(v->db, ipr_near_beginnings(search),
                                                        SPELLINGS_MOST, v->mem, &rows, &n, err);
    for (size_t i = 0; rc == IPR_OK && i < n; i++) {
        const char *const folded = ipr_name_fold(rows[i].key, v->mem);
        const unsigned letters = ipr_near_letters(search, folded, v->mem, &likely);

        if (letters <= IPR_NEAR_LETTERS &&
            (likely == NULL || near_is_nickname(v, likely, rows[i].key)))
            near_add(p, rows[i].player_id, letters);
    }
    return rc;
}

static void near_weigh(struct near_player *one, const struct ipr_db_player *row)
{
    one->row = *row;
    one->weight = (double)row->games;
    for (unsigned i = 0; i < one->letters; i++)
        one->weight /= PER_LETTER;
}

static enum ipr_code near_read(struct near_players *p, struct ipr_err *err)
{
    const struct ipr_view *const v = p->c->v;
    int32_t *const ids = ipr_arena_alloc(v->mem, p->n + 1, sizeof *ids);
    struct ipr_db_player *rows = NULL;
    size_t n = 0;

    if (p->n == 0)
        return IPR_OK;
    for (size_t i = 0; i < p->n; i++)
        ids[i] = p->of[i].id;
    const enum ipr_code rc =
        ipr_db_players_of(v->db, ids, p->n, p->c->judge_id, v->mem, &rows, &n, err);
    for (size_t i = 0; rc == IPR_OK && i < n; i++)
        for (size_t k = 0; k < p->n; k++)
            if (p->of[k].id == rows[i].id)
                near_weigh(&p->of[k], &rows[i]);
    return rc;
}

/* Those with a letter wrong in any word of the name, or as another language writes it. */
static enum ipr_code near_add_any_word(struct near_players *p, const char *key, int limit,
                                       struct ipr_err *err)
{
    const struct ipr_view *const v = p->c->v;
    const char *const ways = ipr_transliterations_of_name(ipr_name_fold(key, v->mem), v->mem);
    struct ipr_db_player *rows = NULL;
    size_t n = 0;
    const enum ipr_code rc =
        ipr_db_player_list(v->db, key, p->c->judge_id, -1, 0, limit, ways, v->mem, &rows, &n, err);

    for (size_t i = 0; rc == IPR_OK && i < n; i++)
        near_add(p, rows[i].id, 1);
    return rc;
}

static int near_by_weight(const void *a, const void *b)
{
    const struct near_player *l = a, *r = b;

    return l->weight != r->weight ? (l->weight < r->weight) - (l->weight > r->weight)
                                  : (l->id > r->id) - (l->id < r->id);
}

static bool near_was_found(const struct ipr_db_player *rows, size_t n, int32_t id)
{
    for (size_t i = 0; i < n; i++)
        if (rows[i].id == id)
            return true;
    return false;
}

/* Before the rows, as far as they are likely. */
static void near_put_first(struct near_players *p, int limit, struct ipr_db_player **rows,
                           size_t *n, size_t *similar)
{
    struct ipr_db_player *const all = ipr_arena_alloc(p->c->v->mem, p->n + *n + 1, sizeof *all);
    double most = 0.0;
    size_t to = 0;

    for (size_t i = 0; i < *n; i++)
        most = (*rows)[i].games > most ? (*rows)[i].games : most;
    qsort(p->of, p->n, sizeof *p->of, near_by_weight);
    for (size_t i = 0; i < p->n && to < (size_t)(*n == 0 ? limit : FIRST_MOST); i++)
        if (p->of[i].weight > most && p->of[i].weight * HOPELESS > p->of[0].weight &&
            !near_was_found(*rows, *n, p->of[i].id))
            all[to++] = p->of[i].row;
    *similar = to;
    for (size_t i = 0; i < *n; i++)
        all[to++] = (*rows)[i];
    *rows = all;
    *n = to;
}

enum ipr_code ipr_players_near(const struct ipr_view_context *c, const char *key, int limit,
                               struct ipr_db_player **rows, size_t *n, size_t *similar,
                               struct ipr_err *err)
{
    struct near_players p = { .c = c,
                              .of = ipr_arena_alloc(c->v->mem, SIMILAR_MOST, sizeof *p.of) };
    enum ipr_code rc = near_compare(&p, key, err);

    if (rc == IPR_OK && *n == 0)
        rc = near_add_any_word(&p, key, limit, err);
    if (rc == IPR_OK)
        rc = near_read(&p, err);
    if (rc == IPR_OK)
        near_put_first(&p, limit, rows, n, similar);
    return rc;
}
