/* The input is a FEN on the first line (or none: the initial position), then words. At every
 * position every legal move is written, in both notations, and read again; then the next word is
 * read as a move. One that can be read is played, else a legal one is. */
#include <string.h>

#include "chess/san.h"
#include "fuzz.h"

#define MAX_WORDS 400

static void expect_read(enum ipr_code rc, const struct ipr_err *err, const char *text, ipr_move got,
                        ipr_move want)
{
    if (rc != IPR_OK || got != want) {
        fprintf(stderr, "%s: %s\n", text, rc != IPR_OK ? err->msg : "read as another move");
        abort();
    }
}

static void expect_round_trip(const struct ipr_pos *pos, ipr_move m)
{
    char san[IPR_SAN_MAX], uci[IPR_UCI_MAX];
    struct ipr_err err = IPR_ERR_INIT;
    ipr_move got = IPR_MOVE_NONE;
    size_t n = ipr_san_write(pos, m, san);
    enum ipr_code rc;

    HOLDS(n < sizeof san && strlen(san) == n);
    rc = ipr_san_read(pos, (struct ipr_str){ san, n }, &got, &err);
    expect_read(rc, &err, san, got, m);
    n = ipr_move_to_uci(pos, m, uci);
    HOLDS(n < sizeof uci && strlen(uci) == n);
    got = IPR_MOVE_NONE;
    rc = ipr_move_from_uci(pos, (struct ipr_str){ uci, n }, &got, &err);
    expect_read(rc, &err, uci, got, m);
}

static void expect_refusal(const struct ipr_err *err)
{
    HOLDS(err->code == IPR_EPARSE);
    HOLDS(strcmp(err->type, "bad_move") == 0 || strcmp(err->type, "illegal_move") == 0 ||
          strcmp(err->type, "ambiguous_move") == 0);
}

static ipr_move read_word(const struct ipr_pos *pos, struct ipr_str word, const ipr_move *legal,
                          size_t n, uint64_t *random)
{
    struct ipr_err err = IPR_ERR_INIT;
    ipr_move m = IPR_MOVE_NONE;

    if (ipr_move_from_uci(pos, word, &m, &err) == IPR_OK)
        HOLDS(ipr_pos_is_legal(pos, m));
    ipr_err_clear(&err);
    if (ipr_san_read(pos, word, &m, &err) != IPR_OK) {
        expect_refusal(&err);
        return legal[fuzz_next(random) % n];
    }
    HOLDS(ipr_pos_is_legal(pos, m));
    return m;
}

static struct ipr_str first_line(struct ipr_str *rest)
{
    const char *stop = rest->n > 0 ? memchr(rest->p, '\n', rest->n) : NULL;
    const size_t n = stop != NULL ? (size_t)(stop - rest->p) : rest->n;
    const struct ipr_str line = { rest->p, n };
    const size_t used = stop != NULL ? n + 1 : n;

    *rest = (struct ipr_str){ rest->p + used, rest->n - used };
    return line;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ipr_str rest = { (const char *)data, size }, word;
    uint64_t random = fuzz_seed(data, size);
    struct ipr_pos pos;
    ipr_move legal[IPR_MAX_MOVES];

    if (ipr_pos_from_fen(&pos, first_line(&rest), NULL) != IPR_OK)
        ipr_pos_start(&pos);
    for (int i = 0; i < MAX_WORDS; i++) {
        const size_t n = ipr_pos_legal(&pos, legal);

        for (size_t k = 0; k < n; k++)
            expect_round_trip(&pos, legal[k]);
        if (n == 0 || !ipr_str_word(&rest, &word))
            break;
        ipr_pos_play(&pos, read_word(&pos, word, legal, n, &random));
    }
    return 0;
}
