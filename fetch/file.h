#ifndef IPR_FETCH_FILE_H
#define IPR_FETCH_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* The PGN file that is fetched. Until it is whole it has another name, FILE.part, and only whole
 * games are written there. Its first line, a comment of PGN (%), says what was requested; it is
 * continued only when that is the same. No game is in it twice. */

struct ipr_fetch_file;

struct ipr_fetch_span {
    int64_t from_ms, to_ms; /* games that began then, both ends included; a game without a time
                               is in every span */
};

/** Opens FILE.part where there is one, else a copy of FILE where that is there, else a new one.
 * `again`: what is there is replaced in the end. `asked` is one line. */
IPR_CHECK enum ipr_code ipr_fetch_file_open(const char *path, const char *asked, bool again,
                                            struct ipr_fetch_span span, struct ipr_fetch_file **out,
                                            struct ipr_err *err);

/** A piece of PGN; what is not yet a whole game waits for the next piece. */
IPR_CHECK enum ipr_code ipr_fetch_file_add(struct ipr_fetch_file *f, const char *bytes, size_t n,
                                           struct ipr_err *err);
/** The end of an answer: false if that is in the middle of a game, which is dropped. */
bool ipr_fetch_file_end_answer(struct ipr_fetch_file *f);

int64_t ipr_fetch_file_latest_ms(const struct ipr_fetch_file *f); /* 0: no game has a time */
uint64_t ipr_fetch_file_games(const struct ipr_fetch_file *f);
uint64_t ipr_fetch_file_added(const struct ipr_fetch_file *f);

/** Gives the whole file its name. */
IPR_CHECK enum ipr_code ipr_fetch_file_finish(struct ipr_fetch_file *f, struct ipr_err *err);
/** Without ipr_fetch_file_finish the part is kept, for the next time; one without a game is not. */
void ipr_fetch_file_close(struct ipr_fetch_file **f);

#endif
