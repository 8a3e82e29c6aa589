/*
 * Prints attack_tables.h: every table of the chess core that is constant, so that the library
 * has no state to set up. Runs once per build. Sliding attacks use magic multiplication: for
 * each square a factor is searched that maps all relevant occupancies to table slots without a
 * harmful collision. The random numbers have a fixed seed; the output never changes.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int rook_dirs[4][2] = { { 0, 1 }, { 0, -1 }, { 1, 0 }, { -1, 0 } };
static const int bishop_dirs[4][2] = { { 1, 1 }, { 1, -1 }, { -1, 1 }, { -1, -1 } };
static const int knight_steps[8][2] = { { 1, 2 },   { 2, 1 },   { 2, -1 }, { 1, -2 },
                                        { -1, -2 }, { -2, -1 }, { -2, 1 }, { -1, 2 } };
static const int king_steps[8][2] = { { 0, 1 },  { 1, 1 },   { 1, 0 },  { 1, -1 },
                                      { 0, -1 }, { -1, -1 }, { -1, 0 }, { -1, 1 } };
static const int pawn_steps[2][2][2] = { { { -1, 1 }, { 1, 1 } }, { { -1, -1 }, { 1, -1 } } };

static uint64_t seed = 0x1886198520200229;

/* splitmix64, Steele, Lea and Flood 2014 */
static uint64_t random_bits(void)
{
    uint64_t z = seed += 0x9E3779B97F4A7C15;

    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

static uint64_t gen_square(int file, int rank)
{
    if (file < 0 || file > 7 || rank < 0 || rank > 7)
        return 0;
    return UINT64_C(1) << (rank * 8 + file);
}

/* Squares reached along the directions, the first occupied one included. `inner` leaves out the
 * last square of each ray: whether it is occupied changes nothing. */
static uint64_t gen_slide(int sq, uint64_t occ, const int dirs[4][2], bool inner)
{
    uint64_t seen = 0;

    for (int d = 0; d < 4; d++) {
        int file = sq % 8 + dirs[d][0], rank = sq / 8 + dirs[d][1];

        for (uint64_t b; (b = gen_square(file, rank)) != 0;
             file += dirs[d][0], rank += dirs[d][1]) {
            if (inner && gen_square(file + dirs[d][0], rank + dirs[d][1]) == 0)
                break;
            seen |= b;
            if (occ & b)
                break;
        }
    }
    return seen;
}

struct magic {
    uint64_t mask, factor;
    unsigned shift, offset;
};

static uint64_t slots[128 * 1024];
static unsigned n_slots;

/* Fills the slots of one square with this factor; false on a harmful collision. */
static bool magic_fill(const struct magic *m, const uint64_t *occ, const uint64_t *seen, unsigned n)
{
    uint64_t *const table = slots + m->offset;

    memset(table, 0, n * sizeof *table);
    for (unsigned i = 0; i < n; i++) {
        const uint64_t slot = (occ[i] * m->factor) >> m->shift;

        if (table[slot] != 0 && table[slot] != seen[i])
            return false;
        table[slot] = seen[i];
    }
    return true;
}

static struct magic find_magic(int sq, const int dirs[4][2])
{
    static uint64_t occ[4096], seen[4096];
    struct magic m = { .mask = gen_slide(sq, 0, dirs, true), .shift = 64, .offset = n_slots };
    unsigned n = 0;
    uint64_t subset = 0;

    for (uint64_t b = m.mask; b != 0; b &= b - 1)
        m.shift--;
    do { /* every subset of the mask */
        occ[n] = subset;
        seen[n++] = gen_slide(sq, subset, dirs, false);
        subset = (subset - m.mask) & m.mask;
    } while (subset != 0);
    n_slots += n;
    if (n_slots > sizeof slots / sizeof *slots)
        abort();
    do
        m.factor = random_bits() & random_bits() & random_bits();
    while (!magic_fill(&m, occ, seen, n));
    return m;
}

static void print_magics(const char *name, const int dirs[4][2])
{
    printf("const struct ipr_magic %s[64] = {\n", name);
    for (int sq = 0; sq < 64; sq++) {
        const struct magic m = find_magic(sq, dirs);

        printf("{ 0x%" PRIx64 ", 0x%" PRIx64 ", %u, %u },\n", m.mask, m.factor, m.shift, m.offset);
    }
    printf("};\n");
}

static void print_array(const char *declaration, const uint64_t *v, unsigned n)
{
    printf("const uint64_t %s = {\n", declaration);
    for (unsigned i = 0; i < n; i++)
        printf("0x%" PRIx64 ",%c", v[i], i % 8 == 7 ? '\n' : ' ');
    printf("};\n");
}

static void find_steps(const int (*steps)[2], int n, uint64_t v[64])
{
    for (int sq = 0; sq < 64; sq++)
        for (int i = 0; i < n; i++)
            v[sq] |= gen_square(sq % 8 + steps[i][0], sq / 8 + steps[i][1]);
}

static void print_steps(const char *declaration, const int (*steps)[2], int n)
{
    uint64_t v[64] = { 0 };

    find_steps(steps, n, v);
    print_array(declaration, v, 64);
}

/* Prints what each piece attacks from each square of an empty board; in the order of enum
 * ipr_piece, nothing for pawns. */
static void print_reach(void)
{
    static uint64_t v[6 * 64];

    find_steps(knight_steps, 8, v + 1 * 64);
    find_steps(king_steps, 8, v + 5 * 64);
    for (int sq = 0; sq < 64; sq++) {
        v[2 * 64 + sq] = gen_slide(sq, 0, bishop_dirs, false);
        v[3 * 64 + sq] = gen_slide(sq, 0, rook_dirs, false);
        v[4 * 64 + sq] = v[2 * 64 + sq] | v[3 * 64 + sq];
    }
    print_array("ipr_reach[6 * 64]", v, 6 * 64);
}

/* Squares strictly between two squares of one line, else none. */
static void print_between(void)
{
    static uint64_t v[64 * 64];

    for (int sq = 0; sq < 64; sq++) {
        for (int d = 0; d < 8; d++) {
            const int df = king_steps[d][0], dr = king_steps[d][1];
            uint64_t passed = 0, b;

            for (int k = 1; (b = gen_square(sq % 8 + k * df, sq / 8 + k * dr)) != 0; k++) {
                v[sq * 64 + __builtin_ctzll(b)] = passed;
                passed |= b;
            }
        }
    }
    print_array("ipr_between_squares[64 * 64]", v, 64 * 64);
}

static void print_random(const char *declaration, unsigned n)
{
    printf("const uint64_t %s = {\n", declaration);
    for (unsigned i = 0; i < n; i++)
        printf("0x%" PRIx64 ",%c", random_bits(), i % 8 == 7 ? '\n' : ' ');
    printf("};\n");
}

int main(void)
{
    /* Keys first: they must not depend on how long the search for factors took. */
    print_random("ipr_key_man[2 * 6 * 64]", 2 * 6 * 64);
    print_random("ipr_key_castling[16]", 16);
    print_random("ipr_key_ep[8]", 8);
    print_random("ipr_key_black[1]", 1);
    print_steps("ipr_white_pawn_attacks[64]", pawn_steps[0], 2);
    print_steps("ipr_black_pawn_attacks[64]", pawn_steps[1], 2);
    print_reach();
    print_between();
    print_magics("ipr_rook_magic", rook_dirs);
    print_magics("ipr_bishop_magic", bishop_dirs);
    print_array("ipr_slides[]", slots, n_slots);
    return ferror(stdout) ? 1 : 0;
}
