#include "core/metrics.h"

#include <math.h>
#include <stdio.h>

static void metrics_put_escaped(struct ipr_buf *out, const char *s, bool quoted)
{
    for (; *s != '\0'; s++) {
        if (*s == '\\')
            ipr_buf_puts(out, "\\\\");
        else if (*s == '\n')
            ipr_buf_puts(out, "\\n");
        else if (*s == '"' && quoted)
            ipr_buf_puts(out, "\\\"");
        else
            ipr_buf_putc(out, *s);
    }
}

void ipr_metric_family(struct ipr_buf *out, const char *name, enum ipr_metric_type type,
                       const char *help)
{
    static const char *const types[] = { [IPR_METRIC_COUNTER] = "counter",
                                         [IPR_METRIC_GAUGE] = "gauge",
                                         [IPR_METRIC_HISTOGRAM] = "histogram" };

    ipr_buf_printf(out, "# HELP %s ", name);
    metrics_put_escaped(out, help, false);
    ipr_buf_printf(out, "\n# TYPE %s %s\n", name, types[type]);
}

void ipr_metric_sample(struct ipr_buf *out, const char *name, const struct ipr_metric_label *labels,
                       size_t n_labels, double value)
{
    ipr_buf_puts(out, name);
    for (size_t i = 0; i < n_labels; i++) {
        ipr_buf_printf(out, "%c%s=\"", i == 0 ? '{' : ',', labels[i].name);
        metrics_put_escaped(out, labels[i].value, true);
        ipr_buf_putc(out, '"');
    }
    ipr_buf_puts(out, n_labels > 0 ? "} " : " ");
    /* Whole numbers without exponent: a counter of 1000000000 must not become 1e+09. */
    if (isnan(value))
        ipr_buf_puts(out, "NaN");
    else if (isinf(value))
        ipr_buf_puts(out, value > 0 ? "+Inf" : "-Inf");
    else if (fabs(value) < 1e15 && round(value) == value)
        ipr_buf_printf(out, "%.0f", value);
    else
        ipr_buf_printf(out, "%.9g", value);
    ipr_buf_putc(out, '\n');
}

void ipr_metric_one(struct ipr_buf *out, const char *name, enum ipr_metric_type type,
                    const char *help, double value)
{
    ipr_metric_family(out, name, type, help);
    ipr_metric_sample(out, name, NULL, 0, value);
}

static void metrics_put_part(struct ipr_buf *out, const char *name, const char *part,
                             const char *le, double value)
{
    const struct ipr_metric_label label = { "le", le };
    char full[128];

    snprintf(full, sizeof full, "%s_%s", name, part);
    ipr_metric_sample(out, full, &label, le != NULL ? 1 : 0, value);
}

void ipr_metric_histogram(struct ipr_buf *out, const char *name, const double *bounds,
                          const uint64_t *counts, size_t n, double sum)
{
    uint64_t so_far = 0;
    char le[32];

    for (size_t i = 0; i < n; i++) {
        so_far += counts[i];
        snprintf(le, sizeof le, "%g", bounds[i]);
        metrics_put_part(out, name, "bucket", le, (double)so_far);
    }
    so_far += counts[n];
    metrics_put_part(out, name, "bucket", "+Inf", (double)so_far);
    metrics_put_part(out, name, "sum", NULL, sum);
    metrics_put_part(out, name, "count", NULL, (double)so_far);
}
