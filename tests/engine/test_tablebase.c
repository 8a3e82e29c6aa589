#include "engine/tablebase.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"
#include "ipr_tables_test.h"
#include "ipr_test.h"

/* Sets of tables, games, threads; what the tables say is test_tablebase_values's. */

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

    snprintf(from, sizeof from, "%s/%s", ipr_tables_shared(), table);
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

/* ---- opening ----------------------------------------------------------------------------------
 */

static void assert_none_open(void)
{
    const struct ipr_pos pos = ipr_tables_position("8/8/8/4k3/8/8/8/KQ6 w - - 0 1");
    const ipr_move move = 0;
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_endgame_turn *turns = NULL;
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
    struct ipr_pos pos = ipr_tables_position("8/8/8/4k3/8/8/8/KQ6 w - - 0 1");
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_endgame_turn *turns = NULL;
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
    ipr_tables_open();
    assert_int_equal(ipr_tablebase_open(ipr_tables_shared(), NULL), IPR_EINVAL);
    assert_int_equal(ipr_tablebase_men(), 4);
    ipr_tablebase_close();
    ipr_tables_open();
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
    identity_of(ipr_tables_shared(), all);
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

static void test_missing_tables(void **state)
{
    const struct ipr_pos there = ipr_tables_position("8/8/8/4k3/8/8/8/KQ6 w - - 0 1");
    const struct ipr_pos missing = ipr_tables_position("8/8/8/4k3/8/8/8/KR6 w - - 0 1");
    const struct ipr_pos leads_there = ipr_tables_position("8/8/8/4k3/8/8/3r4/KQ6 w - - 0 1");
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

/* ---- a game -----------------------------------------------------------------------------------
 */

static size_t read_moves(const char *fen, const char *text, struct ipr_pos *start, ipr_move *moves)
{
    struct ipr_str rest = ipr_str_c(text), word;
    struct ipr_err err = IPR_ERR_INIT;
    size_t n = 0;

    *start = ipr_tables_position(fen);
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
    struct ipr_db_endgame_turn *turns = NULL;
    struct ipr_pos start;
    ipr_move moves[32];
    size_t n = 0;

    (void)state;
    ipr_tables_open();
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
    struct ipr_db_endgame_turn *turns = NULL;
    struct ipr_pos start;
    ipr_move moves[32];
    size_t n = 0;

    (void)state;
    ipr_tables_open();
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
    ipr_tables_seed(123456789U);
    for (size_t e = 0; e < ENDINGS; e++)
        for (size_t i = 0; i < EACH;)
            if (ipr_tables_random(met[e], &sample[e][i].pos)) {
                ipr_tables_probe(&sample[e][i].pos, &sample[e][i].wdl, &sample[e][i].dtz);
                i++;
            }
}

static void test_many_threads(void **state)
{
    (void)state;
    ipr_tables_open();
    draw_sample();
    assert_int_equal(pthread_barrier_init(&all_ready, NULL, THREADS), 0);
    for (unsigned round = 0; round < ROUNDS; round++) {
        pthread_t threads[THREADS];
        unsigned wrong[THREADS] = { 0 };

        ipr_tablebase_close();
        ipr_tables_open();
        for (unsigned i = 0; i < THREADS; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, probe_all, &wrong[i]), 0);
        for (unsigned i = 0; i < THREADS; i++) {
            assert_int_equal(pthread_join(threads[i], NULL), 0);
            assert_int_equal(wrong[i], 0);
        }
    }
    pthread_barrier_destroy(&all_ready);
}

#define TEST(name) cmocka_unit_test_teardown(name, ipr_tables_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_none_is_a_normal_state),
        TEST(test_a_game_without_tables_has_no_truth),
        TEST(test_bad_folder),
        TEST(test_bad_file),
        TEST(test_once_a_process),
        TEST(test_identity),
        TEST(test_missing_tables),
        TEST(test_turns_of_a_game),
        TEST(test_a_turn_needs_both_values),
        TEST(test_many_threads),
    };

    return cmocka_run_group_tests(tests, make_root, remove_root);
}
