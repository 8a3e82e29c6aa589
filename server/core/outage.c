#include "core/outage.h"

#include <inttypes.h>

#include "core/log.h"

enum {
    LOG_MS = 60000,
    CALM_MS = 3000 /* without a failure */
};

static int64_t outage_seconds(const struct ipr_outage *o)
{
    return (o->last - o->since) / 1000;
}

void ipr_outage_failed(struct ipr_outage *o, const char *what, const char *msg, int64_t now_ms)
{
    o->last = now_ms;
    o->unlogged++;
    if (o->failures++ == 0) {
        o->since = now_ms;
        ipr_log(IPR_LOG_WARN, o->begins, "what=%s msg=\"%s\"", what, ipr_log_text(msg));
    } else if (now_ms - o->logged >= LOG_MS) {
        ipr_log(IPR_LOG_WARN, o->begins,
                "what=%s failures=%" PRIu64 " seconds=%" PRId64 " msg=\"%s\"", what, o->unlogged,
                outage_seconds(o), ipr_log_text(msg));
    } else {
        return;
    }
    o->logged = now_ms;
    o->unlogged = 0;
}

void ipr_outage_worked(struct ipr_outage *o, int64_t now_ms)
{
    if (o->failures == 0 || now_ms - o->last < CALM_MS)
        return;
    ipr_log(IPR_LOG_INFO, o->ends, "failures=%" PRIu64 " seconds=%" PRId64, o->failures,
            outage_seconds(o));
    o->failures = o->unlogged = 0;
}
