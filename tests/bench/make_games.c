/*
 * make_games COUNT < real.pgn > big.pgn
 *
 * A large file out of real games: they are written again and again, moves untouched, until COUNT
 * games are out. From the second round on every round has players, dates, rounds and events of
 * its own, so that no two games of the file are duplicates of one another: names get one more
 * given name, the same for a player throughout a round; FIDE ids are renumbered the same way. The
 * output depends on the input and COUNT alone, and is written as it is made.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INPUT_MAX ((size_t)256 << 20)

static _Noreturn void fail(const char *why)
{
    fprintf(stderr, "make_games: %s\n", why);
    exit(1);
}

/* ---- the real games ---------------------------------------------------------------------------
 */

struct text {
    char *p;
    size_t n;
};

static struct text read_all(FILE *f)
{
    struct text t = { malloc(1 << 20), 0 };
    size_t size = 1 << 20, n;

    while (t.p != NULL && (n = fread(t.p + t.n, 1, size - t.n, f)) > 0) {
        t.n += n;
        if (t.n == size) {
            size *= 2;
            t.p = realloc(t.p, size);
        }
        if (t.n > INPUT_MAX)
            fail("more than 256 MiB of real games");
    }
    if (t.p == NULL || ferror(f))
        fail("cannot read");
    return t;
}

static const char *line_end(const char *p, const char *end)
{
    const char *stop = memchr(p, '\n', (size_t)(end - p));

    return stop != NULL ? stop + 1 : end;
}

/* ---- one game, changed ------------------------------------------------------------------------
 */

/* Letters for a number, as a given name: 0 "Ba", 1 "Be" … 100 "Beba" …; nothing is said twice. */
static size_t given_name(uint64_t k, char out[32])
{
    static const char consonants[] = "bdfgklmnprstvz", vowels[] = "aeiou";
    size_t n = 0;

    do {
        const uint64_t syllable = k % 70;

        out[n++] = consonants[syllable / 5];
        out[n++] = vowels[syllable % 5];
        k /= 70;
    } while (k > 0);
    out[0] = (char)(out[0] - 'a' + 'A');
    return n;
}

/* A tag line `[Name "value"]`, and where its value stands. */
struct tag {
    const char *line, *end;
    const char *value, *value_end;
};

static bool tag_is(const char *line, const char *end, const char *name, struct tag *out)
{
    const size_t n = strlen(name);

    if ((size_t)(end - line) < n + 5 || memcmp(line + 1, name, n) != 0 || line[n + 1] != ' ' ||
        line[n + 2] != '"')
        return false;
    const char *close = end;
    while (close > line + n + 3 && *close != '"')
        close--;
    *out = (struct tag){ line, end, line + n + 3, close };
    return *close == '"';
}

static void put(const void *p, size_t n)
{
    if (fwrite(p, 1, n, stdout) != n)
        exit(1); /* the reader has gone, or the disk is full */
}

static void put_tag(const struct tag *t, const char *value, size_t n)
{
    put(t->line, (size_t)(t->value - t->line));
    put(value, n);
    put(t->value_end, (size_t)(t->end - t->value_end));
}

static void put_renamed(const struct tag *t, uint64_t round)
{
    char name[300];
    size_t n = (size_t)(t->value_end - t->value);

    if (n > 200)
        n = 200;
    memcpy(name, t->value, n);
    name[n++] = ' ';
    n += given_name(round, name + n);
    put_tag(t, name, n);
}

static void put_text(const struct tag *t, const char *text)
{
    put_tag(t, text, strlen(text));
}

static uint64_t fide_id(const struct tag *t, uint64_t round)
{
    const uint64_t id = strtoull(t->value, NULL, 10);

    return (id * UINT64_C(2654435761) + round * UINT64_C(97003)) % UINT64_C(2000000000) + 1;
}

static void put_tag_line(const char *line, const char *end, uint64_t round, uint64_t number)
{
    struct tag t;
    char text[64];

    if (tag_is(line, end, "White", &t) || tag_is(line, end, "Black", &t) ||
        tag_is(line, end, "Event", &t)) {
        put_renamed(&t, round);
    } else if (tag_is(line, end, "WhiteFideId", &t) || tag_is(line, end, "BlackFideId", &t)) {
        snprintf(text, sizeof text, "%" PRIu64, fide_id(&t, round));
        put_text(&t, text);
    } else if (tag_is(line, end, "Round", &t)) {
        snprintf(text, sizeof text, "%" PRIu64 ".%" PRIu64, number % 23 + 1, number / 23 % 40 + 1);
        put_text(&t, text);
    } else if (tag_is(line, end, "Date", &t) && t.value_end - t.value == 10) {
        snprintf(text, sizeof text, "%04" PRIu64 "%.6s", 1900 + (round * 7 + number % 3) % 125,
                 t.value + 4);
        put_text(&t, text);
    } else {
        put(line, (size_t)(end - line));
    }
}

/* From its first tag to the next game's; the tags are over at the first line that is none. */
static const char *put_game(const char *p, const char *end, uint64_t round, uint64_t number)
{
    const char *rest = p;

    while (rest < end && *rest == '[') {
        const char *next = line_end(rest, end);

        if (round > 0)
            put_tag_line(rest, next, round, number);
        else
            put(rest, (size_t)(next - rest));
        rest = next;
    }
    const char *stop = rest;
    while (stop < end && strncmp(stop, "[Event ", 7) != 0)
        stop = line_end(stop, end);
    put(rest, (size_t)(stop - rest));
    if (stop == end)
        put("\n", 1); /* whatever the last one ends in, the next one begins a line */
    return stop;
}

int main(int argc, char **argv)
{
    const uint64_t count = argc == 2 ? strtoull(argv[1], NULL, 10) : 0;
    static char buffer[1 << 18];

    if (count == 0) {
        fputs("usage: make_games COUNT < real.pgn > big.pgn\n", stderr);
        return 2;
    }
    struct text real = read_all(stdin);
    real.p = realloc(real.p, real.n + 8);
    if (real.p == NULL)
        fail("out of memory");
    memset(real.p + real.n, 0, 8); /* so that a comparison may look past the last line */
    const char *end = real.p + real.n, *first = real.p;
    while (first < end && strncmp(first, "[Event ", 7) != 0)
        first = line_end(first, end);
    if (first == end)
        fail("no game to begin with");

    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    const char *p = first;
    for (uint64_t number = 0, round = 0; number < count; number++) {
        p = put_game(p, end, round, number);
        if (p == end) {
            p = first;
            round++;
        }
    }
    free(real.p);
    return fflush(stdout) == 0 ? 0 : 1;
}
