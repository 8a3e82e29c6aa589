#include "sentence/sentence.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

#include "sentences_table.h" /* generated */

/* One set for the whole program, as its code is: read once at the start and never changed. */
static struct ipr_tmpl_set *sentences;
static struct ipr_arena words_mem;

/* ---- reading ---- */

/* One file while it is read: the case whose text is being collected. */
struct sentence_file {
    char path[768], page[64], sentence[64];
    char name[160]; /* "event.leader.one" */
    struct ipr_buf text;
    unsigned line, begin; /* of the case */
    struct ipr_err *err;
};

/* Every tag names a slot: the words of one that does not would be lost without a trace. */
static enum ipr_code sentence_check_tags(const struct sentence_file *f,
                                         const struct ipr_sentence_slot *slots)
{
    for (const char *at = ipr_buf_c(&f->text); (at = strstr(at, "{{")) != NULL;) {
        const struct ipr_sentence_slot *slot = slots;

        at += strspn(at, "{#^/ ");
        const size_t n = strcspn(at, "|} ");
        while (slot->name != NULL && (strncmp(slot->name, at, n) != 0 || slot->name[n] != '\0'))
            slot++;
        if (slot->name == NULL && strncmp(at, ".|", 2) != 0)
            return ipr_err_set(f->err, IPR_EPARSE, "%s:%u: %s has no slot \"%.*s\"", f->path,
                               f->begin, f->name, (int)n, at);
    }
    return IPR_OK;
}

static enum ipr_code sentence_add(size_t i, struct ipr_str text, struct ipr_err *err)
{
    if (sentence_cases[i].word != NULL)
        sentence_cases[i].word->text = ipr_arena_strndup(&words_mem, text.p, text.n);
    return ipr_tmpl_set_add(sentences, IPR_TMPL_PLAIN, sentence_cases[i].name, text, err);
}

/* Adds the case that was collected, if there is one. */
static enum ipr_code sentence_end(struct sentence_file *f)
{
    size_t i = 0;

    if (f->name[0] == '\0')
        return IPR_OK;
    while (i < IPR_SENTENCES && strcmp(sentence_cases[i].name, f->name) != 0)
        i++;
    if (i == IPR_SENTENCES)
        return ipr_err_set(f->err, IPR_EPARSE, "%s:%u: %s is not in this program", f->path,
                           f->begin, f->name);
    enum ipr_code rc = sentence_check_tags(f, sentence_cases[i].slots);
    if (rc == IPR_OK)
        rc = sentence_add(i, (struct ipr_str){ ipr_buf_c(&f->text), f->text.n }, f->err);
    f->name[0] = '\0';
    ipr_buf_reset(&f->text);
    return rc;
}

/* Returns what stands behind "KEYWORD NAME | "; NULL: the line is no such one. */
static const char *sentence_rest(const char *line, const char *keyword, char name[64])
{
    const size_t n = strlen(keyword);
    const char *const bar = strstr(line, " | ");

    if (strncmp(line, keyword, n) != 0 || bar == NULL || bar < line + n || bar >= line + n + 64)
        return NULL;
    snprintf(name, 64, "%.*s", (int)(bar - line - (ptrdiff_t)n), line + n);
    return bar + strlen(" | ");
}

static enum ipr_code sentence_line(struct sentence_file *f, char *line)
{
    char name[64];

    line[strcspn(line, "\n")] = '\0';
    if (line[0] == '#' || line[0] == '\0')
        return IPR_OK;
    if (strncmp(line, "    ", 4) == 0 && f->name[0] != '\0') {
        ipr_buf_printf(&f->text, " %s", line + 4);
        return IPR_OK;
    }
    const enum ipr_code rc = sentence_end(f);
    if (rc != IPR_OK || strncmp(line, "slot ", 5) == 0 ||
        sentence_rest(line, "sentence ", f->sentence) != NULL)
        return rc;
    const char *const text = sentence_rest(line, "case ", name);
    if (text == NULL)
        return ipr_err_set(f->err, IPR_EPARSE, "%s:%u: not a sentence, slot or case", f->path,
                           f->line);
    snprintf(f->name, sizeof f->name, "%.40s.%.50s.%.50s", f->page, f->sentence, name);
    f->begin = f->line;
    ipr_buf_puts(&f->text, text);
    return IPR_OK;
}

static enum ipr_code sentence_file_read(const char *dir, const char *file, struct ipr_err *err)
{
    struct sentence_file f = { .text = IPR_BUF_INIT, .err = err };
    char *line = NULL;
    size_t size = 0;
    enum ipr_code rc = IPR_OK;

    snprintf(f.path, sizeof f.path, "%s/%s", dir, file);
    snprintf(f.page, sizeof f.page, "%.*s", (int)(strlen(file) - strlen(".txt")), file);
    FILE *in = fopen(f.path, "re");
    if (in == NULL)
        return ipr_err_set(err, IPR_EIO, "cannot read %s: %s", f.path, strerrordesc_np(errno));
    while (rc == IPR_OK && getline(&line, &size, in) > 0) {
        f.line++;
        rc = sentence_line(&f, line);
    }
    if (rc == IPR_OK)
        rc = sentence_end(&f);
    if (rc == IPR_OK && ferror(in))
        rc = ipr_err_set(err, IPR_EIO, "cannot read %s", f.path);
    fclose(in);
    free(line);
    ipr_buf_release(&f.text);
    return rc;
}

static enum ipr_code sentences_read(const char *dir, struct ipr_err *err)
{
    char path[512];
    struct dirent **entry = NULL;
    enum ipr_code rc = IPR_OK;

    snprintf(path, sizeof path, "%s/sentences", dir);
    const int n = scandir(path, &entry, NULL, alphasort);
    if (n < 0)
        return ipr_err_set(err, IPR_EIO, "cannot read %s: %s", path, strerrordesc_np(errno));
    for (int i = 0; i < n; i++) {
        const char *const dot = strrchr(entry[i]->d_name, '.');

        if (rc == IPR_OK && dot != NULL && strcmp(dot, ".txt") == 0)
            rc = sentence_file_read(path, entry[i]->d_name, err);
        free(entry[i]);
    }
    free(entry);
    for (size_t i = 0; rc == IPR_OK && i < IPR_SENTENCES; i++)
        if (!ipr_tmpl_set_has(sentences, IPR_TMPL_PLAIN, sentence_cases[i].name))
            rc = ipr_err_set(err, IPR_EPARSE, "%s: no text for %s", path, sentence_cases[i].name);
    return rc;
}

enum ipr_code ipr_sentences_load(const char *dir, const struct ipr_tmpl_formatter *formatters,
                                 struct ipr_err *err)
{
    ipr_sentences_free();
    sentences = ipr_tmpl_set_new(NULL, formatters);
    enum ipr_code rc = dir != NULL ? sentences_read(dir, err) : IPR_OK;
    for (size_t i = 0; dir == NULL && rc == IPR_OK && i < IPR_SENTENCES; i++)
        rc = sentence_add(i, ipr_str_c(sentence_cases[i].built), err);
    if (rc != IPR_OK)
        ipr_sentences_free();
    return rc;
}

void ipr_sentences_free(void)
{
    ipr_tmpl_set_free(&sentences);
    for (size_t i = 0; i < IPR_SENTENCES; i++)
        if (sentence_cases[i].word != NULL)
            sentence_cases[i].word->text = sentence_cases[i].built;
    ipr_arena_release(&words_mem);
}

const struct ipr_word *ipr_sentence_words(const char *dictionary)
{
    for (size_t i = 0; i < sizeof dictionaries / sizeof *dictionaries; i++)
        if (strcmp(dictionaries[i].name, dictionary) == 0)
            return dictionaries[i].words;
    return NULL;
}

/* A key of words.txt has no blank. */
static bool is_word_key(const char *word, const char *key)
{
    while (*word != '\0' && (*word == *key || (*word == '_' && *key == ' ')))
        word++, key++;
    return *word == *key;
}

const char *ipr_sentence_word(const struct ipr_word *words, const char *key)
{
    for (const struct ipr_word *w = words; w->key != NULL; w++)
        if (is_word_key(w->key, key))
            return w->text;
    return key;
}

uint64_t ipr_sentences_hash(void)
{
    return sentences != NULL ? ipr_tmpl_set_hash(sentences) : 0;
}

/* ---- rendering ---- */

static json_t *slot_number(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

static json_t *slot_json(const struct ipr_sentence_slot *slot, const void *at)
{
    const struct ipr_interval *const interval = at;
    const struct ipr_texts *const texts = at;
    json_t *list;

    switch (slot->type) {
    case IPR_SLOT_TEXT:
        return *(const char *const *)at != NULL ? json_string(*(const char *const *)at)
                                                : json_null();
    case IPR_SLOT_NUMBER:
        return slot_number(*(const double *)at);
    case IPR_SLOT_FLAG:
        return json_boolean(*(const bool *)at);
    case IPR_SLOT_INTERVAL:
        return isfinite(interval->lo) || isfinite(interval->hi)
                   ? json_pack("{s:o, s:o}", "low", slot_number(interval->lo), "high",
                               slot_number(interval->hi))
                   : json_null();
    case IPR_SLOT_TEXTS:
        break;
    }
    list = json_array();
    for (size_t i = 0; i < texts->n; i++)
        json_array_append_new(list, json_string(texts->at[i]));
    return list;
}

const char *ipr_sentence_render(enum ipr_sentence_id id, json_t *data, struct ipr_arena *mem)
{
    struct ipr_buf out = IPR_BUF_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    const char *text = NULL;

    if (sentences == NULL) {
        fputs("ipr_sentence before ipr_sentences_load\n", stderr);
        abort();
    }
    /* The set has every case; a text that is too long for a page is not said. */
    if (ipr_tmpl_render_plain(sentences, sentence_cases[id].name, data, &out, &err) == IPR_OK)
        text = ipr_arena_strndup(mem, ipr_buf_c(&out), out.n);
    ipr_buf_release(&out);
    json_decref(data);
    return text;
}

const char *ipr_sentence_fixed(enum ipr_sentence_id id)
{
    return sentence_cases[id].word->text;
}

const char *ipr_sentence(enum ipr_sentence_id id, const void *slots, struct ipr_arena *mem)
{
    json_t *data = json_object();

    for (const struct ipr_sentence_slot *s = sentence_cases[id].slots; s->name != NULL; s++)
        json_object_set_new(data, s->name, slot_json(s, (const char *)slots + s->offset));
    return ipr_sentence_render(id, data, mem);
}
