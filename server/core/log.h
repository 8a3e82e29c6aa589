#ifndef IPR_CORE_LOG_H
#define IPR_CORE_LOG_H

#include <stdbool.h>

/* logfmt on stderr, one event a line: time, level, event, then key=value pairs. Thread-safe. */

enum ipr_log_level { IPR_LOG_DEBUG, IPR_LOG_INFO, IPR_LOG_WARN, IPR_LOG_ERROR };

/** Level by name; false for an unknown one. */
bool ipr_log_level(const char *name);

/** A request or job id printed with every line of this thread; NULL or "" for none. Copied. */
void ipr_log_context(const char *id);

/** True if no character is a control, or turns the direction of a line. */
bool ipr_log_is_plain(const char *s);

/** Untrusted text for use inside quotes, or on a terminal: quotes and what is not plain replaced,
 * at most 511 bytes of it. Valid until the fourth next call on this thread. NULL gives "".
 */
const char *ipr_log_text(const char *s);

/**
 * ipr_log(IPR_LOG_INFO, "game_judged", "game=%" PRId64 " turns=%zu", id, n). Values that may
 * contain white space or untrusted text are quoted and passed through ipr_log_text.
 */
void ipr_log(enum ipr_log_level level, const char *event, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

#endif
