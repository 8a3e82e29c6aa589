#ifndef IPR_VIEW_FIGURE_SHAPE_H
#define IPR_VIEW_FIGURE_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "base/mem.h"
#include "stats/interval.h"

/*
 * The objects that ratings and predictions are made of. members.def describes every member of each
 * once; from it come the structures below (struct ipr_figure_NAME) and the table by which they are
 * written as JSON and read back.
 *
 * Unknown values are NaN, IPR_UNKNOWN, -1 for a flag, NULL: ipr_shape_blank sets all members to
 * these, and every structure is filled from a blank one.
 */

#define IPR_UNKNOWN SIZE_MAX

/** {name: count}; counts of 0 are not written. */
struct ipr_figure_counts {
    bool known;
    struct {
        const char *name;
        size_t n;
    } of[8];
};

#include "figures.h" /* generated */

enum ipr_member_type {
    IPR_MEMBER_NUMBER,
    IPR_MEMBER_COUNT,
    IPR_MEMBER_FLAG,
    IPR_MEMBER_TEXT,
    IPR_MEMBER_INTERVAL, /* {"low", "high", "level"}; an open end is null */
    IPR_MEMBER_COUNTS,
    IPR_MEMBER_SHAPE,
    IPR_MEMBER_TIME, /* RFC 3339; of values made elsewhere, as the next */
    IPR_MEMBER_REF   /* a schema that is described elsewhere */
};

enum ipr_member_storage { IPR_STORED_VALUE, IPR_STORED_POINTER, IPR_STORED_JSON };

enum { IPR_WHEN_GIVEN = -1, IPR_WHEN_ALWAYS = -2, IPR_WHEN_KNOWN = -3, IPR_WHEN_NULLABLE = -4 };

struct ipr_member {
    const char *name;
    enum ipr_member_type type;
    enum ipr_member_storage stored;
    int dims;             /* 1: a list, 2: a square matrix, -1: an object of names */
    int when;             /* IPR_WHEN_*, or index of the member without which it is absent */
    enum ipr_shape_id of; /* of IPR_MEMBER_SHAPE */
    size_t offset;
    const char *unit; /* "" for none */
    int digits;       /* decimals on a page; -1: not a number */
    const char *meaning, *source;
    const char *choices; /* of a text, "w, b"; NULL: any */
    const char *others;  /* further types that it can have, by spaces; NULL: none */
    const char *ref;     /* name of the schema of IPR_MEMBER_REF */
};

struct ipr_shape {
    const char *name;
    size_t size; /* of its structure; 0: it has none, since its JSON is made elsewhere */
    const struct ipr_member *members;
    size_t n;
    const char *unit, *meaning, *source;
};

/** Of ids from 1 to IPR_SHAPES - 1. */
const struct ipr_shape *ipr_shape(enum ipr_shape_id id);
/** IPR_SHAPE_NONE if there is none of that name. */
enum ipr_shape_id ipr_shape_named(const char *name);
/** NULL if there is none. */
const struct ipr_member *ipr_shape_member(enum ipr_shape_id id, const char *name);
/** A digest of the shapes with structures; it changes when the members of any do. */
uint32_t ipr_shapes_digest(void);
/** FNV-1a (Fowler, Noll, Vo) of a text, continued from `hash`. */
uint32_t ipr_shape_hash(uint32_t hash, const char *text);

/** Sets every member to unknown. */
void ipr_shape_blank(enum ipr_shape_id id, void *figure);
/** Copies one. */
void *ipr_shape_copy(enum ipr_shape_id id, const void *figure, struct ipr_arena *mem);
/** Makes a blank one. */
void *ipr_shape_new(enum ipr_shape_id id, struct ipr_arena *mem);

/** The figure as JSON, numbers with 10 significant digits. Takes the members stored as JSON. New
 * reference. */
json_t *ipr_shape_json(enum ipr_shape_id id, const void *figure);
/** {name: count}. New reference. */
json_t *ipr_shape_counts(const struct ipr_figure_counts *counts);
/** Reads the output of ipr_shape_json. Members stored as JSON and matrices are not read. */
void ipr_shape_read(enum ipr_shape_id id, const json_t *json, struct ipr_arena *mem, void *figure);

#endif
