#include "engine/tablebase.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"
#include "ipr_test.h"

/*
 * Against the real tables of up to four men in ../shared/data/syzygy; without them those tests
 * are skipped by name. What an ending is worth is from the theory of the endgame (opposition, the
 * wrong bishop, Philidor's queen against rook), and from the rules themselves: a position is worth
 * what the best of its moves is worth.
 */
static char root[] = "/tmp/ipr-tables-XXXXXX";

static int make_root(void **state)
{
    (void)state;
    return mkdtemp(root) != NULL ? 0 : -1;
}

static int remove_root(void **state)
{
    char command[64];

    (void)state;
    snprintf(command, sizeof command, "rm -r %s", root);
    return system(command);
}

static int close_tables(void **state)
{
    (void)state;
    ipr_tablebase_close();
    return 0;
}

/* Absolute, since links are made to it. */
static const char *shared_tables(void)
{
    static char path[PATH_MAX];
    const char *shared = ipr_test_shared("data/syzygy");

    if (shared == NULL)
        skip();
    assert_non_null(realpath(shared, path));
    return path;
}

static void open_shared(void)
{
    struct ipr_err err = IPR_ERR_INIT;

    assert_ok(ipr_tablebase_open(shared_tables(), &err), &err);
}

static const char *new_folder(const char *name)
{
    static char path[4][PATH_MAX];
    static unsigned next;
    char *const p = path[next++ % 4];

    snprintf(p, PATH_MAX, "%s/%s", root, name);
    assert_int_equal(mkdir(p, 0700), 0);
    return p;
}

static void link_table(const char *folder, const char *table)
{
    char from[PATH_MAX + 32], to[PATH_MAX + 32];

    snprintf(from, sizeof from, "%s/%s", shared_tables(), table);
    snprintf(to, sizeof to, "%s/%s", folder, table);
    assert_int_equal(symlink(from, to), 0);
}

static void write_file(const char *folder, const char *name, const void *bytes, size_t n)
{
    char path[PATH_MAX + 32];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, n), n);
    close(fd);
}

static struct ipr_pos position(const char *fen)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_pos pos;

    assert_ok(ipr_pos_from_fen(&pos, ipr_str_c(fen), &err), &err);
    return pos;
}

/* ---- opening ----------------------------------------------------------------------------------
 */

static void assert_none_open(void)
{
    const struct ipr_pos pos = position("8/8/8/4k3/8/8/8/KQ6 w - - 0 1");
    const ipr_move move = 0;
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_endgame_turn *turns = NULL;
    int wdl = 7, dtz = 7;
    size_t n = 7;

    assert_int_equal(ipr_tablebase_men(), 0);
    assert_string_equal(ipr_tablebase_identity(), "");
    assert_int_equal(ipr_tablebase_probe(&pos, &wdl, &dtz, NULL), IPR_ENOTFOUND);
    assert_int_equal(wdl, 7);
    assert_int_equal(dtz, 7);
    ipr_tablebase_turns(&pos, &move, 0, &mem, &turns, &n);
    assert_int_equal(n, 0);
    ipr_arena_release(&mem);
}

static void test_none_is_a_normal_state(void **state)
{
    struct ipr_err err = IPR_ERR_INIT;

    (void)state;
    assert_none_open();
    assert_ok(ipr_tablebase_open(NULL, &err), &err);
    assert_none_open();
    assert_ok(ipr_tablebase_open("", &err), &err);
    assert_none_open();
    const char *empty = new_folder("empty");
    write_file(empty, "README", "KQvK.rtbw", 9);
    write_file(empty, "KQvK.rtbw.part", "x", 1);
    write_file(empty, "QvK.rtbw", "x", 1);
    assert_ok(ipr_tablebase_open(empty, &err), &err);
    assert_none_open();
    ipr_tablebase_close();
    ipr_tablebase_close();
    assert_none_open();
}

static void test_a_game_without_tables_has_no_truth(void **state)
{
    struct ipr_pos pos = position("8/8/8/4k3/8/8/8/KQ6 w - - 0 1");
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_endgame_turn *turns = NULL;
    ipr_move moves[IPR_MAX_MOVES];
    size_t n = 7;

    (void)state;
    assert_true(ipr_pos_legal(&pos, moves) > 0);
    ipr_tablebase_turns(&pos, moves, 1, &mem, &turns, &n);
    assert_int_equal(n, 0);
    ipr_arena_release(&mem);
}

static void test_bad_folder(void **state)
{
    struct ipr_err err = IPR_ERR_INIT;
    char path[PATH_MAX];

    (void)state;
    assert_int_equal(ipr_tablebase_open("/nowhere/at/all", &err), IPR_EIO);
    assert_non_null(strstr(err.msg, "/nowhere/at/all"));
    assert_none_open();
    /* The second of two, and a file where a folder should be. */
    const char *folder = new_folder("good");
    write_file(folder, "file", "x", 1);
    snprintf(path, sizeof path, "%s:%s/file", folder, folder);
    ipr_err_clear(&err);
    assert_int_equal(ipr_tablebase_open(path, &err), IPR_EIO);
    assert_non_null(strstr(err.msg, "/good/file"));
    assert_none_open();
}

/* A download that was cut, or something else under that name: the library would end the whole
 * process, or give no value without a word. */
static void test_bad_file(void **state)
{
    static const unsigned char cut[100] = { 0x71, 0xE8, 0x23, 0x5D };
    static const unsigned char other[80] = { 'R', 'I', 'F', 'F' };
    static const struct row {
        const char *folder, *name;
        const void *bytes;
        size_t n;
    } rows[] = {
        { "cut", "KQvK.rtbw", cut, sizeof cut },
        { "other", "KQvK.rtbw", other, sizeof other },
        { "kind", "KQvK.rtbz", cut, 80 }, /* of the other kind */
        { "nothing", "KQvK.rtbw", "", 0 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *folder = new_folder(rows[i].folder);
        struct ipr_err err = IPR_ERR_INIT;

        write_file(folder, rows[i].name, rows[i].bytes, rows[i].n);
        assert_int_equal(ipr_tablebase_open(folder, &err), IPR_EIO);
        assert_non_null(strstr(err.msg, rows[i].name));
        assert_none_open();
    }
}

static void test_once_a_process(void **state)
{
    (void)state;
    open_shared();
    assert_int_equal(ipr_tablebase_open(shared_tables(), NULL), IPR_EINVAL);
    assert_int_equal(ipr_tablebase_men(), 4);
    ipr_tablebase_close();
    open_shared();
    assert_int_equal(ipr_tablebase_men(), 4);
}

/* ---- identity ---------------------------------------------------------------------------------
 */

static void identity_of(const char *path, char out[64])
{
    struct ipr_err err = IPR_ERR_INIT;

    assert_ok(ipr_tablebase_open(path, &err), &err);
    assert_true(strlen(ipr_tablebase_identity()) < 64);
    snprintf(out, 64, "%s", ipr_tablebase_identity());
    ipr_tablebase_close();
}

static void test_identity(void **state)
{
    char all[64], part[64], same[64], more[64], path[3 * PATH_MAX];

    (void)state;
    identity_of(shared_tables(), all);
    assert_memory_equal(all, "4 men 70 files ", 15);
    assert_int_equal(strspn(all + 15, "0123456789abcdef"), 16);
    assert_int_equal(strlen(all), 31);

    const char *one = new_folder("one"), *two = new_folder("two"), *both = new_folder("both");
    link_table(one, "KQvK.rtbw");
    link_table(two, "KQvK.rtbz");
    link_table(both, "KQvK.rtbz");
    link_table(both, "KQvK.rtbw");
    identity_of(one, part);
    assert_memory_equal(part, "3 men 1 files ", 14);
    /* The set counts, not where it is, nor in how many folders or how often. */
    identity_of(both, same);
    assert_string_not_equal(part, same);
    snprintf(path, sizeof path, ":%s::%s:%s:", one, two, one);
    identity_of(path, more);
    assert_string_equal(more, same);
    /* Distances without values are no tables. */
    identity_of(two, part);
    assert_string_equal(part, "");
}

/* ---- values -----------------------------------------------------------------------------------
 */

static struct known {
    const char *name, *fen;
    int wdl;
} known[] = {
    { "bishop and knight mate", "8/8/8/4k3/8/8/8/KBN5 w - - 0 1", 2 },
    { "bishop and knight, the other side", "8/8/8/4k3/8/8/8/KBN5 b - - 0 1", -2 },
    { "two knights do not", "8/8/8/4k3/8/8/8/KNN5 w - - 0 1", 0 },
    { "two bishops do", "8/8/8/4k3/8/8/8/KBB5 w - - 0 1", 2 },
    { "opposition is White's", "8/8/4k3/8/4K3/4P3/8/8 b - - 0 1", -2 },
    { "opposition is Black's", "8/8/4k3/8/4K3/4P3/8/8 w - - 0 1", 0 },
    { "king on the sixth, to move", "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", 2 },
    { "king on the sixth, not to move", "4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", -2 },
    { "colours changed", "8/8/8/8/4p3/4k3/8/4K3 b - - 0 1", 2 },
    { "rook pawn", "k7/8/K7/P7/8/8/8/8 w - - 0 1", 0 },
    { "out of the square", "8/8/8/7k/P7/8/8/K7 b - - 0 1", -2 },
    { "into the square", "8/8/8/5k2/P7/8/8/7K b - - 0 1", 0 },
    { "wrong bishop", "k7/8/K7/P7/8/8/8/2B5 w - - 0 1", 0 },
    { "right bishop", "k7/8/K7/P7/8/8/8/3B4 w - - 0 1", 2 },
    { "Philidor, to move", "1k6/1r6/2K5/Q7/8/8/8/8 w - - 0 1", 2 },
    { "Philidor, not to move", "1k6/1r6/2K5/Q7/8/8/8/8 b - - 0 1", -2 },
    { "queen against pawn on c7", "8/2P5/1K6/8/8/8/7k/3q4 b - - 0 1", 0 },
    { "queen against pawn on b7", "8/1P6/K7/8/8/8/7k/3q4 b - - 0 1", 2 },
    { "mated", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", -2 },
    { "stalemated", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0 },
    { "bare kings", "7k/8/6K1/8/8/8/8/8 b - - 0 1", 0 },
    { "king and bishop", "7k/8/6K1/8/8/8/8/B7 b - - 0 1", 0 },
    { "promotes", "8/P7/8/8/8/7k/8/K7 w - - 0 1", 2 },
    { "queen takes rook", "8/8/8/8/3k4/8/r7/KQ6 w - - 0 1", 2 },
    { "late in the clock", "8/8/8/4k3/8/8/8/KBN5 w - - 99 120", 2 },
};

static void test_known(void **state)
{
    const struct known *k = *state;
    const struct ipr_pos pos = position(k->fen);
    struct ipr_err err = IPR_ERR_INIT;
    int wdl = 9, dtz = 999;

    open_shared();
    assert_ok(ipr_tablebase_probe(&pos, &wdl, &dtz, &err), &err);
    assert_int_equal(wdl, k->wdl);
    /* A distance has the sign of the value; only mate has a value and no distance. */
    ipr_move legal[IPR_MAX_MOVES];
    const int sign = (dtz > 0) - (dtz < 0);
    assert_int_equal(sign, ipr_pos_legal(&pos, legal) == 0 ? 0 : (wdl > 0) - (wdl < 0));
}

static void test_distances(void **state)
{
    static const struct {
        const char *fen;
        int dtz;
    } rows[] = {
        { "8/P7/8/8/8/7k/8/K7 w - - 0 1", 1 },    /* promotes */
        { "7k/8/6K1/8/8/8/8/1Q6 w - - 0 1", 1 },  /* mates: Qb8 */
        { "8/8/8/8/3k4/8/1r6/KQ6 w - - 0 1", 1 }, /* takes */
        { "7k/5Q2/5K2/8/8/8/8/8 w - - 0 1", 1 },  /* mates: Qg7 */
        { "8/8/8/8/8/k7/P7/K7 w - - 0 1", 0 },    /* drawn */
    };

    (void)state;
    open_shared();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct ipr_pos pos = position(rows[i].fen);
        struct ipr_err err = IPR_ERR_INIT;
        int wdl, dtz;

        assert_ok(ipr_tablebase_probe(&pos, &wdl, &dtz, &err), &err);
        assert_int_equal(dtz, rows[i].dtz);
    }
}

/* Values are those of a fresh clock. */
static void test_the_clock_does_not_count(void **state)
{
    struct ipr_pos pos = position("8/8/8/4k3/8/8/8/KBN5 w - - 0 1");
    struct ipr_err err = IPR_ERR_INIT;
    int wdl, dtz, late_wdl, late_dtz;

    (void)state;
    open_shared();
    assert_ok(ipr_tablebase_probe(&pos, &wdl, &dtz, &err), &err);
    assert_true(dtz > 40 && dtz < 70); /* mate in 33 moves at the most */
    pos.halfmove = 99;
    assert_ok(ipr_tablebase_probe(&pos, &late_wdl, &late_dtz, &err), &err);
    assert_int_equal(late_wdl, wdl);
    assert_int_equal(late_dtz, dtz);
}

static void test_out_of_reach(void **state)
{
    static const char *const fens[] = {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "8/8/2r5/4k3/8/2P5/8/KR6 w - - 0 1", /* five men */
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",    /* may castle */
        "r3k3/8/8/8/8/8/8/4K3 w q - 0 1",    /* the other may */
    };

    (void)state;
    open_shared();
    for (size_t i = 0; i < sizeof fens / sizeof fens[0]; i++) {
        const struct ipr_pos pos = position(fens[i]);
        int wdl = 7, dtz = 7;

        assert_int_equal(ipr_tablebase_probe(&pos, &wdl, &dtz, NULL), IPR_ENOTFOUND);
        assert_int_equal(wdl, 7);
        assert_int_equal(dtz, 7);
    }
}

static void test_missing_tables(void **state)
{
    const struct ipr_pos there = position("8/8/8/4k3/8/8/8/KQ6 w - - 0 1");
    const struct ipr_pos missing = position("8/8/8/4k3/8/8/8/KR6 w - - 0 1");
    const struct ipr_pos leads_there = position("8/8/8/4k3/8/8/3r4/KQ6 w - - 0 1");
    const char *folder = new_folder("some");
    struct ipr_err err = IPR_ERR_INIT;
    int wdl = 7, dtz = 7;

    (void)state;
    link_table(folder, "KQvK.rtbw");
    link_table(folder, "KQvKR.rtbw");
    link_table(folder, "KQvKR.rtbz");
    assert_ok(ipr_tablebase_open(folder, &err), &err);
    assert_int_equal(ipr_tablebase_men(), 4);
    assert_ok(ipr_tablebase_probe(&there, &wdl, &dtz, &err), &err);
    assert_int_equal(wdl, 2);
    assert_int_equal(dtz, 0); /* not known without its table */
    assert_int_equal(ipr_tablebase_probe(&missing, &wdl, &dtz, NULL), IPR_ENOTFOUND);
    assert_int_equal(ipr_tablebase_probe(&leads_there, &wdl, &dtz, NULL), IPR_OK);
}

/* ---- what must hold of any position -----------------------------------------------------------
 */

static uint64_t random_state;

static unsigned random_below(unsigned n) /* Marsaglia's xorshift64 */
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (unsigned)(random_state >> 33) % n;
}

/* A legal position with these men ("KQkr") on random squares; false when they fell otherwise. */
static bool random_position(const char *men, struct ipr_pos *pos)
{
    char board[64] = { 0 }, fen[IPR_FEN_MAX];
    size_t at = 0;

    for (const char *m = men; *m != '\0'; m++) {
        const unsigned square = random_below(64);

        if (board[square] != 0)
            return false;
        board[square] = *m;
    }
    for (unsigned i = 0; i < 64; i++) {
        fen[at++] = '1';
        if (board[i] != 0)
            fen[at - 1] = board[i];
        if (i % 8 == 7 && i < 63)
            fen[at++] = '/';
    }
    snprintf(fen + at, sizeof fen - at, " %c - - 0 1", random_below(2) != 0 ? 'w' : 'b');
    return ipr_pos_from_fen(pos, ipr_str_c(fen), NULL) == IPR_OK;
}

static void probe(const struct ipr_pos *pos, int *wdl, int *dtz)
{
    struct ipr_err err = IPR_ERR_INIT;

    assert_ok(ipr_tablebase_probe(pos, wdl, dtz, &err), &err);
}

/* What a position is worth by what comes after its moves. */
struct by_moves {
    int wdl;       /* of the best move */
    int way[2][2]; /* half-moves to zero: [of moves that lose, win][shortest, longest] */
};

static struct by_moves look_ahead(const struct ipr_pos *pos, const ipr_move *moves, size_t n)
{
    struct by_moves b = { -3, { { INT_MAX, 0 }, { INT_MAX, 0 } } };

    if (n == 0)
        b.wdl = ipr_pos_in_check(pos) ? -2 : 0;
    for (size_t i = 0; i < n; i++) {
        struct ipr_pos next = *pos;
        ipr_move replies[IPR_MAX_MOVES];
        int wdl, dtz;

        ipr_pos_play(&next, moves[i]);
        probe(&next, &wdl, &dtz);
        b.wdl = -wdl > b.wdl ? -wdl : b.wdl;
        if (wdl == 0)
            continue;
        const bool ends = next.halfmove == 0 || ipr_pos_legal(&next, replies) == 0;
        const int way = ends ? 1 : 1 + abs(dtz);
        int *const range = b.way[wdl < 0];
        range[0] = way < range[0] ? way : range[0];
        range[1] = way > range[1] ? way : range[1];
    }
    return b;
}

/* Returns the value. */
static int check_position(const struct ipr_pos *pos)
{
    ipr_move moves[IPR_MAX_MOVES];
    const size_t n = ipr_pos_legal(pos, moves);
    const struct by_moves b = look_ahead(pos, moves, n);
    char fen[IPR_FEN_MAX];
    int wdl, dtz, want = 0;

    probe(pos, &wdl, &dtz);
    /* The side that wins goes the short way, the other the long one. */
    if (n > 0 && wdl != 0)
        want = wdl > 0 ? b.way[1][0] : -b.way[0][1];
    ipr_pos_to_fen(pos, fen);
    /* A win that the fifty-move rule spoils needs more than four men. */
    if (wdl != b.wdl || abs(wdl) == 1)
        fail_msg("%s: value %d, by its moves %d", fen, wdl, b.wdl);
    if (abs(dtz - want) > 1 || (dtz > 0) != (want > 0) || (dtz < 0) != (want < 0))
        fail_msg("%s: distance %d, by its moves %d", fen, dtz, want);
    return wdl;
}

static char endings[][5] = {
    "KQkr", "KPk", "KPPk", "KPkp", "KRkp", "KRkb", "KBNk", "KBPk", "kqqK"
};

static void test_value_is_that_of_the_best_move(void **state)
{
    const char *const men = *state;
    unsigned seen[5] = { 0 };

    open_shared();
    random_state = 88172645463325252U;
    for (unsigned i = 0; i < 150;) {
        struct ipr_pos pos;

        if (!random_position(men, &pos))
            continue;
        seen[check_position(&pos) + 2]++;
        i++;
    }
    /* The sample has something to tell. */
    assert_true((seen[0] > 0) + (seen[2] > 0) + (seen[4] > 0) >= 2);
}

/* Positions with an en-passant capture, some of which are worth something else without it. */
static void test_en_passant(void **state)
{
    unsigned checked = 0, decided = 0;

    (void)state;
    open_shared();
    random_state = 362436069U;
    while (checked < 100) {
        struct ipr_pos pos, without;
        int wdl, dtz, wdl_without, dtz_without;
        ipr_move moves[IPR_MAX_MOVES];

        if (!random_position("KPkp", &pos))
            continue;
        const size_t n = ipr_pos_legal(&pos, moves);
        struct ipr_pos next = pos;
        for (size_t i = 0; i < n && next.ep >= 64; i++) {
            next = pos;
            ipr_pos_play(&next, moves[i]);
        }
        if (next.ep >= 64)
            continue;
        (void)check_position(&next);
        without = next;
        without.ep = 64;
        probe(&next, &wdl, &dtz);
        probe(&without, &wdl_without, &dtz_without);
        decided += wdl != wdl_without;
        checked++;
    }
    assert_true(decided > 0);
}

/* The moves of the least distance mate bishop and knight's king, or queen's against rook, as soon
 * as the tables say, whatever the other does. */
static void test_the_way_to_mate(void **state)
{
    (void)state;
    open_shared();
    random_state = 521288629U;
    for (unsigned games = 0; games < 12;) {
        struct ipr_pos pos;
        ipr_move moves[IPR_MAX_MOVES];
        int wdl, dtz, plies = 0;
        size_t n;

        if (!random_position("KBNk", &pos) || pos.turn != IPR_WHITE)
            continue;
        probe(&pos, &wdl, &dtz);
        if (wdl != 2)
            continue;
        const int promised = dtz;
        while ((n = ipr_pos_legal(&pos, moves)) > 0) {
            struct ipr_pos best = pos;

            ipr_pos_play(&best, moves[random_below((unsigned)n)]);
            for (size_t i = 0; i < n && pos.turn == IPR_WHITE; i++) {
                struct ipr_pos next = pos;
                int next_wdl, next_dtz;

                ipr_pos_play(&next, moves[i]);
                probe(&next, &next_wdl, &next_dtz);
                probe(&best, &wdl, &dtz);
                if (next_wdl == -2 && (wdl != -2 || next_dtz > dtz))
                    best = next;
            }
            pos = best;
            plies++;
            assert_true(plies <= promised + 1);
        }
        assert_true(ipr_pos_in_check(&pos));
        assert_int_equal(pos.turn, IPR_BLACK);
        games++;
    }
}

/* ---- a game -----------------------------------------------------------------------------------
 */

static size_t read_moves(const char *fen, const char *text, struct ipr_pos *start, ipr_move *moves)
{
    struct ipr_str rest = ipr_str_c(text), word;
    struct ipr_err err = IPR_ERR_INIT;
    size_t n = 0;

    *start = position(fen);
    struct ipr_pos pos = *start;
    while (ipr_str_word(&rest, &word)) {
        assert_ok(ipr_move_from_uci(&pos, word, &moves[n], &err), &err);
        ipr_pos_play(&pos, moves[n++]);
    }
    return n;
}

/* Five men, a capture, then king and pawn: Black holds, errs on the fifth move (Kd8 for Ke8), and
 * White mates. */
static void test_turns_of_a_game(void **state)
{
    static const char moves_text[] = "e4f4 d4e3 f4e3 e6e5";
    static const char lost_text[] =
        "e4d4 e6d6 e3e4 d6e6 e4e5 e6e7 d4d5 e7d7 e5e6 d7d8 d5d6 d8e8 e6e7 e8f7 d6d7 f7g7 e7e8q";
    static const int8_t before[] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, -2, 2, -2, 2, -2, 2 };
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_endgame_turn *turns = NULL;
    struct ipr_pos start;
    ipr_move moves[32];
    size_t n = 0;

    (void)state;
    open_shared();
    size_t n_moves = read_moves("8/8/4k3/8/4K3/4P3/8/8 w - - 0 1", lost_text, &start, moves);
    ipr_tablebase_turns(&start, moves, n_moves, &mem, &turns, &n);
    assert_int_equal(n, n_moves);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(turns[i].ply, i);
        assert_int_equal(turns[i].mover, i % 2);
        assert_int_equal(turns[i].men, 3);
        assert_int_equal(turns[i].before, before[i]);
        assert_int_equal(turns[i].after, i == 9 ? -2 : before[i]);
    }
    assert_int_equal(turns[9].dtz_before, 0);
    assert_true(turns[9].dtz_after < 0); /* still Black's view */
    assert_int_equal(turns[10].dtz_before, -turns[9].dtz_after);
    assert_int_equal(turns[16].dtz_before, 1);

    /* The turn that captures is out of reach, those after it are not. */
    n_moves = read_moves("8/8/4k3/8/3pK3/4P3/8/N7 w - - 0 1", moves_text, &start, moves);
    ipr_tablebase_turns(&start, moves, n_moves, &mem, &turns, &n);
    assert_int_equal(n, 2);
    assert_int_equal(turns[0].ply, 2);
    assert_int_equal(turns[0].men, 4);
    assert_int_equal(turns[1].ply, 3);
    assert_int_equal(turns[1].mover, IPR_BLACK);
    assert_int_equal(turns[1].men, 3);
    assert_int_equal(turns[1].before, 0); /* king and knight */
    ipr_arena_release(&mem);
}

static void test_a_turn_needs_both_values(void **state)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_endgame_turn *turns = NULL;
    struct ipr_pos start;
    ipr_move moves[32];
    size_t n = 0;

    (void)state;
    open_shared();
    /* Castling rights before, none after. */
    size_t n_moves = read_moves("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1 e8e7 f1f5", &start, moves);
    ipr_tablebase_turns(&start, moves, n_moves, &mem, &turns, &n);
    assert_int_equal(n, 2);
    assert_int_equal(turns[0].ply, 1);
    assert_int_equal(turns[0].before, -2);
    /* A rook given away. */
    n_moves = read_moves("8/8/8/4k3/8/8/1R6/K7 w - - 0 1", "b2b5 e5e4 b5e5 e4e5", &start, moves);
    ipr_tablebase_turns(&start, moves, n_moves, &mem, &turns, &n);
    assert_int_equal(n, 4);
    assert_int_equal(turns[2].before, 2);
    assert_int_equal(turns[2].after, 0);
    assert_true(turns[2].dtz_before > 0);
    assert_int_equal(turns[2].dtz_after, 0);
    assert_int_equal(turns[3].before, 0);
    assert_int_equal(turns[3].after, 0);
    /* Mate has a value without a table. */
    n_moves = read_moves("7k/5Q2/5K2/8/8/8/8/8 w - - 0 1", "f7g7", &start, moves);
    ipr_tablebase_turns(&start, moves, n_moves, &mem, &turns, &n);
    assert_int_equal(n, 1);
    assert_int_equal(turns[0].after, 2);
    assert_int_equal(turns[0].dtz_after, 0);
    /* No move, no turn; and none within reach. */
    ipr_tablebase_turns(&start, moves, 0, &mem, &turns, &n);
    assert_int_equal(n, 0);
    ipr_pos_start(&start);
    ipr_tablebase_turns(&start, moves, 0, &mem, &turns, &n);
    assert_int_equal(n, 0);
    ipr_arena_release(&mem);
}

/* ---- threads ----------------------------------------------------------------------------------
 */

#define THREADS 8
#define ROUNDS  12
#define EACH    20 /* positions of an ending */

static const char *const met[] = { "KQkr", "KPk",  "KBNk", "KRkb", "KPkp",
                                   "KQk",  "KRNk", "kqpK", "KNkn", "KPPk" };
#define ENDINGS (sizeof met / sizeof met[0])

static struct {
    struct ipr_pos pos;
    int wdl, dtz;
} sample[ENDINGS][EACH];
static pthread_barrier_t all_ready;

/* Assertions are for the test's own thread: the others count. All come to a table that is not
 * loaded yet at the same moment. */
static void *probe_all(void *arg)
{
    unsigned *const wrong = arg;

    for (size_t e = 0; e < ENDINGS; e++) {
        pthread_barrier_wait(&all_ready);
        for (size_t i = 0; i < EACH; i++) {
            int wdl = 9, dtz = 999;

            if (ipr_tablebase_men() != 4 ||
                ipr_tablebase_probe(&sample[e][i].pos, &wdl, &dtz, NULL) != IPR_OK ||
                wdl != sample[e][i].wdl || dtz != sample[e][i].dtz)
                (*wrong)++;
        }
    }
    return NULL;
}

static void draw_sample(void)
{
    random_state = 123456789U;
    for (size_t e = 0; e < ENDINGS; e++)
        for (size_t i = 0; i < EACH;)
            if (random_position(met[e], &sample[e][i].pos)) {
                probe(&sample[e][i].pos, &sample[e][i].wdl, &sample[e][i].dtz);
                i++;
            }
}

static void test_many_threads(void **state)
{
    (void)state;
    open_shared();
    draw_sample();
    assert_int_equal(pthread_barrier_init(&all_ready, NULL, THREADS), 0);
    for (unsigned round = 0; round < ROUNDS; round++) {
        pthread_t threads[THREADS];
        unsigned wrong[THREADS] = { 0 };

        ipr_tablebase_close();
        open_shared();
        for (unsigned i = 0; i < THREADS; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, probe_all, &wrong[i]), 0);
        for (unsigned i = 0; i < THREADS; i++) {
            assert_int_equal(pthread_join(threads[i], NULL), 0);
            assert_int_equal(wrong[i], 0);
        }
    }
    pthread_barrier_destroy(&all_ready);
}

#define TEST(name) cmocka_unit_test_teardown(name, close_tables)
#define N_KNOWN    (sizeof known / sizeof known[0])
#define N_ENDINGS  (sizeof endings / sizeof endings[0])

int main(void)
{
    static const struct CMUnitTest fixed[] = {
        TEST(test_none_is_a_normal_state),
        TEST(test_a_game_without_tables_has_no_truth),
        TEST(test_bad_folder),
        TEST(test_bad_file),
        TEST(test_once_a_process),
        TEST(test_identity),
        TEST(test_distances),
        TEST(test_the_clock_does_not_count),
        TEST(test_out_of_reach),
        TEST(test_missing_tables),
        TEST(test_en_passant),
        TEST(test_the_way_to_mate),
        TEST(test_turns_of_a_game),
        TEST(test_a_turn_needs_both_values),
        TEST(test_many_threads),
    };
    struct CMUnitTest tests[sizeof fixed / sizeof fixed[0] + N_KNOWN + N_ENDINGS];
    size_t n = 0;

    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        tests[n++] = fixed[i];
    for (size_t i = 0; i < N_KNOWN; i++)
        tests[n++] =
            (struct CMUnitTest){ known[i].name, test_known, NULL, close_tables, &known[i] };
    for (size_t i = 0; i < N_ENDINGS; i++)
        tests[n++] = (struct CMUnitTest){ endings[i], test_value_is_that_of_the_best_move, NULL,
                                          close_tables, endings[i] };
    return cmocka_run_group_tests(tests, make_root, remove_root);
}
