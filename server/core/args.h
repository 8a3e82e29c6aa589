#ifndef IPR_CORE_ARGS_H
#define IPR_CORE_ARGS_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

/* A command line as getopt_long of libc reads it, and the table of its options, from which its help
 * and manual come. */

#define IPR_OPTIONS_MAX 24
#define IPR_ARGS_GIVEN  64

struct ipr_option {
    const char *name;
    const char *value; /* "N", "NAME", or the words that it may be: "json|csv". NULL: a switch */
    const char *help;
};

struct ipr_args {
    const struct ipr_option *options; /* ends with a row without a name; may be NULL */
    struct {
        int option;          /* index */
        const char *text;    /* "" of a switch */
    } given[IPR_ARGS_GIVEN]; /* in their order */
    int n_given, n;
    char **words; /* what is no option */
};

/** The value of --name, NULL if absent; the last one counts. `name` is in the table. */
const char *ipr_args_value(const struct ipr_args *a, const char *name);
/** The first values of --name, at most `most`, in their order; returns how many these are. */
size_t ipr_args_values(const struct ipr_args *a, const char *name, const char **out, size_t most);
bool ipr_args_has(const struct ipr_args *a, const char *name);

/** Reads the number of "--name", lo to hi; *out is unchanged if it is absent. */
IPR_CHECK enum ipr_code ipr_args_number(const struct ipr_args *a, const char *name, int64_t lo,
                                        int64_t hi, int *out, struct ipr_err *err);
/** Which of the table's words "--name" is, from 0; *out is unchanged if it is absent. */
IPR_CHECK enum ipr_code ipr_args_choice(const struct ipr_args *a, const char *name, int *out,
                                        struct ipr_err *err);

/** One row for --help. */
void ipr_option_help(const struct ipr_option *o, FILE *to);
/** A text in lines of at most 80 columns that begin with `indent` spaces. */
void ipr_help_wrap(FILE *to, int indent, const char *text);

#endif
