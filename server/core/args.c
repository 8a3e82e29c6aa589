#include "core/args.h"

#include <assert.h>
#include <string.h>

#include "base/str.h"

#define LINE_COLUMNS 80

static int option_index(const struct ipr_args *a, const char *name)
{
    int i = 0;

    assert(a->options != NULL);
    while (a->options[i].name != NULL && strcmp(a->options[i].name, name) != 0)
        i++;
    assert(a->options[i].name != NULL);
    return i;
}

size_t ipr_args_values(const struct ipr_args *a, const char *name, const char **out, size_t most)
{
    const int option = option_index(a, name);
    size_t n = 0;

    for (int i = 0; i < a->n_given && n < most; i++)
        if (a->given[i].option == option)
            out[n++] = a->given[i].text;
    return n;
}

const char *ipr_args_value(const struct ipr_args *a, const char *name)
{
    const char *all[IPR_ARGS_GIVEN];
    const size_t n = ipr_args_values(a, name, all, IPR_ARGS_GIVEN);

    return n > 0 ? all[n - 1] : NULL;
}

bool ipr_args_has(const struct ipr_args *a, const char *name)
{
    return ipr_args_value(a, name) != NULL;
}

enum ipr_code ipr_args_number(const struct ipr_args *a, const char *name, int64_t lo, int64_t hi,
                              int *out, struct ipr_err *err)
{
    const char *text = ipr_args_value(a, name);
    int64_t v = *out;

    if (text != NULL && !ipr_str_int(ipr_str_c(text), lo, hi, &v))
        return ipr_err_set(err, IPR_EPARSE,
                           "--%s: expected a whole number from %lld to %lld, got '%s'", name,
                           (long long)lo, (long long)hi, text);
    *out = (int)v;
    return IPR_OK;
}

enum ipr_code ipr_args_choice(const struct ipr_args *a, const char *name, int *out,
                              struct ipr_err *err)
{
    const char *const text = ipr_args_value(a, name);
    const char *const words = a->options[option_index(a, name)].value;
    const char *word = words;

    for (int i = 0; text != NULL && *word != '\0'; i++) {
        const size_t n = strcspn(word, "|");
        if (strlen(text) == n && memcmp(text, word, n) == 0) {
            *out = i;
            return IPR_OK;
        }
        word += n + (word[n] == '|');
    }
    if (text == NULL)
        return IPR_OK;
    if (strchr(words, '|') == NULL)
        return ipr_err_set(err, IPR_EPARSE, "--%s: '%s' is not '%s'", name, text, words);
    return ipr_err_set(err, IPR_EPARSE, "--%s: '%s' is not one of %s", name, text, words);
}

void ipr_help_wrap(FILE *to, int indent, const char *text)
{
    size_t column = 0;

    while (*text != '\0') {
        const size_t n = strcspn(text, " ");
        if (column > 0 && column + 1 + n > LINE_COLUMNS) {
            fputc('\n', to);
            column = 0;
        }
        if (column == 0)
            column = (size_t)fprintf(to, "%*s%.*s", indent, "", (int)n, text);
        else
            column += (size_t)fprintf(to, " %.*s", (int)n, text);
        text += n + (text[n] == ' ');
    }
    fputc('\n', to);
}

void ipr_option_help(const struct ipr_option *o, FILE *to)
{
    fprintf(to, "      --%s", o->name);
    if (o->value != NULL)
        fprintf(to, "=%s", o->value);
    fputc('\n', to);
    ipr_help_wrap(to, 10, o->help);
}
