#include "core/spelling.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "core/names.h"
#include "core/ssp.h"

#define TEXT_BYTES (32 << 20) /* of names and of keys: four times what these files contain */
#define FORMS_MAX  (2 << 20)  /* likewise; of ids too */
#define SCRATCH    65536
#define AGE_MIN    4 /* of a player in years */

/* A spelling: the letters of the surname, and behind a comma the given names. One without a comma
 * in the file is stored as all its letters, and with its first and with its last word as the
 * surname. Sorted, so that equal surnames are adjacent. */
struct form {
    uint32_t key; /* offset */
    uint32_t person;
};

struct person {
    uint32_t name; /* offset; without the mark */
    int32_t fide_id;
    int16_t born, died; /* years; 0: unknown */
    bool marked;        /* the file has a namesake */
};

/* Every id of every person. Sorted. */
struct fide_id {
    int32_t id;
    uint32_t person;
};

struct ipr_spelling {
    struct ipr_buf names, keys; /* NUL-terminated texts */
    struct form *forms;
    size_t n_forms, size_forms;
    struct person *people;
    size_t n_people, size_people;
    struct fide_id *ids;
    size_t n_ids, size_ids;
};

/* ---- reading ----------------------------------------------------------------------------------
 */

/* All letters of a reading in the order in which the file has them. */
static char *letters_of(const struct ipr_name_reading *r, struct ipr_arena *mem)
{
    char *out = ipr_arena_printf(mem, "%s%s", r->surname, r->given), *to = out;

    for (const char *from = out; *from != '\0'; from++)
        if (*from != ' ')
            *to++ = *from;
    *to = '\0';
    return out;
}

static void *array_grown(void *items, size_t n, size_t *size, size_t each)
{
    if (n < *size)
        return items;
    *size = *size != 0 ? *size * 2 : 1024;
    return ipr_xrealloc(items, *size, each);
}

static uint32_t texts_add(struct ipr_buf *texts, const char *s)
{
    const size_t at = texts->n;

    ipr_buf_add(texts, s, strlen(s) + 1);
    return (uint32_t)at;
}

static void spelling_add_form(struct ipr_spelling *s, const char *key)
{
    s->forms = array_grown(s->forms, s->n_forms, &s->size_forms, sizeof *s->forms);
    s->forms[s->n_forms++] =
        (struct form){ .key = texts_add(&s->keys, key), .person = (uint32_t)(s->n_people - 1) };
}

static void spelling_add_parts(struct ipr_spelling *s, const struct ipr_name_reading *r,
                               struct ipr_arena *mem)
{
    spelling_add_form(s, ipr_arena_printf(mem, "%s,%s", r->surname, r->given));
}

/* One spelling of the person read last. */
static enum ipr_code add_spelling(struct ipr_spelling *s, const struct ipr_ssp *l,
                                  struct ipr_str name, struct ipr_arena *mem, struct ipr_err *err)
{
    struct ipr_name_reading r[IPR_NAME_READINGS];
    struct ipr_err cause = IPR_ERR_INIT;
    const char *key;

    if (ipr_name_key(ipr_arena_strndup(mem, name.p, name.n), mem, &key, &cause) != IPR_OK ||
        ipr_name_readings(key, mem, r) == 0)
        return ipr_ssp_refuse(l, err, "has no valid name");
    if (r[0].order == IPR_NAME_MARKED && r[0].given[0] != '\0') {
        spelling_add_parts(s, &r[0], mem);
        return IPR_OK;
    }
    spelling_add_form(s, letters_of(&r[0], mem));
    if (r[0].order != IPR_NAME_MARKED) { /* "Anand V", "V Anand": one word is the surname */
        spelling_add_parts(s, &r[0], mem);
        spelling_add_parts(s, &r[1], mem);
    }
    return IPR_OK;
}

static enum ipr_code spelling_read_line(struct ipr_spelling *s, const struct ipr_ssp *l,
                                        const struct ipr_ssp_line *line, struct ipr_arena *mem,
                                        struct ipr_err *err)
{
    if (line->kind == IPR_SSP_PERSON) {
        const struct ipr_str name = line->text, bare = ipr_ssp_unmarked(name);
        int born, died;

        ipr_ssp_life(line->comment, &born, &died);
        s->people = array_grown(s->people, s->n_people, &s->size_people, sizeof *s->people);
        s->people[s->n_people++] =
            (struct person){ .name = texts_add(&s->names, ipr_ssp_tidy(bare, mem)),
                             .born = (int16_t)born,
                             .died = (int16_t)died,
                             .marked = bare.n != name.n };
        return add_spelling(s, l, bare, mem, err);
    }
    if (line->kind == IPR_SSP_SPELLING)
        return add_spelling(s, l, line->text, mem, err);
    const int32_t id = ipr_ssp_fide_id(line->text);
    if (id == 0)
        return IPR_OK;
    /* The last of several ids is the current one. */
    s->people[s->n_people - 1].fide_id = id;
    s->ids = array_grown(s->ids, s->n_ids, &s->size_ids, sizeof *s->ids);
    s->ids[s->n_ids++] = (struct fide_id){ id, (uint32_t)(s->n_people - 1) };
    return IPR_OK;
}

static enum ipr_code read_people(struct ipr_spelling *s, const char *path, struct ipr_ssp *l,
                                 struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_ssp_line line;
    enum ipr_code rc;

    while ((rc = ipr_ssp_next(l, &line, err)) == IPR_OK && line.kind != IPR_SSP_END) {
        rc = spelling_read_line(s, l, &line, &mem, err);
        if (rc == IPR_OK &&
            (s->names.over || s->keys.over || s->n_forms > FORMS_MAX || s->n_ids > FORMS_MAX))
            rc = ipr_err_set(err, IPR_ELIMIT, "%s: line %u: more names than fit into memory", path,
                             line.number);
        if (rc != IPR_OK)
            break;
        if (mem.used > SCRATCH)
            ipr_arena_release(&mem);
    }
    ipr_arena_release(&mem);
    if (rc == IPR_OK && s->n_people == 0)
        rc = ipr_err_type(err, IPR_EPARSE, "not_spelling",
                          "%s: not a spelling file: it contains no names", path);
    return rc;
}

static int by_key(const void *a, const void *b, void *keys)
{
    const struct form *l = a, *r = b;
    const int order = strcmp((const char *)keys + l->key, (const char *)keys + r->key);

    return order != 0 ? order : (l->person > r->person) - (l->person < r->person);
}

static int form_by_id(const void *a, const void *b)
{
    const struct fide_id *l = a, *r = b;

    return l->id != r->id ? (l->id > r->id) - (l->id < r->id)
                          : (l->person > r->person) - (l->person < r->person);
}

enum ipr_code ipr_spelling_open(const char *path, struct ipr_spelling **out, struct ipr_err *err)
{
    struct ipr_spelling *s = ipr_xcalloc(1, sizeof *s);
    struct ipr_ssp *l = NULL;

    s->names.cap = s->keys.cap = TEXT_BYTES;
    enum ipr_code rc = ipr_ssp_open(path, &l, err);
    if (rc == IPR_OK)
        rc = read_people(s, path, l, err);
    ipr_ssp_close(&l);
    if (rc == IPR_OK) {
        /* Frees what was allocated in advance. */
        s->names.p = ipr_xrealloc(s->names.p, s->names.n, 1);
        s->keys.p = ipr_xrealloc(s->keys.p, s->keys.n, 1);
        s->forms = ipr_xrealloc(s->forms, s->n_forms, sizeof *s->forms);
        s->people = ipr_xrealloc(s->people, s->n_people, sizeof *s->people);
        qsort_r(s->forms, s->n_forms, sizeof *s->forms, by_key, s->keys.p);
        if (s->n_ids > 0)
            qsort(s->ids, s->n_ids, sizeof *s->ids, form_by_id);
        *out = s;
        return IPR_OK;
    }
    ipr_spelling_close(&s);
    return rc;
}

void ipr_spelling_close(struct ipr_spelling **s)
{
    if (*s == NULL)
        return;
    ipr_buf_release(&(*s)->names);
    ipr_buf_release(&(*s)->keys);
    free((*s)->forms);
    free((*s)->people);
    free((*s)->ids);
    free(*s);
    *s = NULL;
}

/* ---- look-up -----------------------------------------------------------------------------------
 */

/* The persons that a name may mean. */
struct found {
    int32_t fide_id; /* of the person sought; 0: any */
    int first, last; /* years in which the person played; 0: any */
    uint32_t person;
    bool any, several;
    bool exact; /* one of them has exactly these letters */
};

/* A person without known dates may have played at any time. */
static bool may_have_played(const struct person *p, int first, int last)
{
    return (first == 0 || p->born == 0 || first >= p->born + AGE_MIN) &&
           (last == 0 || p->died == 0 || last <= p->died);
}

static void add_found(const struct ipr_spelling *s, uint32_t person, bool exact, struct found *f)
{
    if (f->fide_id != 0 && f->fide_id != s->people[person].fide_id)
        return;
    if (!may_have_played(&s->people[person], f->first, f->last))
        return;
    f->several |= f->any && f->person != person;
    f->person = person;
    f->any = true;
    f->exact |= exact;
}

static const char *key_of(const struct ipr_spelling *s, size_t i)
{
    return s->keys.p + s->forms[i].key;
}

/* The first form at or after `from`. */
static size_t lower_bound(const struct ipr_spelling *s, const char *from)
{
    size_t low = 0, high = s->n_forms;

    while (low < high) {
        const size_t mid = low + (high - low) / 2;
        if (strcmp(key_of(s, mid), from) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* Words without a comma, or a bare surname, with exactly the letters of a form. */
static void find_whole(const struct ipr_spelling *s, const struct ipr_name_reading *r,
                       struct ipr_arena *mem, struct found *f)
{
    const char *letters = letters_of(r, mem);

    for (size_t i = lower_bound(s, letters); i < s->n_forms && strcmp(key_of(s, i), letters) == 0;
         i++)
        add_found(s, s->forms[i].person, true, f);
}

/* All forms of one surname whose given names begin with the same byte: the name is a short form of
 * no others. */
static void find_parts(const struct ipr_spelling *s, const struct ipr_name_reading *r,
                       struct ipr_arena *mem, struct found *f)
{
    const char *from = ipr_arena_printf(mem, "%s,%.1s", r->surname, r->given);
    const size_t n_from = strlen(from), n_surname = strlen(r->surname);

    for (size_t i = lower_bound(s, from); i < s->n_forms && !f->several; i++) {
        const char *key = key_of(s, i), *given = key + n_surname + 1;
        if (strncmp(key, from, n_from) != 0)
            break;
        if (ipr_name_given_within(r->given, given)) /* both ways: the same letters */
            add_found(s, s->forms[i].person, ipr_name_given_within(given, r->given), f);
    }
}

/* Finds the persons that the name may mean; stops at the second. */
static void find_all(const struct ipr_spelling *s, const char *key, struct ipr_arena *mem,
                     struct found *f)
{
    struct ipr_name_reading r[IPR_NAME_READINGS];
    const size_t n = ipr_name_readings(key, mem, r);

    for (size_t i = 0; i < n && !f->several; i++) {
        if (r[i].order == IPR_NAME_FIRST || r[i].given[0] == '\0')
            find_whole(s, &r[i], mem, f);
        find_parts(s, &r[i], mem, f);
    }
}

/* True if the name has exactly the letters of one person's name and is not a short form of another
 * person's. */
static bool is_one(const struct ipr_spelling *s, const char *key, struct ipr_arena *mem,
                   struct found *f)
{
    find_all(s, key, mem, f);
    return f->exact && !f->several;
}

bool ipr_spelling_find(const struct ipr_spelling *s, const char *key, int32_t fide_id,
                       struct ipr_arena *mem, struct ipr_spelling_person *out)
{
    struct found tagged = { .fide_id = fide_id }, canonical = { .fide_id = fide_id };
    struct ipr_err err = IPR_ERR_INIT;
    const char *canonical_key;

    if (!is_one(s, key, mem, &tagged))
        return false;
    const struct person *p = &s->people[tagged.person];
    const char *name = s->names.p + p->name;
    /* If the canonical name is ambiguous, an alternative must not be replaced by it. */
    if ((p->marked && fide_id == 0) || ipr_name_key(name, mem, &canonical_key, &err) != IPR_OK ||
        !is_one(s, canonical_key, mem, &canonical))
        return false;
    *out = (struct ipr_spelling_person){ name, p->fide_id, tagged.person, p->born };
    return true;
}

bool ipr_spelling_alive(const struct ipr_spelling *s, const char *key, int32_t fide_id, int first,
                        int last, struct ipr_arena *mem, struct ipr_spelling_person *out)
{
    struct found f = { .first = first, .last = last };
    struct ipr_name_reading r[IPR_NAME_READINGS];

    if (fide_id != 0)
        return ipr_spelling_by_id(s, fide_id, out) &&
               may_have_played(&s->people[out->person], first, last);
    if (ipr_name_readings(key, mem, r) == 0 || r[0].given[0] == '\0')
        return false;
    find_all(s, key, mem, &f);
    if (!f.any || f.several)
        return false;
    const struct person *p = &s->people[f.person];
    *out = (struct ipr_spelling_person){ s->names.p + p->name, p->fide_id, f.person, p->born };
    return true;
}

bool ipr_spelling_by_id(const struct ipr_spelling *s, int32_t fide_id,
                        struct ipr_spelling_person *out)
{
    size_t low = 0, high = s->n_ids;

    while (low < high) {
        const size_t mid = low + (high - low) / 2;
        if (s->ids[mid].id < fide_id)
            low = mid + 1;
        else
            high = mid;
    }
    if (low == s->n_ids || s->ids[low].id != fide_id)
        return false;
    const uint32_t person = s->ids[low].person;
    while (++low < s->n_ids && s->ids[low].id == fide_id)
        if (s->ids[low].person != person)
            return false;
    const struct person *p = &s->people[person];
    *out = (struct ipr_spelling_person){ s->names.p + p->name, p->fide_id, person, p->born };
    return true;
}
