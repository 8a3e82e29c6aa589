#ifndef IPR_RESOURCE_RESOURCE_H
#define IPR_RESOURCE_RESOURCE_H

#include "base/error.h"
#include "base/mem.h"
#include "base/str.h"
#include "resource/scopes.h"
#include "resources.h"

/* The resources of the service, as described by server/resources.def. */

enum ipr_param_type {
    IPR_PARAM_INT,    /* int, or int64_t if the range needs it; 0 or IPR_PARAM_ABSENT: absent */
    IPR_PARAM_REAL,   /* double; NaN: absent */
    IPR_PARAM_BOOL,   /* bool */
    IPR_PARAM_CHOICE, /* int, index of the word; -1: absent */
    IPR_PARAM_SET,    /* unsigned, a bit for each word; 0: absent */
    IPR_PARAM_TIMES,  /* unsigned, set of IPR_TIME_BIT; 0: absent */
    IPR_PARAM_TEXT,   /* const char *; NULL: absent */
    IPR_PARAM_TEXTS,  /* struct ipr_param_texts: the parameter may be repeated */
    IPR_PARAM_CURSOR, /* the same */
    IPR_PARAM_DATE,   /* the same, of a year, month or day: "2020-05-31" */
    IPR_PARAM_SIDE,   /* struct ipr_param_side */
    IPR_PARAM_INTS,   /* struct ipr_param_ints */
    IPR_PARAM_JSON,   /* const json_t *, borrowed from the body; NULL: absent */
};

struct ipr_param_def {
    const char *name, *help;
    enum ipr_param_type type;
    size_t at, size;          /* in the struct of the resource */
    double lo, hi;            /* of numbers, both included; of a text hi characters at most */
    const char *const *words; /* of choices and sets, ended by NULL */
    const char *preset;       /* the default as it would be given; NULL: none */
    const char *of;           /* "covariance,markov": the methods it belongs to; NULL: all */
    const char *with;         /* the parameter that it goes with; NULL: none */
    const char *without;      /* "from,to": those that it excludes; NULL: none */
    const char *upto;         /* the parameter that it is not above; NULL: none */
    bool required;
    bool query;  /* of a write: in the address, not in the body */
    bool api;    /* not of the resource's page */
    bool paging; /* which part of a list, and how its rows look: not which rows it has */
    bool shared; /* of a set: selects data, not how they are used */
    bool rows;   /* chooses a table for CSV and NDJSON: of no other effect on the answer */
};

/** A bound of a whole number; the largest one is rounded up in a double. */
static inline int64_t ipr_param_whole(double bound)
{
    return bound >= 0x1p63 ? INT64_MAX : (int64_t)bound;
}

/** True if an answer says what was given for it among its "params": it is neither shared nor of
 * the format alone. */
static inline bool ipr_param_is_own(const struct ipr_param_def *d)
{
    return !d->shared && !d->rows;
}

/** The cost of an answer. */
enum ipr_resource_cost { IPR_COST_CHEAP, IPR_COST_LIST, IPR_COST_HEAVY };

/** The data that an answer depends on (db/versions.h). */
enum ipr_resource_depends {
    IPR_DEPENDS_NOTHING, /* it is no view */
    IPR_DEPENDS_QUEUE,   /* has no version: computed each time, the ETag is of the body */
    IPR_DEPENDS_STORE,
    IPR_DEPENDS_PLAYER, /* its parameter `player` */
    IPR_DEPENDS_SIDES,  /* `white` and `black` */
    IPR_DEPENDS_EVENT,
    IPR_DEPENDS_GAME,
};

enum ipr_resource_flag {
    IPR_FLAG_UPLOAD = 1,   /* the body is spooled; a browser's form may post here */
    IPR_FLAG_BODY = 2,     /* a small body: JSON or a form (http/base/body.h) */
    IPR_FLAG_FORMS = 4,    /* its page has forms, and says whether they need a token */
    IPR_FLAG_FISHNET = 8,  /* the fishnet protocol, which has its own keys and bodies */
    IPR_FLAG_RAW = 16,     /* a body of any type, spooled as it is */
    IPR_FLAG_STREAM = 64,  /* server-sent events */
    IPR_FLAG_REPORT = 128, /* computed as a job and stored (view/report/report.h) */
    IPR_FLAG_PERSON = 256, /* its page is at the id of the person's root */
    IPR_FLAG_PGN = 512,    /* also as PGN */
    IPR_FLAG_OPEN = 2048,  /* beside /api: pages of other sites may read it, too */
    IPR_FLAG_SCOPED =
        8192, /* without time_class it is about the pool with most games of its scope */
    IPR_FLAG_FORMATS = 16384, /* its handler writes every format */
    IPR_FLAG_KEEPS = 4096,    /* its page has its form again, filled in, where it is refused */
};

/** Rows of an answer as CSV and NDJSON, beside its list or where it is none. */
struct ipr_table {
    const char *name;    /* as the parameter `rows` has it */
    const char *rows;    /* paths in the answer, by spaces: "forms.*.curve.*" */
    const char *columns; /* by spaces, "form=^^@ x rho" (http/answer/tables.h) */
};

struct ipr_resource {
    const char *name, *title;
    const char *api;  /* first address of the API, "/api/v1/players/{player}"; NULL: none */
    const char *page; /* its page, "/players/{player}"; NULL: none */
    const char *page_template;  /* its name */
    const char *menu, *heading; /* entry of the menu that the page belongs to; title, NULL if it is
                                   made from figures */
    const char *redirect;       /* member with the page that answers instead; NULL: none */
    const char *rows;           /* member with the rows of a list; NULL: no list */
    const char *columns; /* of the rows as CSV, by spaces: "id name elo.estimate"; NULL: no list */
    const char *each;    /* list in a row that has a line of CSV for each; NULL: a line a row */
    const struct ipr_table *tables; /* ended by a NULL name; NULL: none */
    const char *types; /* media types of a body that is a file, by spaces; NULL: not checked */
    enum ipr_resource_cost cost;
    enum ipr_resource_depends depends;
    unsigned flags;
    unsigned scope; /* that a token needs to write there (resource/scopes.h); 0: of no token */
    const struct ipr_param_def *params; /* ended by a NULL name */
    const void *init;                   /* the struct with its defaults */
    size_t size;
};

const struct ipr_resource *ipr_resource_at(enum ipr_resource_id id);

/** An entry of the menu of every page, or of the second menu, which the pages of a section have. */
struct ipr_menu_entry {
    const char *section; /* name of its entry in the menu of every page; NULL: it is one */
    const char *name;    /* as ipr_resource.menu has it */
    const char *path, *label;
};

/** In their order; the name of the last is NULL. */
const struct ipr_menu_entry *ipr_resource_menu(void);

/** NULL: none of that name. */
const struct ipr_resource *ipr_resource_named(const char *name);

/** The resource whose page has this template; NULL: none. */
const struct ipr_resource *ipr_resource_of_page(const char *template_name);

/** NULL: it has no such parameter. */
const struct ipr_param_def *ipr_resource_param(const struct ipr_resource *r, const char *name);

/** True if a parameter belongs to a method: "all" and NULL include every one. */
bool ipr_param_of_method(const struct ipr_param_def *d, const char *method);

/** True if `name` is in a list of names such as "a,b"; `names` may be NULL. */
bool ipr_name_is_listed(const char *names, const char *name);

#endif
