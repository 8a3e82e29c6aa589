#include "core/spelling.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"
#include "core/names.h"

#define LINE_BYTES 4096       /* the longest of Debian's files has 120 */
#define TEXT_BYTES (32 << 20) /* of names and of keys: four times what those files have */
#define FORMS_MAX  (2 << 20)  /* likewise */

/* A spelling: the letters of the surname, and behind a comma the given names. One that has no comma
 * in the file is here as all its letters, and with its first and with its last word as the
 * surname. Sorted, so that those of a surname are together. */
struct form {
    uint32_t key; /* offset */
    uint32_t person : 31;
    uint32_t canonical : 1; /* the name itself, with a comma and no mark of a namesake */
};

struct person {
    uint32_t name; /* offset */
    int32_t fide_id;
    uint16_t born, died; /* years, 0 unknown */
};

struct ipr_spelling {
    struct ipr_buf names, keys; /* NUL-terminated texts */
    struct form *forms;
    size_t n_forms, size_forms;
    struct person *people;
    size_t n_people, size_people;
};

/* ---- lines ------------------------------------------------------------------------------------
 */

struct lines {
    const char *path;
    int fd;
    bool end;
    uint32_t number;
    size_t at, n;
    char bytes[65536];
};

static enum ipr_code refuse(const struct lines *l, struct ipr_err *err, const char *why)
{
    return ipr_err_at(err, IPR_EPARSE, "not_spelling", l->number, 0, -1,
                      "%s: not a spelling file: line %u %s", l->path, l->number, why);
}

static enum ipr_code fill(struct lines *l, struct ipr_err *err)
{
    memmove(l->bytes, l->bytes + l->at, l->n - l->at);
    l->n -= l->at;
    l->at = 0;
    ssize_t got;
    do {
        got = read(l->fd, l->bytes + l->n, sizeof l->bytes - l->n);
    } while (got < 0 && errno == EINTR);
    if (got < 0)
        return ipr_err_set(err, IPR_EIO, "%s: %s", l->path, strerror(errno));
    l->n += (size_t)got;
    l->end = got == 0;
    return IPR_OK;
}

/* The next line without its end; `*more` is false when there is none. */
static enum ipr_code next_line(struct lines *l, struct ipr_str *line, bool *more,
                               struct ipr_err *err)
{
    const char *stop;

    while ((stop = memchr(l->bytes + l->at, '\n', l->n - l->at)) == NULL && !l->end) {
        if (l->n - l->at > LINE_BYTES)
            break;
        const enum ipr_code rc = fill(l, err);
        if (rc != IPR_OK)
            return rc;
    }
    *line = (struct ipr_str){ l->bytes + l->at, 0 };
    line->n = stop != NULL ? (size_t)(stop - line->p) : l->n - l->at;
    *more = line->n > 0 || stop != NULL;
    if (!*more)
        return IPR_OK;
    l->number++;
    l->at += line->n + (stop != NULL ? 1 : 0);
    if (memchr(line->p, '\0', line->n) != NULL)
        return refuse(l, err, "is not text");
    if (line->n > LINE_BYTES)
        return refuse(l, err, "is too long");
    if (stop == NULL)
        return refuse(l, err, "breaks off: the file is cut short");
    return IPR_OK;
}

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

/* Namesakes are told apart by a number or by one small letter at the end. */
static struct ipr_str unmarked(struct ipr_str name)
{
    struct ipr_str s = name;

    while (s.n > 0 && s.p[s.n - 1] >= '0' && s.p[s.n - 1] <= '9')
        s.n--;
    if (s.n == name.n && s.n > 2 && s.p[s.n - 2] == ' ' && s.p[s.n - 1] >= 'a' &&
        s.p[s.n - 1] <= 'z')
        s.n--;
    s = ipr_str_trim(s);
    return s.n > 0 ? s : name;
}

static void *grown(void *items, size_t n, size_t *size, size_t each)
{
    if (n < *size)
        return items;
    *size = *size != 0 ? *size * 2 : 1024;
    return ipr_xrealloc(items, *size, each);
}

static uint32_t keep(struct ipr_buf *texts, const char *s)
{
    const size_t at = texts->n;

    ipr_buf_add(texts, s, strlen(s) + 1);
    return (uint32_t)at;
}

static void add_form(struct ipr_spelling *s, const char *key, bool canonical)
{
    s->forms = grown(s->forms, s->n_forms, &s->size_forms, sizeof *s->forms);
    s->forms[s->n_forms++] = (struct form){ .key = keep(&s->keys, key),
                                            .person = (uint32_t)(s->n_people - 1) & 0x7fffffff,
                                            .canonical = canonical };
}

static void add_parts(struct ipr_spelling *s, const struct ipr_name_reading *r, bool canonical,
                      struct ipr_arena *mem)
{
    add_form(s, ipr_arena_printf(mem, "%s,%s", r->surname, r->given), canonical);
}

/* One spelling of the person read last. */
static enum ipr_code add_spelling(struct ipr_spelling *s, const struct lines *l,
                                  struct ipr_str name, bool canonical, struct ipr_arena *mem,
                                  struct ipr_err *err)
{
    const struct ipr_str bare = canonical ? unmarked(name) : name;
    struct ipr_name_reading r[IPR_NAME_READINGS];
    struct ipr_err cause = IPR_ERR_INIT;
    const char *key;

    if (ipr_name_key(ipr_arena_strndup(mem, bare.p, bare.n), mem, &key, &cause) != IPR_OK ||
        ipr_name_readings(key, mem, r) == 0)
        return refuse(l, err, "has no name that could be one");
    if (r[0].order == IPR_NAME_MARKED && r[0].given[0] != '\0') {
        add_parts(s, &r[0], canonical && bare.n == name.n, mem);
        return IPR_OK;
    }
    add_form(s, letters_of(&r[0], mem), false);
    if (r[0].order != IPR_NAME_MARKED) { /* "Anand V", "V Anand": one word is the surname */
        add_parts(s, &r[0], false, mem);
        add_parts(s, &r[1], false, mem);
    }
    return IPR_OK;
}

/* As it will be shown: no white space but single spaces, none before a comma. */
static const char *tidy(struct ipr_str name, struct ipr_arena *mem)
{
    char *out = ipr_arena_alloc(mem, name.n + 1, 1), *at = out;

    for (struct ipr_str word; ipr_str_word(&name, &word);) {
        if (at > out && word.p[0] != ',')
            *at++ = ' ';
        memcpy(at, word.p, word.n);
        at += word.n;
    }
    return out;
}

static uint16_t year_at(struct ipr_str s)
{
    int64_t year;

    if (s.n < 4 || !ipr_str_int((struct ipr_str){ s.p, 4 }, 1000, 2999, &year))
        return 0;
    return (uint16_t)year;
}

/* "GM NOR [2847] 1990.11.30", "gm  USA [2785] 1943.03.09--2008.01.17": the dates follow the
 * rating. */
static void read_life(struct ipr_str about, struct person *p)
{
    const char *rating = memchr(about.p, ']', about.n);
    struct ipr_str rest, life;

    if (rating == NULL)
        return;
    rest = (struct ipr_str){ rating + 1, (size_t)(about.p + about.n - rating) - 1 };
    if (!ipr_str_word(&rest, &life))
        return;
    p->born = year_at(life);
    const char *until = memmem(life.p, life.n, "--", 2);
    if (until != NULL)
        p->died = year_at((struct ipr_str){ until + 2, (size_t)(life.p + life.n - until) - 2 });
}

static enum ipr_code add_person(struct ipr_spelling *s, const struct lines *l, struct ipr_str name,
                                struct ipr_str about, struct ipr_arena *mem, struct ipr_err *err)
{
    struct person p = { .name = keep(&s->names, tidy(name, mem)) };

    read_life(about, &p);
    s->people = grown(s->people, s->n_people, &s->size_people, sizeof *s->people);
    s->people[s->n_people++] = p;
    return add_spelling(s, l, name, true, mem, err);
}

/* "%Bio FIDEID 1300016deprecated": an id that is no longer listed is still nobody else's. */
static void read_note(struct ipr_spelling *s, struct ipr_str note)
{
    struct ipr_str word;
    int64_t id;

    if (!ipr_str_word(&note, &word) || !ipr_str_is(word, "%Bio") || !ipr_str_word(&note, &word) ||
        !ipr_str_is(word, "FIDEID") || !ipr_str_word(&note, &word))
        return;
    size_t digits = 0;
    while (digits < word.n && word.p[digits] >= '0' && word.p[digits] <= '9')
        digits++;
    if (ipr_str_int((struct ipr_str){ word.p, digits }, 1, INT32_MAX, &id))
        s->people[s->n_people - 1].fide_id = (int32_t)id;
}

static enum ipr_code read_line(struct ipr_spelling *s, const struct lines *l, struct ipr_str line,
                               struct ipr_arena *mem, struct ipr_err *err)
{
    const char *comment = memchr(line.p, '#', line.n);
    const size_t n = comment != NULL ? (size_t)(comment - line.p) : line.n;
    const struct ipr_str text = ipr_str_trim((struct ipr_str){ line.p, n });
    const struct ipr_str about = { line.p + n, line.n - n };

    if (text.n == 0)
        return IPR_OK;
    const bool indented = text.p != line.p;
    if (!indented && text.p[0] != '=' && text.p[0] != '%')
        return add_person(s, l, text, about, mem, err);
    if (s->n_people == 0 || (text.p[0] != '=' && text.p[0] != '%'))
        return refuse(l, err, "belongs to no name");
    if (text.p[0] == '%') {
        read_note(s, text);
        return IPR_OK;
    }
    return add_spelling(s, l, ipr_str_trim((struct ipr_str){ text.p + 1, text.n - 1 }), false, mem,
                        err);
}

static bool is_section(struct ipr_str line, const char *name)
{
    const size_t n = strlen(name);

    return line.n >= n && memcmp(line.p, name, n) == 0 && (line.n == n || line.p[n] == ' ');
}

static enum ipr_code find_section(struct lines *l, struct ipr_err *err)
{
    struct ipr_str line;
    bool more = true;
    enum ipr_code rc;

    do {
        rc = next_line(l, &line, &more, err);
    } while (rc == IPR_OK && more && !is_section(line, "@PLAYER"));
    if (rc == IPR_OK && !more)
        rc = ipr_err_at(err, IPR_EPARSE, "not_spelling", 0, 0, -1,
                        "%s: not a spelling file: it has no section @PLAYER", l->path);
    return rc;
}

static enum ipr_code read_people(struct ipr_spelling *s, struct lines *l, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_str line;
    bool more = true;
    enum ipr_code rc = find_section(l, err);

    while (rc == IPR_OK) {
        rc = next_line(l, &line, &more, err);
        if (rc != IPR_OK || !more || (line.n > 0 && line.p[0] == '@'))
            break;
        rc = read_line(s, l, line, &mem, err);
        if (rc == IPR_OK && (s->names.over || s->keys.over || s->n_forms > FORMS_MAX))
            rc = ipr_err_set(err, IPR_ELIMIT, "%s: line %u: more names than fit into memory",
                             l->path, l->number);
        if (mem.used > sizeof l->bytes)
            ipr_arena_release(&mem);
    }
    ipr_arena_release(&mem);
    if (rc == IPR_OK && s->n_people == 0)
        rc = ipr_err_at(err, IPR_EPARSE, "not_spelling", 0, 0, -1,
                        "%s: not a spelling file: it names nobody", l->path);
    return rc;
}

static int by_key(const void *a, const void *b, void *keys)
{
    const struct form *l = a, *r = b;
    const int order = strcmp((const char *)keys + l->key, (const char *)keys + r->key);

    return order != 0 ? order : (l->person > r->person) - (l->person < r->person);
}

/* What was allocated ahead goes back. */
static void settle(struct ipr_spelling *s)
{
    s->names.p = ipr_xrealloc(s->names.p, s->names.n, 1);
    s->keys.p = ipr_xrealloc(s->keys.p, s->keys.n, 1);
    s->forms = ipr_xrealloc(s->forms, s->n_forms, sizeof *s->forms);
    s->people = ipr_xrealloc(s->people, s->n_people, sizeof *s->people);
    qsort_r(s->forms, s->n_forms, sizeof *s->forms, by_key, s->keys.p);
}

static enum ipr_code open_file(const char *path, int *fd, struct ipr_err *err)
{
    struct stat st;

    /* Not blocking: a pipe without a writer must not hold up the start. */
    *fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (*fd < 0 || fstat(*fd, &st) != 0)
        return ipr_err_set(err, IPR_EIO, "%s: %s", path, strerror(errno));
    if (!S_ISREG(st.st_mode))
        return ipr_err_set(err, IPR_EIO, "%s: not a file", path);
    return IPR_OK;
}

enum ipr_code ipr_spelling_open(const char *path, struct ipr_spelling **out, struct ipr_err *err)
{
    struct lines *l = ipr_xcalloc(1, sizeof *l);
    struct ipr_spelling *s = ipr_xcalloc(1, sizeof *s);

    l->path = path;
    s->names.cap = s->keys.cap = TEXT_BYTES;
    enum ipr_code rc = open_file(path, &l->fd, err);
    if (rc == IPR_OK)
        rc = read_people(s, l, err);
    if (l->fd >= 0)
        close(l->fd);
    free(l);
    if (rc == IPR_OK) {
        settle(s);
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
    free(*s);
    *s = NULL;
}

size_t ipr_spelling_people(const struct ipr_spelling *s)
{
    return s->n_people;
}

/* ---- asking -----------------------------------------------------------------------------------
 */

/* A child this young has played, and won. */
#define YOUNGEST 4

static bool could_play(const struct person *p, int year)
{
    return year == 0 ||
           ((p->born == 0 || year >= p->born + YOUNGEST) && (p->died == 0 || year <= p->died));
}

/* Who may be meant, each once, in the order of the file, the first `cap`. */
struct found {
    int year;
    uint32_t *people;
    size_t n, cap;
    bool in_full;     /* somebody fits by more than initials, or is spelled with them */
    size_t n_spelled; /* how many bear the name as their canonical one */
    uint32_t spelled; /* the last of them */
    bool spelled_out; /* by more than initials */
};

static void add_found(struct found *f, uint32_t person)
{
    size_t at = f->n;

    while (at > 0 && f->people[at - 1] >= person)
        at--;
    if (at == f->cap || (at < f->n && f->people[at] == person))
        return;
    const size_t n_kept = f->n < f->cap ? f->n : f->cap - 1;
    memmove(f->people + at + 1, f->people + at, (n_kept - at) * sizeof *f->people);
    f->people[at] = person;
    f->n = n_kept + 1;
}

static void add_spelled(struct found *f, uint32_t person, bool written_out)
{
    if (f->n_spelled > 0 && f->spelled == person)
        return;
    f->spelled = person;
    f->spelled_out = written_out;
    f->n_spelled++;
}

static const char *key_of(const struct ipr_spelling *s, size_t i)
{
    return s->keys.p + s->forms[i].key;
}

/* The first form not before `from`. */
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

/* Words without a comma among them, or a bare surname, that the file has letter by letter. */
static void find_whole(const struct ipr_spelling *s, const struct ipr_name_reading *r,
                       struct ipr_arena *mem, struct found *f)
{
    const char *letters = letters_of(r, mem);

    for (size_t i = lower_bound(s, letters); i < s->n_forms && strcmp(key_of(s, i), letters) == 0;
         i++)
        if (could_play(&s->people[s->forms[i].person], f->year)) {
            add_found(f, s->forms[i].person);
            f->in_full = true;
        }
}

/* More than initials. */
static bool written_out(const char *given)
{
    return strcspn(given, " ") > 2;
}

/* How well the given names of a reading and of a form must agree. */
typedef bool (*agree_fn)(const char *given, const char *form_given);

/* All of one surname whose given names begin with the same byte: no others can agree. */
static void find_parts(const struct ipr_spelling *s, const struct ipr_name_reading *r,
                       agree_fn agree, struct ipr_arena *mem, struct found *f)
{
    const char *from = ipr_arena_printf(mem, "%s,%.1s", r->surname, r->given);
    const size_t n_from = strlen(from), n_surname = strlen(r->surname);

    for (size_t i = lower_bound(s, from); i < s->n_forms; i++) {
        const char *key = key_of(s, i), *given = key + n_surname + 1;
        if (strncmp(key, from, n_from) != 0)
            break;
        const struct form *form = &s->forms[i];
        if (!could_play(&s->people[form->person], f->year) || !agree(r->given, given))
            continue;
        const bool exact = ipr_name_given_within(given, r->given);
        add_found(f, form->person);
        f->in_full |= exact || written_out(r->given);
        if (exact && form->canonical)
            add_spelled(f, form->person, written_out(given));
    }
}

static void find_people(const struct ipr_spelling *s, const char *key, bool bare, agree_fn agree,
                        struct ipr_arena *mem, struct found *f)
{
    struct ipr_name_reading r[IPR_NAME_READINGS];
    const size_t n = ipr_name_readings(key, mem, r);

    for (size_t i = 0; i < n; i++) {
        if (r[i].order == IPR_NAME_FIRST || r[i].given[0] == '\0')
            find_whole(s, &r[i], mem, f);
        if (bare || r[i].given[0] != '\0')
            find_parts(s, &r[i], agree, mem, f);
    }
}

static struct ipr_spelling_person person(const struct ipr_spelling *s, uint32_t i)
{
    const struct person *p = &s->people[i];

    return (struct ipr_spelling_person){ s->names.p + p->name, p->fide_id, p->born, p->died };
}

/* Initials are believed of people who are known to have been of an age to play: the file lists few
 * of those who played before there were ratings, so that nobody else fits says little. */
static bool initials_suffice(const struct person *p, int year)
{
    return year != 0 && p->born != 0 && year >= p->born + 8 && year <= p->born + 90;
}

/* The person, with the FIDE id only where the canonical name is within nobody else's, in any year:
 * else a namesake who came later would split a player's games into some with an id and some
 * without. */
static struct ipr_spelling_person certain(const struct ipr_spelling *s, uint32_t i,
                                          struct ipr_arena *mem)
{
    struct ipr_spelling_person p = person(s, i);
    struct ipr_err err = IPR_ERR_INIT;
    uint32_t people[2];
    struct found f = { .people = people, .cap = 2 };
    const char *key;

    if (p.fide_id == 0 || ipr_name_key(p.name, mem, &key, &err) != IPR_OK)
        return p;
    find_people(s, key, false, ipr_name_given_within, mem, &f);
    if (f.n > 1)
        p.fide_id = 0;
    return p;
}

enum ipr_spelling_fit ipr_spelling_find(const struct ipr_spelling *s, const char *key, int year,
                                        struct ipr_arena *mem, struct ipr_spelling_person *out)
{
    uint32_t people[2]; /* enough to know whether it is one */
    struct found f = { .year = year, .people = people, .cap = 2 };
    struct ipr_spelling_person any;

    find_people(s, key, false, ipr_name_given_within, mem, &f);
    if (f.n == 1 && (f.in_full || initials_suffice(&s->people[people[0]], year))) {
        *out = certain(s, people[0], mem);
        return IPR_SPELLING_ONE;
    }
    if (f.n > 1 && f.n_spelled == 1 && f.spelled_out) {
        *out = certain(s, f.spelled, mem);
        return IPR_SPELLING_ONE;
    }
    if (f.n > 0 || ipr_spelling_candidates(s, key, year, mem, &any, 1) > 0)
        return IPR_SPELLING_UNSURE;
    return IPR_SPELLING_NONE;
}

static bool may_agree(const char *given, const char *form_given)
{
    return given[0] == '\0' || ipr_name_given_fit(given, form_given) ||
           ipr_name_given_within(given, form_given);
}

size_t ipr_spelling_candidates(const struct ipr_spelling *s, const char *key, int year,
                               struct ipr_arena *mem, struct ipr_spelling_person *out, size_t cap)
{
    struct found f = { .year = year,
                       .people = ipr_arena_alloc(mem, cap, sizeof *f.people),
                       .cap = cap };

    find_people(s, key, true, may_agree, mem, &f);
    for (size_t i = 0; i < f.n; i++)
        out[i] = person(s, f.people[i]);
    return f.n;
}
