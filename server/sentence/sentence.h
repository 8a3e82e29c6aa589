#ifndef IPR_SENTENCE_SENTENCE_H
#define IPR_SENTENCE_SENTENCE_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "base/error.h"
#include "base/mem.h"
#include "stats/interval.h"
#include "tmpl/mustache.h"

/*
 * The sentences that answers and pages compose. Their words stand in templates/sentences/PAGE.txt;
 * the code chooses a case and fills its slots. Texts are read when a program starts, so that words
 * change without a compiler; names, cases and slots are compiled (server/sentences.awk), so that a
 * sentence without a text, a text without a sentence, or a tag without a slot stops the build or
 * the start.
 *
 *   # comment
 *   sentence NAME | what it is about
 *   slot NAME TYPE EXAMPLE
 *   case NAME | TEXT
 *       that goes on behind four blanks
 *
 * Types are text, texts ("a; b"), number, interval ("1 to 2", "1 to"), each with a ? where the slot
 * may be empty, and flag, which has no example. A text is a template (tmpl/mustache.h) with the
 * formatters of pages, but plain: nothing is escaped; `.|` formats all slots together. A slot is
 * null, and its section skipped, where it is NULL, NaN, false or has no texts. A sentence without
 * slots is a fixed text. `make sentences` prints every case with its examples.
 */

/** Several texts, as {{names|list}} joins them. */
struct ipr_texts {
    const char *const *at;
    size_t n;
};

#include "sentences.h" /* generated: ids, slots, and a function ipr_say_PAGE_SENTENCE of each */

/** Reads DIR/sentences/ *.txt; of NULL, for programs without templates/, the texts are those that
 * were built in, as fixed ones are before. Once, before the first sentence with slots and before
 * other threads start. `formatters` are borrowed for ever. IPR_EPARSE, located, also where a case
 * has no text. */
IPR_CHECK enum ipr_code ipr_sentences_load(const char *dir,
                                           const struct ipr_tmpl_formatter *formatters,
                                           struct ipr_err *err);
void ipr_sentences_free(void);

/** Hash of all texts: a part of every ETag. */
uint64_t ipr_sentences_hash(void);

/* The words that pages have for keys: the cases of templates/sentences/words.txt. */

struct ipr_word {
    const char *key, *text; /* the key of the last is NULL */
};

/** The words of a dictionary in their order; NULL when there is none of that name. */
const struct ipr_word *ipr_sentence_words(const char *dictionary);

/** The text of a key, or the key itself where the dictionary does not have it. */
const char *ipr_sentence_word(const struct ipr_word *words, const char *key);

/* A sentence as it is compiled, in `sentences_table.h`. */
enum sentence_slot_type {
    IPR_SLOT_TEXT,
    IPR_SLOT_TEXTS,
    IPR_SLOT_NUMBER,
    IPR_SLOT_FLAG,
    IPR_SLOT_INTERVAL
};

struct ipr_sentence_slot {
    const char *name; /* NULL: the last */
    enum sentence_slot_type type;
    size_t offset; /* in the struct of the sentence's slots */
    bool optional;
    const char *example;
};

struct ipr_sentence_case {
    const char *name; /* "event.leader.one" */
    const struct ipr_sentence_slot *slots;
    struct ipr_word *word; /* of a fixed text; or NULL */
    const char *built;     /* the text at the time of the build */
};

/** A case with these slots, by name. Takes `data`. */
const char *ipr_sentence_render(enum ipr_sentence_id id, json_t *data, struct ipr_arena *mem);

#endif
