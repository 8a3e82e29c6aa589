#include "engine/tablebase.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sodium.h>
#include <tbprobe.h>

#include "base/str.h"
#include "chess/attacks.h"
#include "chess/state.h"

#define DIGEST_BYTES 8
#define NAME_MAX_TB  16 /* "KQRvKBNP.rtbw", the longest: seven men */

/* Protects `open_set` and the library, which loads a table at the first probe that needs it.
 */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct {
    bool open;
    unsigned men;
    char identity[64];
} open_set;

/* ---- the files --------------------------------------------------------------------------------
 */

struct table_file {
    char name[NAME_MAX_TB];
    off_t size;
};

struct file_list {
    struct table_file *files;
    size_t n, room;
};

/* First bytes of both kinds of file, and the remainders of their sizes: Syzygy's format. */
static const unsigned char wdl_magic[4] = { 0x71, 0xE8, 0x23, 0x5D };
static const unsigned char dtz_magic[4] = { 0xD7, 0x66, 0x0C, 0xA5 };

/* The magic of the kind of table that a file name stands for; NULL for other files. */
static const unsigned char *magic_of(const char *name)
{
    static const char men[] = "KQRBNP";
    const size_t n = strlen(name);
    size_t white, black;

    if (n >= NAME_MAX_TB || name[0] != 'K')
        return NULL;
    white = strspn(name, men);
    if (strncmp(name + white, "vK", 2) != 0)
        return NULL;
    black = strspn(name + white + 1, men);
    if (strcmp(name + white + 1 + black, ".rtbw") == 0)
        return wdl_magic;
    return strcmp(name + white + 1 + black, ".rtbz") == 0 ? dtz_magic : NULL;
}

static enum ipr_code check_file(int folder, const char *folder_name, const char *name,
                                const unsigned char magic[4], off_t *size, struct ipr_err *err)
{
    const int fd = openat(folder, name, O_RDONLY | O_CLOEXEC);
    unsigned char head[4];
    struct stat st;
    bool whole = false;

    if (fd < 0)
        return ipr_err_set(err, IPR_EIO, "tablebases: cannot read %s/%s: %s", folder_name, name,
                           strerror(errno));
    if (fstat(fd, &st) == 0 && read(fd, head, sizeof head) == (ssize_t)sizeof head)
        whole = memcmp(head, magic, sizeof head) == 0 && st.st_size % 64 == 16;
    close(fd);
    if (!whole)
        return ipr_err_set(err, IPR_EIO, "tablebases: %s/%s is not a complete Syzygy table",
                           folder_name, name);
    *size = st.st_size;
    return IPR_OK;
}

static void add_file(struct file_list *list, const char *name, off_t size)
{
    for (size_t i = 0; i < list->n; i++)
        if (strcmp(list->files[i].name, name) == 0)
            return; /* of an earlier folder */
    if (list->n == list->room) {
        list->room = list->room > 0 ? 2 * list->room : 64;
        list->files = ipr_xrealloc(list->files, list->room, sizeof *list->files);
    }
    memcpy(list->files[list->n].name, name, strlen(name) + 1); /* magic_of has checked its length */
    list->files[list->n++].size = size;
}

static enum ipr_code list_folder(const char *folder, struct file_list *list, struct ipr_err *err)
{
    DIR *d = opendir(folder);
    const struct dirent *entry;
    enum ipr_code rc = IPR_OK;

    if (d == NULL)
        return ipr_err_set(err, IPR_EIO, "tablebases: cannot read the folder %s: %s", folder,
                           strerror(errno));
    while (rc == IPR_OK && (entry = readdir(d)) != NULL) {
        const unsigned char *magic = magic_of(entry->d_name);
        off_t size = 0;

        if (magic == NULL)
            continue;
        rc = check_file(dirfd(d), folder, entry->d_name, magic, &size, err);
        if (rc == IPR_OK)
            add_file(list, entry->d_name, size);
    }
    closedir(d);
    return rc;
}

/* Lists the tables of every folder of `path`; `clean` becomes the path without empty parts, at
 * which the library would read past the end of the text. */
static enum ipr_code list_path(const char *path, struct ipr_buf *clean, struct file_list *list,
                               struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    enum ipr_code rc = IPR_OK;

    while (rc == IPR_OK && *path != '\0') {
        const size_t n = strcspn(path, ":");

        if (n > 0) {
            const char *folder = ipr_arena_strndup(&mem, path, n);

            rc = list_folder(folder, list, err);
            ipr_buf_printf(clean, "%s%s", clean->n > 0 ? ":" : "", folder);
        }
        path += n + (path[n] == ':');
    }
    ipr_arena_release(&mem);
    return rc;
}

uint64_t ipr_tablebase_bytes(const char *path)
{
    struct ipr_buf clean = IPR_BUF_INIT;
    struct file_list list = { 0 };
    uint64_t bytes = 0;

    if (path != NULL && list_path(path, &clean, &list, NULL) == IPR_OK)
        for (size_t i = 0; i < list.n; i++)
            bytes += (uint64_t)list.files[i].size;
    free(list.files);
    ipr_buf_release(&clean);
    return bytes;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct table_file *)a)->name, ((const struct table_file *)b)->name);
}

static void write_identity(struct file_list *list)
{
    unsigned char digest[crypto_generichash_BYTES];
    char hex[2 * DIGEST_BYTES + 1], line[64];
    crypto_generichash_state hash;

    qsort(list->files, list->n, sizeof *list->files, by_name);
    crypto_generichash_init(&hash, NULL, 0, sizeof digest);
    for (size_t i = 0; i < list->n; i++) {
        const int n = snprintf(line, sizeof line, "%s %jd\n", list->files[i].name,
                               (intmax_t)list->files[i].size);

        crypto_generichash_update(&hash, (const unsigned char *)line, (unsigned long long)n);
    }
    crypto_generichash_final(&hash, digest, sizeof digest);
    sodium_bin2hex(hex, sizeof hex, digest, DIGEST_BYTES);
    snprintf(open_set.identity, sizeof open_set.identity, "%u men %zu files %s", open_set.men,
             list->n, hex);
}

static enum ipr_code open_locked(const char *path, struct ipr_err *err)
{
    struct ipr_buf clean = IPR_BUF_INIT;
    struct file_list list = { 0 };
    enum ipr_code rc;

    if (open_set.open)
        return ipr_err_set(err, IPR_EINVAL, "tablebases are open already");
    rc = list_path(path, &clean, &list, err);
    if (rc == IPR_OK && list.n > 0 && !tb_init(ipr_buf_c(&clean)))
        rc = ipr_err_set(err, IPR_EIO, "tablebases: cannot open %s", path);
    if (rc == IPR_OK && list.n > 0) {
        open_set.open = true;
        open_set.men = TB_LARGEST;
        if (open_set.men > 0) /* distances alone are useless */
            write_identity(&list);
    }
    free(list.files);
    ipr_buf_release(&clean);
    return rc;
}

enum ipr_code ipr_tablebase_open(const char *path, struct ipr_err *err)
{
    enum ipr_code rc;

    if (path == NULL || path[0] == '\0')
        return IPR_OK;
    pthread_mutex_lock(&lock);
    rc = open_locked(path, err);
    pthread_mutex_unlock(&lock);
    return rc;
}

void ipr_tablebase_close(void)
{
    pthread_mutex_lock(&lock);
    /* The tables stay mapped until the process ends. tb_free of this version leaves dangling
     * pointers that crash the next tb_init; tb_init, which unmaps the old tables, prints an error
     * for every munmap that succeeds. */
    memset(&open_set, 0, sizeof open_set);
    pthread_mutex_unlock(&lock);
}

unsigned ipr_tablebase_men(void)
{
    pthread_mutex_lock(&lock);
    const unsigned men = open_set.men;
    pthread_mutex_unlock(&lock);
    return men;
}

const char *ipr_tablebase_identity(void)
{
    return open_set.identity; /* written before threads start and after they have ended */
}

/* ---- probing ----------------------------------------------------------------------------------
 */

struct value {
    bool known;
    int wdl, dtz; /* side to move */
};

static unsigned men_of(const struct ipr_pos *pos)
{
    return (unsigned)__builtin_popcountll(pos->by_colour[IPR_WHITE] | pos->by_colour[IPR_BLACK]);
}

/* The library takes a bitboard per piece, 0 for no en-passant square, and returns values from 0
 * (lost) to 4 (won). The clock must be 0, or it returns no value. */
#define IN_PIECES(pos)                                                                             \
    (pos)->by_colour[IPR_WHITE], (pos)->by_colour[IPR_BLACK], (pos)->by_piece[IPR_KING],           \
        (pos)->by_piece[IPR_QUEEN], (pos)->by_piece[IPR_ROOK], (pos)->by_piece[IPR_BISHOP],        \
        (pos)->by_piece[IPR_KNIGHT], (pos)->by_piece[IPR_PAWN], 0, 0,                              \
        (pos)->ep < 64 ? (pos)->ep : 0u, (pos)->turn == IPR_WHITE

static struct value tablebase_look_up(const struct ipr_pos *pos)
{
    struct value v = { 0 };
    unsigned found;

    pthread_mutex_lock(&lock);
    found = tb_probe_wdl(IN_PIECES(pos));
    v.known = found != TB_RESULT_FAILED;
    if (v.known)
        v.wdl = (int)found - TB_DRAW;
    if (v.wdl != 0) {
        found = tb_probe_root(IN_PIECES(pos), NULL);
        if (found != TB_RESULT_FAILED)
            v.dtz = (int)TB_GET_DTZ(found) * (v.wdl > 0 ? 1 : -1);
    }
    pthread_mutex_unlock(&lock);
    return v;
}

static struct value value_of(const struct ipr_pos *pos, unsigned men)
{
    struct value v = { 0 };
    struct ipr_state s;

    if (pos->castling != 0 || men_of(pos) > men)
        return v;
    /* A game that the rules end has its result by them. */
    ipr_game_states(pos, NULL, 0, &s);
    v.known = s.checkmate || s.stalemate || s.insufficient;
    v.wdl = s.checkmate ? -2 : 0;
    return v.known ? v : tablebase_look_up(pos);
}

enum ipr_code ipr_tablebase_probe(const struct ipr_pos *pos, int *wdl, int *dtz,
                                  struct ipr_err *err)
{
    const struct value v = value_of(pos, ipr_tablebase_men());

    if (!v.known)
        return ipr_err_set(err, IPR_ENOTFOUND, "no tablebase for this position");
    *wdl = v.wdl;
    *dtz = v.dtz;
    return IPR_OK;
}

void ipr_tablebase_turns(const struct ipr_pos *start, const ipr_move *moves, size_t n_moves,
                         struct ipr_arena *mem, struct ipr_db_endgame_turn **turns, size_t *n)
{
    const unsigned men = ipr_tablebase_men();
    struct ipr_pos pos = *start;
    size_t ply = 0;

    *turns = NULL;
    *n = 0;
    while (ply < n_moves && men_of(&pos) > men)
        ipr_pos_play(&pos, moves[ply++]);
    if (ply == n_moves)
        return;
    *turns = ipr_arena_alloc(mem, n_moves - ply, sizeof **turns);
    struct value before = value_of(&pos, men);
    for (; ply < n_moves; ply++) {
        const uint8_t mover = pos.turn, men_before = (uint8_t)men_of(&pos);

        ipr_pos_play(&pos, moves[ply]);
        const struct value after = value_of(&pos, men);
        if (before.known && after.known) {
            struct ipr_db_endgame_turn *t = &(*turns)[(*n)++];

            *t = (struct ipr_db_endgame_turn){
                .before = (int8_t)before.wdl,
                .after = (int8_t)-after.wdl,
                .dtz_before = (int16_t)before.dtz,
                .dtz_after = (int16_t)-after.dtz,
            };
            t->ply = (uint16_t)ply;
            t->mover = mover;
            t->men = men_before;
        }
        before = after;
    }
}
