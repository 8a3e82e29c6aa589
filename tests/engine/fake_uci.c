/*
 * A UCI engine for positions with two kings and nothing else, honest when called "fake_uci".
 * Under the name "fake_uci-FAULT" it has that fault: the test links it to the name it wants.
 * Line k at depth d scores 100 - 10 k + d, a move judged apart -50 + d, each depth has 10 nodes
 * and, as it says, 10 ms.
 */
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *fault = "";
static int multipv = 1;
static int king[2]; /* White's, Black's */
static int turn;
static bool trying; /* the start position: the question whether searchmoves is known */

static bool is(const char *name)
{
    return !trying && strcmp(fault, name) == 0;
}

static int distance(int a, int b)
{
    const int file = abs(a % 8 - b % 8), rank = abs(a / 8 - b / 8);

    return file > rank ? file : rank;
}

static void print_square(int square)
{
    putchar('a' + square % 8);
    putchar('1' + square / 8);
}

static void print_move(int to)
{
    print_square(king[turn]);
    print_square(to);
}

static int square(const char *text)
{
    return text[0] - 'a' + 8 * (text[1] - '1');
}

/* "position fen PLACEMENT w - - 0 1 moves a1b1 ..." */
static void set_position(char *args)
{
    trying = strncmp(args, "startpos", 8) == 0;
    if (trying) {
        king[0] = 8;
        king[1] = 63;
        turn = 0;
        return;
    }
    int at = 56;
    char *moves = strstr(args, "moves ");
    const char *p = args + strlen("fen ");

    for (; *p != ' '; p++) {
        if (*p == 'K')
            king[0] = at++;
        else if (*p == 'k')
            king[1] = at++;
        else if (*p == '/')
            at -= 16;
        else
            at += *p - '0';
    }
    turn = p[1] == 'w' ? 0 : 1;
    if (moves == NULL)
        return;
    for (char *m = strtok(moves + 6, " "); m != NULL; m = strtok(NULL, " ")) {
        king[turn] = square(m + 2);
        turn = !turn;
    }
}

static int list_moves(int to[8])
{
    int n = 0;

    for (int s = 0; s < 64; s++) {
        if (distance(s, king[turn]) == 1 && distance(s, king[!turn]) > 1)
            to[n++] = s;
    }
    return n;
}

static void print_line(int depth, int k, int score, int to)
{
    if (is("badscore"))
        score = 99999;
    if (is("unsorted") && k == 1)
        score = 500;
    printf("info depth %d seldepth %d multipv %d score cp %d nodes %s%d nps 1 time %d%s pv ", depth,
           depth + 2, k + 1, score, is("overflow") ? "-" : "", 10 * depth, 10 * depth,
           is("overflow") ? ".5" : "");
    if (is("badmove") && k == 1)
        printf("e2e4");
    else
        print_move(to);
    printf(" a1a1\n");
}

static void before_depth(int depth)
{
    if (is("slow"))
        usleep(100000);
    if (is("garbage")) {
        printf("\n\n   \t\r\ninfo string \x01\x80\xff score cp 3\nhello world bestmove e2e4\n");
        printf("info currmove a1a2 currmovenumber 1\ninfo depth 1 refutation x\nreadyok\n");
        printf("info depth %d multipv 1 score cp 7 lowerbound nodes 1 pv zz\n", depth);
    }
    if (depth < 2)
        return;
    if (is("abort"))
        abort();
    if (is("exit"))
        _Exit(3);
    if (is("leaver")) { /* as engines do whose input has ended: a best move of half a search */
        printf("bestmove ");
        print_move(square("a1"));
        printf("\n");
        fflush(stdout);
        _Exit(0);
    }
    if (is("closeout")) {
        fflush(stdout);
        close(STDOUT_FILENO);
        sleep(1000);
    }
    if (is("longline")) {
        for (int i = 0; i < 100000; i++)
            printf("very long ");
    }
    while (is("flood"))
        printf("info string nothing to say\n");
    while (is("trickle")) {
        printf("info string still here\n");
        usleep(20000);
    }
}

/* Number after a word of "go", or `none`. */
static int limit(const char *args, const char *word, int none)
{
    const char *at = strstr(args, word);

    return at != NULL ? atoi(at + strlen(word)) : none;
}

/* "stop", within the time that a depth takes. */
static bool stopped(void)
{
    struct pollfd p = { .fd = STDIN_FILENO, .events = POLLIN };
    char line[16];

    return poll(&p, 1, 10) > 0 && fgets(line, sizeof line, stdin) != NULL &&
           strcmp(line, "stop\n") == 0;
}

/* The deepest that is searched: 10 nodes and 10 ms a depth. */
static int deepest(const char *args)
{
    const int nodes = limit(args, "nodes ", 600) / (is("fewnodes") ? 20 : 10);
    const int depth = limit(args, "depth ", 60) - (is("shallow") ? 1 : 0);

    return nodes < depth ? nodes : depth;
}

/* Until it is killed, telling so. */
static void search_on(void)
{
    for (long ms = 0;; ms += 10) {
        printf("info nodes %ld time %ld\n", 1000 * ms, ms);
        fflush(stdout);
        usleep(10000);
    }
}

static void go(char *args)
{
    int to[8];
    int n = list_moves(to);
    const int depth = deepest(args);
    const bool timed = strstr(args, "movetime ") != NULL;
    const char *only = strstr(args, "searchmoves ");

    if (strcmp(fault, "nonet") == 0)
        _Exit(1);
    if (is("hang"))
        sleep(1000);
    if (strstr(args, "nodes ") != NULL && (strcmp(fault, "nonodes") == 0 || is("nostop")))
        search_on();
    if (only != NULL) {
        n = 1;
        to[0] = square(only + strlen("searchmoves ") + 2);
    }
    if (n > multipv)
        n = multipv;
    for (int d = 1; d <= depth; d++) {
        before_depth(d);
        for (int k = 0; k < n; k++) {
            if (!is("missing") || k == 0 || d < depth)
                print_line(d, k, only != NULL ? d - 50 : 100 - 10 * k + d, to[k]);
        }
        fflush(stdout);
        if (timed && stopped())
            break;
    }
    printf("bestmove ");
    if (is("badbest"))
        printf("e2e5");
    else if (is("nobest"))
        printf("(none)");
    else
        print_move(to[is("otherbest") ? 1 : 0]);
    printf(" ponder a1a1\n");
}

static void introduce(void)
{
    if (!is("noname"))
        printf("id name Fake 1.0%s\n", is("badname") ? "\x1b[31m" : "");
    printf("option name Debug Log File type string default \n");
    printf("option name Threads type spin default 1 min 1 max 4\n");
    if (is("endless"))
        printf("option name Style type spin default 1.5 min 0.0 max 20.0\n"
               "option name Hash type spin default 16 min 1 max 18446744073709551615\n");
    else if (is("capitals"))
        printf("option name HASH type spin default 16 min 1 max 64\n");
    else if (!is("nohash"))
        printf("option name Hash type spin default 16 min 1 max 64\n");
    if (!is("nomultipv"))
        printf("option name MultiPV type spin default 1 min 1 max 500\n");
    printf("option name EvalFile type string default nn-fake.nnue\nuciok\n");
}

/* A helper process that holds the output open and outlives its parent. */
static void leave_child(void)
{
    if (fork() == 0) {
        sleep(1000);
        _Exit(0);
    }
}

int main(int argc, char **argv)
{
    char line[65536];
    const char *name = argc > 0 ? strrchr(argv[0], '/') : NULL;
    const char *dash = name != NULL ? strchr(name, '-') : NULL;

    if (dash != NULL)
        fault = dash + 1;
    if (is("stillborn"))
        return 1;
    if (is("child"))
        leave_child();
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (strcmp(line, "uci") == 0 && !is("mute"))
            introduce();
        else if (strcmp(line, "isready") == 0 && is("earlybest"))
            printf("bestmove a1a2\nreadyok\n");
        else if (strcmp(line, "isready") == 0 && !is("unready"))
            printf("readyok\n");
        else if (strncmp(line, "setoption name MultiPV value ", 29) == 0)
            multipv = atoi(line + 29);
        else if (strncmp(line, "setoption name Hash ", 20) == 0 && is("nomemory"))
            return 1;
        else if (strncmp(line, "setoption name UCI_", 19) == 0 && is("strict"))
            abort(); /* it has no such option */
        else if (strncmp(line, "position ", 9) == 0)
            set_position(line + 9);
        else if (strncmp(line, "go ", 3) == 0)
            go(line + 3);
        else if (strcmp(line, "quit") == 0 && !is("stubborn"))
            return 0;
        fflush(stdout);
    }
    if (is("stubborn"))
        sleep(1000);
    return 0;
}
