#include "core/rating_file.h"

#include <stdlib.h>
#include <string.h>

#define WORD_SHOWN 60

struct reading {
    const struct ipr_rating_reader *r;
    const struct ipr_ssp_line *line;
    struct ipr_elo_ratings *ratings;
    struct ipr_arena mem;
    const char *name; /* NULL: skip the person */
    uint32_t person;
    size_t next; /* of the persons selected */
    bool any;    /* the file has ratings */
};

static void rating_file_fault(void *arg, struct ipr_str at, const char *why)
{
    const struct reading *s = arg;
    char word[WORD_SHOWN + 1] = "";
    const size_t n = at.n < WORD_SHOWN ? at.n : WORD_SHOWN;

    memcpy(word, at.p, n);
    s->r->fault(s->r->arg, s->line->number, s->line->column + (uint32_t)(at.p - s->line->text.p),
                word, why);
}

/* The person read last is complete. */
static enum ipr_code finish_person(struct reading *s, struct ipr_err *err)
{
    struct ipr_rated rated = { s->person, s->name, s->ratings, 0 };

    if (s->name == NULL)
        return IPR_OK;
    for (size_t y = 0; y < sizeof s->ratings->elo / sizeof s->ratings->elo[0]; y++)
        for (size_t i = 0; i < IPR_ELO_LISTS_MAX; i++)
            rated.n += s->ratings->elo[y][i] != 0;
    s->name = NULL;
    return rated.n > 0 ? s->r->take(s->r->arg, &rated, err) : IPR_OK;
}

static void begin_person(struct reading *s, uint32_t person)
{
    const struct ipr_rating_reader *r = s->r;

    while (s->next < r->n_wanted && r->wanted[s->next] < person)
        s->next++;
    if (s->next == r->n_wanted || r->wanted[s->next] != person)
        return;
    ipr_arena_release(&s->mem);
    s->person = person;
    s->name = ipr_ssp_tidy(ipr_ssp_unmarked(s->line->text), &s->mem);
    memset(s->ratings, 0, sizeof *s->ratings);
}

static void read_note(struct reading *s)
{
    struct ipr_str rest = s->line->text, word;

    if (!ipr_str_word(&rest, &word) || !ipr_str_is(word, "%Elo"))
        return;
    s->any = true;
    if (s->name != NULL)
        ipr_elo_read(rest, s->ratings, rating_file_fault, s);
}

enum ipr_code ipr_rating_file_read(const char *path, const struct ipr_rating_reader *r,
                                   struct ipr_err *err)
{
    struct ipr_ssp_line line = { .kind = IPR_SSP_NOTE };
    struct reading s = { .r = r, .line = &line, .ratings = ipr_xcalloc(1, sizeof *s.ratings) };
    struct ipr_ssp *file = NULL;
    enum ipr_code rc = ipr_ssp_open(path, &file, err);

    for (uint32_t people = 0; rc == IPR_OK && line.kind != IPR_SSP_END;) {
        rc = ipr_ssp_next(file, &line, err);
        if (rc == IPR_OK && line.kind == IPR_SSP_NOTE)
            read_note(&s);
        if (rc == IPR_OK && (line.kind == IPR_SSP_PERSON || line.kind == IPR_SSP_END))
            rc = finish_person(&s, err);
        if (rc == IPR_OK && line.kind == IPR_SSP_PERSON)
            begin_person(&s, people++);
    }
    if (rc == IPR_OK && !s.any)
        rc = ipr_err_type(err, IPR_EDATA, "no_ratings",
                          "%s: contains no ratings (Debian's scid-rating-data does)", path);
    ipr_ssp_close(&file);
    ipr_arena_release(&s.mem);
    free(s.ratings);
    return rc;
}
