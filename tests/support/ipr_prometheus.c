#include "ipr_prometheus.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ipr_test.h"

struct prometheus {
    const char *at;
    char family[128], type[16], seen[4096]; /* names of families, each between spaces */
    double last_bucket;                     /* cumulative; of the histogram under way */
    bool infinite;                          /* its last bucket was seen */
    int families;
};

static bool prometheus_name(const char *s, size_t n, bool colon)
{
    if (n == 0 || isdigit((unsigned char)s[0]))
        return false;
    for (size_t i = 0; i < n; i++)
        if (!isalnum((unsigned char)s[i]) && s[i] != '_' && !(colon && s[i] == ':'))
            return false;
    return true;
}

static void prometheus_fail(const struct prometheus *p, const char *what)
{
    fail_msg("%s: %.*s", what, (int)strcspn(p->at, "\n"), p->at);
}

/* "# HELP name text\n# TYPE name kind\n" */
static void prometheus_family(struct prometheus *p)
{
    char name[sizeof p->family], mark[sizeof p->family + 2];
    const char *s = p->at + strlen("# HELP ");
    size_t n = strcspn(s, " \n");

    if (strncmp(p->at, "# HELP ", 7) != 0 || !prometheus_name(s, n, true) || s[n] != ' ')
        prometheus_fail(p, "no HELP");
    snprintf(name, sizeof name, "%.*s", (int)n, s);
    if (strncmp(s + n + 1, name, n) == 0) /* what a catalogue says that does not have the name */
        prometheus_fail(p, "HELP that repeats the name");
    snprintf(mark, sizeof mark, " %s ", name);
    if (strstr(p->seen, mark) != NULL)
        prometheus_fail(p, "a family told twice");
    assert_true(strlen(p->seen) + strlen(mark) < sizeof p->seen);
    strncat(p->seen, mark, sizeof p->seen - strlen(p->seen) - 1);
    for (const char *c = s; *c != '\n' && *c != '\0'; c++)
        if (*c == '\\' && c[1] != '\\' && c[1] != 'n')
            prometheus_fail(p, "an escape that is none");
    p->at += strcspn(p->at, "\n") + 1;
    n = strlen(name);
    if (strncmp(p->at, "# TYPE ", 7) != 0 || strncmp(p->at + 7, name, n) != 0 ||
        p->at[7 + n] != ' ')
        prometheus_fail(p, "no TYPE after HELP");
    s = p->at + 8 + n;
    snprintf(p->type, sizeof p->type, "%.*s", (int)strcspn(s, "\n"), s);
    if (strcmp(p->type, "counter") != 0 && strcmp(p->type, "gauge") != 0 &&
        strcmp(p->type, "histogram") != 0)
        prometheus_fail(p, "no type");
    if ((strcmp(p->type, "counter") == 0) != (n > 6 && strcmp(name + n - 6, "_total") == 0))
        prometheus_fail(p, "counters, and they alone, are totals");
    snprintf(p->family, sizeof p->family, "%s", name);
    p->at += strcspn(p->at, "\n") + 1;
    p->families++;
    p->last_bucket = 0.0;
    p->infinite = false;
}

/* Past "{a="b",c="d"}"; keeps the label "le". */
static const char *prometheus_labels(const struct prometheus *p, const char *s, char le[32])
{
    do {
        const size_t n = strcspn(++s, "=");
        const char *const name = s;

        if (!prometheus_name(s, n, false) || s[n] != '=' || s[n + 1] != '"')
            prometheus_fail(p, "no label");
        s += n + 2;
        const char *const value = s;
        for (; *s != '"'; s++) {
            if (*s == '\n' || *s == '\0' ||
                (*s == '\\' && s[1] != '\\' && s[1] != '"' && s[1] != 'n'))
                prometheus_fail(p, "a label that is not closed");
            s += *s == '\\';
        }
        if (n == 2 && strncmp(name, "le", 2) == 0)
            snprintf(le, 32, "%.*s", (int)(s - value), value);
        s++;
    } while (*s == ',');
    if (*s != '}')
        prometheus_fail(p, "labels that are not closed");
    return s + 1;
}

static void prometheus_bucket(struct prometheus *p, const char *part, const char *le, double value)
{
    if (strcmp(part, "_bucket") == 0) {
        if (le[0] == '\0' || value < p->last_bucket || p->infinite)
            prometheus_fail(p, "buckets grow up to +Inf");
        p->last_bucket = value;
        p->infinite = strcmp(le, "+Inf") == 0;
    } else if (strcmp(part, "_count") == 0) {
        if (!p->infinite || fabs(value - p->last_bucket) > 0.0)
            prometheus_fail(p, "the count is the last bucket");
    } else if (strcmp(part, "_sum") != 0) {
        prometheus_fail(p, "no part of a histogram");
    }
}

static void prometheus_sample(struct prometheus *p)
{
    const size_t n = strcspn(p->at, " {\n"), own = strlen(p->family);
    char part[16] = "", le[32] = "", *end;
    const char *s = p->at + n;

    if (!prometheus_name(p->at, n, true) || n < own || strncmp(p->at, p->family, own) != 0)
        prometheus_fail(p, "a sample outside its family");
    snprintf(part, sizeof part, "%.*s", (int)(n - own), p->at + own);
    if (*s == '{')
        s = prometheus_labels(p, s, le);
    if (*s != ' ')
        prometheus_fail(p, "no value");
    const double value = strtod(s + 1, &end);
    if (end == s + 1 || *end != '\n')
        prometheus_fail(p, "no number");
    if (strcmp(p->type, "histogram") == 0)
        prometheus_bucket(p, part, le, value);
    else if (part[0] != '\0')
        prometheus_fail(p, "a sample of another name");
    if (strcmp(p->type, "counter") == 0 && !(value >= 0.0))
        prometheus_fail(p, "a counter below 0");
    p->at = end + 1;
}

int ipr_prometheus_read(const char *text)
{
    struct prometheus p = { .at = text };

    assert_int_equal(text[strlen(text) - 1], '\n');
    while (*p.at != '\0') {
        if (*p.at == '#')
            prometheus_family(&p);
        else
            prometheus_sample(&p);
    }
    return p.families;
}

double ipr_prometheus_value(const char *text, const char *sample)
{
    const size_t n = strlen(sample);

    for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1)
        if (strncmp(line, sample, n) == 0 && line[n] == ' ')
            return strtod(line + n, NULL);
    fail_msg("no %s in %s", sample, text);
    return NAN;
}
