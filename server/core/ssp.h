#ifndef IPR_CORE_SSP_H
#define IPR_CORE_SSP_H

#include <stdint.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/str.h"

/*
 * The lines of the section @PLAYER of a spelling file in the format of Scid (core/spelling.h),
 * in order, in 64 KiB of memory for any size of file.
 */
struct ipr_ssp;

enum ipr_ssp_kind {
    IPR_SSP_END,      /* of the section or of the file */
    IPR_SSP_PERSON,   /* a canonical name: the following lines are about this person */
    IPR_SSP_SPELLING, /* an alternative, without its "=" */
    IPR_SSP_NOTE      /* "%Bio FIDEID 1503014", "%Elo 1971:2760": from its "%" on */
};

struct ipr_ssp_line {
    enum ipr_ssp_kind kind;
    struct ipr_str text;    /* trimmed, without its comment; borrowed until the next line is read */
    struct ipr_str comment; /* the text after "#" */
    uint32_t number;        /* of the line, from 1 */
    uint32_t column;        /* of the first character of `text`, from 1 */
};

/**
 * Opens a file and goes to its section @PLAYER. The message names the file and the line.
 *
 * IPR_EIO when it cannot be read or is no regular file; IPR_EPARSE "not_spelling" when it is no
 * such file: binary, no section @PLAYER, a line that is too long or cut off.
 */
IPR_CHECK enum ipr_code ipr_ssp_open(const char *path, struct ipr_ssp **out, struct ipr_err *err);
void ipr_ssp_close(struct ipr_ssp **r); /* accepts NULL; clears */

/** The next line that is not blank. Errors as above, or a line that belongs to no name. */
IPR_CHECK enum ipr_code ipr_ssp_next(struct ipr_ssp *r, struct ipr_ssp_line *out,
                                     struct ipr_err *err);

/** IPR_EPARSE "not_spelling": "FILE: not a spelling file: line N WHY", of the line read last. */
enum ipr_code ipr_ssp_refuse(const struct ipr_ssp *r, struct ipr_err *err, const char *why);

/** A canonical name without the mark that distinguishes namesakes: a number or one small letter at
 * the end ("Filip, Miroslav1", "Hou, Yifan b"). */
struct ipr_str ipr_ssp_unmarked(struct ipr_str name);

/** A name as it is shown: white space as single spaces, none before a comma. In mem. */
const char *ipr_ssp_tidy(struct ipr_str name, struct ipr_arena *mem);

/** Years of birth and death in a person's comment, "gm  URS [2645] 1929.06.17--1984.08.13"; 0:
 * unknown. */
void ipr_ssp_life(struct ipr_str comment, int *born, int *died);

/** The id of a note "%Bio FIDEID 1300016deprecated"; 0 for another note. A deprecated id still
 * belongs to the same person. */
int32_t ipr_ssp_fide_id(struct ipr_str note);

#endif
