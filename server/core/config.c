#include "core/config.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "core/log.h"

enum kind { TEXT, INT };

struct setting {
    enum kind kind;
    const char *field, *env, *flag, *def, *help;
    int64_t min, max;
    size_t offset;
};

static const struct setting settings[] = {
#define X(kind_, field_, env_, flag_, def_, min_, max_, help_)                                     \
    { .kind = kind_,                                                                               \
      .field = #field_,                                                                            \
      .env = env_,                                                                                 \
      .flag = flag_,                                                                               \
      .def = def_,                                                                                 \
      .help = help_,                                                                               \
      .min = min_,                                                                                 \
      .max = max_,                                                                                 \
      .offset = offsetof(struct ipr_config, field_) },
    IPR_CONFIG(X)
#undef X
};

#define N_SETTINGS (sizeof settings / sizeof settings[0])

static enum ipr_code setting_assign(struct ipr_config *c, const struct setting *s, const char *from,
                                    const char *value, struct ipr_err *err)
{
    char *field = (char *)c + s->offset;

    if (s->kind == TEXT) {
        memcpy(field, &value, sizeof value);
        return IPR_OK;
    }
    int64_t v;
    if (!ipr_str_int(ipr_str_c(value), s->min, s->max, &v))
        return ipr_err_set(err, IPR_EPARSE, "%s: '%s' is not a whole number from %lld to %lld",
                           from, value, (long long)s->min, (long long)s->max);
    memcpy(field, &v, sizeof v);
    return IPR_OK;
}

static enum ipr_code from_environment(struct ipr_config *c, struct ipr_err *err)
{
    for (size_t i = 0; i < N_SETTINGS; i++) {
        const char *value = getenv(settings[i].env);
        if (value != NULL && value[0] != '\0') {
            const enum ipr_code rc = setting_assign(c, &settings[i], settings[i].env, value, err);
            if (rc != IPR_OK)
                return rc;
        }
    }
    return IPR_OK;
}

static bool known_variable(const char *entry, size_t name_len)
{
    /* Used by the tests, not by the program. */
    static const char *const others[] = { "INTRINSIC_TEST_PG", "INTRINSIC_VECTORS" };

    for (size_t i = 0; i < N_SETTINGS; i++)
        if (strlen(settings[i].env) == name_len && memcmp(settings[i].env, entry, name_len) == 0)
            return true;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strlen(others[i]) == name_len && memcmp(others[i], entry, name_len) == 0)
            return true;
    return false;
}

/* A misspelt setting must not silently mean its default. */
static enum ipr_code refuse_unknown_variables(struct ipr_err *err)
{
    extern char **environ;

    for (char **e = environ; *e != NULL; e++) {
        const size_t n = strcspn(*e, "=");
        if (strncmp(*e, "INTRINSIC_", 10) == 0 && !known_variable(*e, n))
            return ipr_err_set(err, IPR_EPARSE, "%.*s: no such setting (see intrinsic --help)",
                               (int)n, *e);
    }
    return IPR_OK;
}

static const struct setting *by_flag(const char *name, size_t n)
{
    for (size_t i = 0; i < N_SETTINGS; i++) {
        const char *flag = settings[i].flag;
        if (flag != NULL && strlen(flag) == n && memcmp(flag, name, n) == 0)
            return &settings[i];
    }
    return NULL;
}

/* 0: not a flag of the subcommand, 1: its switch, 2: its flag with a value. */
static int environment_owned(const char *const *own, const char *name, size_t n)
{
    for (; own != NULL && *own != NULL; own++) {
        const size_t m = strcspn(*own, "=");
        if (m == n && memcmp(*own, name, n) == 0)
            return (*own)[m] == '=' ? 2 : 1;
    }
    return 0;
}

static enum ipr_code from_flags(int argc, char **argv, const char *const *own, struct ipr_config *c,
                                int *n_args, struct ipr_err *err)
{
    int kept = 1;

    for (int i = 1; i < argc; i++) {
        char *arg = argv[i];
        if (strncmp(arg, "--", 2) != 0 || arg[2] == '\0') {
            argv[kept++] = arg;
            continue;
        }
        const char *name = arg + 2;
        const size_t n = strcspn(name, "=");
        const bool inline_value = name[n] == '=';
        const int mine = environment_owned(own, name, n);
        const struct setting *s = mine != 0 ? NULL : by_flag(name, n);
        if (mine == 0 && s == NULL)
            return ipr_err_set(err, IPR_EPARSE, "--%.*s: no such flag (see intrinsic --help)",
                               (int)n, name);
        const bool wants_value = mine == 2 || s != NULL;
        if (inline_value && !wants_value)
            return ipr_err_set(err, IPR_EPARSE, "--%.*s takes no value", (int)n, name);
        if (wants_value && !inline_value && i + 1 >= argc)
            return ipr_err_set(err, IPR_EPARSE, "--%.*s needs a value", (int)n, name);
        if (s == NULL) { /* left as it is, followed by its value */
            argv[kept++] = arg;
            if (wants_value && !inline_value)
                argv[kept++] = argv[++i];
            continue;
        }
        const char *value = inline_value ? name + n + 1 : argv[++i];
        const enum ipr_code rc = setting_assign(c, s, arg, value, err);
        if (rc != IPR_OK)
            return rc;
    }
    *n_args = kept - 1;
    return IPR_OK;
}

enum ipr_code ipr_config_read(int argc, char **argv, const char *const *own, struct ipr_config *out,
                              int *n_args, struct ipr_err *err)
{
    struct ipr_config c;
    enum ipr_code rc = IPR_OK;

    memset(&c, 0, sizeof c);
    for (size_t i = 0; i < N_SETTINGS && rc == IPR_OK; i++)
        rc = setting_assign(&c, &settings[i], settings[i].env, settings[i].def, err);
    if (rc == IPR_OK)
        rc = refuse_unknown_variables(err);
    if (rc == IPR_OK)
        rc = from_environment(&c, err);
    if (rc == IPR_OK)
        rc = from_flags(argc, argv, own, &c, n_args, err);
    if (rc == IPR_OK && !ipr_log_level(c.log))
        rc = ipr_err_set(err, IPR_EPARSE, "INTRINSIC_LOG: '%s' is not debug, info, warn or error",
                         c.log);
    if (rc == IPR_OK && strcmp(c.jail, "on") != 0 && strcmp(c.jail, "off") != 0 &&
        strcmp(c.jail, "require") != 0)
        rc = ipr_err_set(err, IPR_EPARSE, "INTRINSIC_JAIL: '%s' is not on, off or require", c.jail);
    if (rc == IPR_OK && strcmp(c.read, "open") != 0 && strcmp(c.read, "token") != 0)
        rc = ipr_err_set(err, IPR_EPARSE, "INTRINSIC_READ: '%s' is not open or token", c.read);
    if (rc == IPR_OK)
        *out = c;
    return rc;
}

void ipr_config_help(FILE *to)
{
    for (size_t i = 0; i < N_SETTINGS; i++) {
        const struct setting *s = &settings[i];
        fprintf(to, "  %s", s->env);
        if (s->flag != NULL)
            fprintf(to, ", --%s", s->flag);
        fprintf(to, "\n      %s", s->help);
        if (s->def[0] != '\0')
            fprintf(to, " (default %s)", s->def);
        fputc('\n', to);
    }
}

unsigned ipr_config_workers(const struct ipr_config *c)
{
    if (c->workers >= 0)
        return (unsigned)c->workers;
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1;
    const int n = CPU_COUNT(&set);
    return n > 0 ? (unsigned)n : 1;
}
