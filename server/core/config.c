#include "core/config.h"

#include <errno.h>
#include <getopt.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "core/log.h"

/* getopt_long returns this for an option of the command, and this + 1 + its row for a setting; it
 * is no letter. */
#define OWN_OPTION 256

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

#define N_OPTIONS (IPR_OPTIONS_MAX + N_SETTINGS)

static enum ipr_code refuse_option(int what, const char *arg, struct ipr_err *err)
{
    if (what == ':')
        return ipr_err_set(err, IPR_EPARSE, "%s needs a value", arg);
    if (optopt >= OWN_OPTION)
        return ipr_err_set(err, IPR_EPARSE, "%.*s takes no value", (int)strcspn(arg, "="), arg);
    if (optopt != 0)
        return ipr_err_set(err, IPR_EPARSE, "-%c: no such flag (see intrinsic --help)", optopt);
    return ipr_err_set(err, IPR_EPARSE,
                       "%.*s: no such flag, or the beginning of several (see "
                       "intrinsic --help)",
                       (int)strcspn(arg, "="), arg);
}

static enum ipr_code from_flags(int argc, char **argv, const struct ipr_option *own,
                                struct ipr_config *c, struct ipr_args *args, struct ipr_err *err)
{
    struct option all[N_OPTIONS + 1];
    enum ipr_code rc = IPR_OK;
    int what, index = 0;

    /* The options of the command come before settings of the same name. */
    size_t n = 0;
    for (; own != NULL && own[n].name != NULL; n++)
        all[n] = (struct option){ own[n].name, own[n].value != NULL, NULL, OWN_OPTION };
    for (int i = 0; i < (int)N_SETTINGS; i++)
        if (settings[i].flag != NULL)
            all[n++] =
                (struct option){ settings[i].flag, required_argument, NULL, OWN_OPTION + 1 + i };
    all[n] = (struct option){ 0 };
    *args = (struct ipr_args){ .options = own };
    opterr = 0;
    optind = 0; /* from the beginning, as glibc has it */
    while (rc == IPR_OK && (what = getopt_long(argc, argv, ":", all, &index)) != -1) {
        if (what == OWN_OPTION && args->n_given == IPR_ARGS_GIVEN) {
            rc = ipr_err_set(err, IPR_EPARSE, "at most %d flags", IPR_ARGS_GIVEN);
        } else if (what == OWN_OPTION) {
            args->given[args->n_given].option = index;
            args->given[args->n_given++].text = optarg != NULL ? optarg : "";
        } else if (what > OWN_OPTION) {
            rc = setting_assign(c, &settings[what - OWN_OPTION - 1], argv[optind - 1], optarg, err);
        } else {
            rc = refuse_option(what, argv[optind - 1], err);
        }
    }
    args->n = argc - optind;
    args->words = argv + optind;
    return rc;
}

/* NAME_FILE names a file with the value of NAME, as the images of PostgreSQL and Docker's secrets
 * have it. */
static enum ipr_code secret_from_file(const char *name, struct ipr_err *err)
{
    char from[32], text[4096];

    snprintf(from, sizeof from, "%s_FILE", name);
    const char *const path = getenv(from), *const there = getenv(name);
    if (path == NULL || path[0] == '\0')
        return IPR_OK;
    if (there != NULL && there[0] != '\0')
        return ipr_err_set(err, IPR_EPARSE, "%s and %s are both set: leave one out", name, from);
    errno = 0;
    FILE *const f = fopen(path, "re");
    const size_t n = f != NULL ? fread(text, 1, sizeof text, f) : 0;
    const char *const why = errno != 0 ? strerrordesc_np(errno) : NULL;
    if (f != NULL)
        fclose(f);
    if (why != NULL)
        return ipr_err_set(err, IPR_EIO, "%s: cannot read %s: %s", from, path, why);
    size_t used = n;
    while (used > 0 && (text[used - 1] == '\n' || text[used - 1] == '\r'))
        used--;
    if (used == 0)
        return ipr_err_set(err, IPR_EPARSE, "%s: %s is empty", from, path);
    text[used < sizeof text ? used : 0] = '\0';
    if (strcspn(text, "\r\n") != used)
        return ipr_err_set(err, IPR_EPARSE, "%s: %s is not one line of at most %zu bytes", from,
                           path, sizeof text - 1);
    return setenv(name, text, 1) == 0 && unsetenv(from) == 0
               ? IPR_OK
               : ipr_err_set(err, IPR_EIO, "%s: %s", from, strerrordesc_np(errno));
}

enum ipr_code ipr_config_read(int argc, char **argv, const struct ipr_option *own,
                              struct ipr_config *out, struct ipr_args *args, struct ipr_err *err)
{
    extern char **environ;
    struct ipr_config c;
    enum ipr_code rc = secret_from_file("DATABASE_URL", err);

    if (rc == IPR_OK)
        rc = secret_from_file("DATABASE_URL_READ", err);
    if (rc == IPR_OK)
        rc = secret_from_file("PGPASSWORD", err); /* libpq's own, the password of both */
    memset(&c, 0, sizeof c);
    for (size_t i = 0; i < N_SETTINGS && rc == IPR_OK; i++)
        rc = setting_assign(&c, &settings[i], settings[i].env, settings[i].def, err);
    /* A misspelt setting must not silently mean its default. */
    for (char **e = environ; rc == IPR_OK && *e != NULL; e++) {
        const size_t n = strcspn(*e, "=");

        if (strncmp(*e, "INTRINSIC_", 10) == 0 && !known_variable(*e, n))
            rc = ipr_err_set(err, IPR_EPARSE, "%.*s: no such setting (see intrinsic --help)",
                             (int)n, *e);
    }
    for (size_t i = 0; i < N_SETTINGS && rc == IPR_OK; i++) {
        const char *value = getenv(settings[i].env);

        if (value != NULL && value[0] != '\0')
            rc = setting_assign(&c, &settings[i], settings[i].env, value, err);
    }
    if (rc == IPR_OK)
        rc = from_flags(argc, argv, own, &c, args, err);
    if (rc == IPR_OK && !ipr_log_level(c.log))
        rc = ipr_err_set(err, IPR_EPARSE, "INTRINSIC_LOG: '%s' is not debug, info, warn or error",
                         c.log);
    if (rc == IPR_OK && strcmp(c.jail, "on") != 0 && strcmp(c.jail, "off") != 0 &&
        strcmp(c.jail, "require") != 0)
        rc = ipr_err_set(err, IPR_EPARSE, "INTRINSIC_JAIL: '%s' is not on, off or require", c.jail);
    if (rc == IPR_OK && strcmp(c.read, "open") != 0 && strcmp(c.read, "token") != 0)
        rc = ipr_err_set(err, IPR_EPARSE, "INTRINSIC_READ: '%s' is not open or token", c.read);
    if (rc == IPR_OK && c.uploads[0] != '\0' && strcmp(c.uploads, "listed") != 0 &&
        strcmp(c.uploads, "private") != 0)
        rc = ipr_err_set(err, IPR_EPARSE, "INTRINSIC_UPLOADS: '%s' is not listed or private",
                         c.uploads);
    if (rc == IPR_OK)
        *out = c;
    return rc;
}

static void setting_help(const struct setting *s, FILE *to)
{
    struct ipr_buf help = IPR_BUF_INIT;

    ipr_buf_puts(&help, s->help);
    if (s->def[0] != '\0')
        ipr_buf_printf(&help, " (default %s)", s->def);
    ipr_help_wrap(to, 10, ipr_buf_c(&help));
    ipr_buf_release(&help);
}

void ipr_config_help_flag(const char *flag, FILE *to)
{
    for (size_t i = 0; i < N_SETTINGS; i++)
        if (settings[i].flag != NULL && strcmp(settings[i].flag, flag) == 0) {
            fprintf(to, "      --%s=%s\n", flag, settings[i].kind == INT ? "N" : "NAME");
            setting_help(&settings[i], to);
        }
}

void ipr_config_help(FILE *to)
{
    for (size_t i = 0; i < N_SETTINGS; i++) {
        const struct setting *s = &settings[i];
        fprintf(to, "      %s", s->env);
        if (s->flag != NULL)
            fprintf(to, ", --%s", s->flag);
        fputc('\n', to);
        setting_help(s, to);
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
