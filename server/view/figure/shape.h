#ifndef IPR_VIEW_FIGURE_SHAPE_H
#define IPR_VIEW_FIGURE_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "base/mem.h"
#include "core/openings.h"
#include "pgn/time_class.h"
#include "stats/interval.h"

/*
 * What answers consist of. members.def describes ratings and predictions, server/answers.def all
 * other answers, view/page/pages.def what pages add; from them come the structures below (struct
 * ipr_figure_NAME, ipr_answer_NAME, ipr_page_NAME) and the table by which they are written as JSON
 * and read back. The language is explained at the head of members.def.
 *
 * A structure is filled from a blank one (ipr_shape_new, ipr_shape_list): there every member is
 * unknown, which is NaN, IPR_NO_COUNT (of figures IPR_UNKNOWN), -1 of a flag, NULL. The writer
 * decides by the table whether what is unknown is null or absent.
 */

#define IPR_UNKNOWN  SIZE_MAX
#define IPR_NO_COUNT INT64_MIN
/* These stand for null in a "nullable" member, which is absent while it is unknown; of numbers
 * INFINITY does, of texts "". */
#define IPR_NULL_COUNT (INT64_MIN + 1)
#define IPR_NULL_FLAG  (-2)
#define IPR_NULL       ((void *)&ipr_null) /* of an object */
extern char ipr_null;

/** {name: count}; counts of 0 are not written. */
struct ipr_figure_counts {
    bool known;
    struct {
        const char *name;
        size_t n;
    } of[IPR_TIME_CLASSES]; /* none has more names */
};

#include "figures.h" /* generated */

enum ipr_member_type {
    IPR_MEMBER_NUMBER,
    IPR_MEMBER_COUNT, /* int64_t */
    IPR_MEMBER_SIZE,  /* the same of figures: size_t */
    IPR_MEMBER_FLAG,
    IPR_MEMBER_TEXT,
    IPR_MEMBER_INTERVAL, /* {"low", "high", "level"}; an open end is null */
    IPR_MEMBER_COUNTS,
    IPR_MEMBER_SHAPE,
    IPR_MEMBER_TIME, /* RFC 3339 */
    IPR_MEMBER_REF   /* JSON of a schema that is described elsewhere */
};

enum ipr_member_storage {
    IPR_STORED_VALUE,
    IPR_STORED_POINTER,
    IPR_STORED_JSON,
    IPR_STORED_ANY, /* one of several types */
    IPR_STORED_ROW  /* in the row of the database that the structure points to */
};

enum {
    IPR_WHEN_GIVEN = -1,
    IPR_WHEN_ALWAYS = -2,
    IPR_WHEN_KNOWN = -3,
    IPR_WHEN_NULLABLE = -4,
    IPR_WHEN_PAGE = -5 /* where it is known, and only for pages */
};

struct ipr_member {
    const char *name;
    enum ipr_member_type type;
    enum ipr_member_storage stored;
    int dims;             /* 1: a list, 2: a square matrix, -1: an object of names */
    int when;             /* IPR_WHEN_*, or index of the member without which it is absent */
    int64_t from;         /* a number below it is unknown; IPR_NO_COUNT: none is */
    enum ipr_shape_id of; /* of IPR_MEMBER_SHAPE */
    size_t offset, size;  /* size: of an element of a list; 0: it is a row */
    const char *unit;     /* "" for none */
    int digits;           /* decimals on a page; -1: not a number */
    const char *meaning, *source;
    const char *choices; /* of a text, "w, b"; NULL: any */
    const char *others;  /* further types that it can have, by spaces; NULL: none */
    const char *ref;     /* name of the schema of IPR_MEMBER_REF */
    const struct ipr_member
        *any; /* of IPR_STORED_ANY: the types, as members; the last has no name */
};

struct ipr_shape {
    const char *name;
    size_t size; /* of its structure; 0: that is a row of the database */
    const struct ipr_member *members;
    size_t n;
    const char *unit, *meaning, *source;
    bool figure;           /* of members.def */
    enum ipr_shape_id row; /* the shape whose fields of a row it has; IPR_SHAPE_NONE: no row */
    size_t row_offset;     /* of the pointer to that */
};

/** The shape of an id from 1 to IPR_SHAPES - 1. */
const struct ipr_shape *ipr_shape(enum ipr_shape_id id);
/** IPR_SHAPE_NONE if there is none of that name. */
enum ipr_shape_id ipr_shape_named(const char *name);
/** NULL if there is none. */
const struct ipr_member *ipr_shape_member(enum ipr_shape_id id, const char *name);
/** A digest of the shapes of figures; it changes when the members of any do. */
uint32_t ipr_shapes_digest(void);
/** FNV-1a (Fowler, Noll, Vo) of a text, continued from `hash`. */
uint32_t ipr_shape_hash(uint32_t hash, const char *text);

/** Sets every member to unknown. */
void ipr_shape_blank(enum ipr_shape_id id, void *figure);
/** Copies one. */
void *ipr_shape_copy(enum ipr_shape_id id, const void *figure, struct ipr_arena *mem);
/** Makes a blank one; n in a row. */
void *ipr_shape_new(enum ipr_shape_id id, struct ipr_arena *mem);
void *ipr_shape_list(enum ipr_shape_id id, size_t n, struct ipr_arena *mem);

/** As JSON, numbers with 10 significant digits. Takes the members stored as JSON. Elements of a
 * list that are blank are null. New reference. */
json_t *ipr_shape_json(enum ipr_shape_id id, const void *figure);
/** The same with the members that only pages have. */
json_t *ipr_shape_page_json(enum ipr_shape_id id, const void *figure);
/** {name: count}. New reference. */
json_t *ipr_shape_counts(const struct ipr_figure_counts *counts);
/** An id and a name. */
struct ipr_figure_named ipr_named(int64_t id, const char *name);
/** The opening of a game: code and name. */
struct ipr_answer_played_opening ipr_opened(const struct ipr_opening *o, struct ipr_arena *mem);
/** Reads the output of ipr_shape_json, also where it is kept as JSON (reports). */
void ipr_shape_read(enum ipr_shape_id id, const json_t *json, struct ipr_arena *mem, void *figure);

#endif
