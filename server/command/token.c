#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "command/command.h"
#include "db/records.h"
#include "db/remote.h"

#define SECRET_BYTES 24
#define KEY_NAME_MAX 60 /* of a fishnet key: it is part of the names of sources and workers */

struct request {
    const char *name;
    bool fishnet;
};

/* The secret is hex: clients of fishnet take letters and digits alone. */
static enum ipr_code token_create(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    const struct request *r = arg;
    unsigned char random[SECRET_BYTES], digest[32];
    char secret[SECRET_BYTES * 2 + 1];
    struct ipr_err cause = IPR_ERR_INIT;

    randombytes_buf(random, sizeof random);
    sodium_bin2hex(secret, sizeof secret, random, sizeof random);
    crypto_generichash(digest, sizeof digest, (const unsigned char *)secret, strlen(secret), NULL,
                       0);
    const enum ipr_code rc =
        ipr_db_token_put(db, r->name, r->fishnet ? "fishnet" : "api", digest, &cause);
    if (rc == IPR_OK)
        printf("%s\n", secret);
    sodium_memzero(secret, sizeof secret);
    if (rc == IPR_ECONFLICT)
        return ipr_err_set(err, rc, "there is a fishnet key named %s already; revoke it first",
                           r->name);
    return rc == IPR_OK ? rc : ipr_err_set(err, rc, "%s", cause.msg);
}

static enum ipr_code token_list(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_token *rows = NULL;
    size_t n = 0;

    (void)arg;
    const enum ipr_code rc = ipr_db_token_list(db, &mem, &rows, &n, err);
    if (rc == IPR_OK)
        printf("%-8s %-24s %-20s %9s %9s %7s %8s  %s\n", "kind", "name", "created", "games",
               "checked", "failed", "silences", "state");
    for (size_t i = 0; i < n; i++) {
        const struct ipr_db_token *t = &rows[i];
        const bool gone = t->revoked != NULL;
        const char *why = gone ? t->revoked : t->suspended;

        printf("%-8s %-24s %-20s %9" PRId64 " %9" PRId64 " %7" PRId64 " %8" PRId64 "  %s%s\n",
               t->kind, t->name, t->created, t->games, t->checked, t->failed, t->silences,
               gone          ? "revoked: "
               : why != NULL ? "suspended: "
                             : "good",
               why != NULL ? why : "");
    }
    ipr_arena_release(&mem);
    return rc;
}

static enum ipr_code token_resume(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    const struct request *r = arg;

    return ipr_db_token_resume(db, r->name, err);
}

static enum ipr_code token_suspend(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    const struct request *r = arg;

    return ipr_db_token_suspend(db, r->name, err);
}

static enum ipr_code token_revoke(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    const struct request *r = arg;

    return ipr_db_token_revoke(db, r->name, r->fishnet ? "fishnet" : "api", err);
}

#define USAGE                                                                                      \
    "create [--fishnet] NAME | list | revoke [--fishnet] NAME | suspend NAME | resume NAME"

static const struct {
    const char *name;
    ipr_db_tx_fn fn;
    bool named;
} actions[] = {
    { "create", token_create, true }, { "list", token_list, false },
    { "revoke", token_revoke, true }, { "suspend", token_suspend, true },
    { "resume", token_resume, true },
};

static enum ipr_code token_run(const struct ipr_config *config, int n, char **args,
                               struct ipr_err *err)
{
    struct request r = { .fishnet = ipr_command_has(n, args, "fishnet"), .name = "" };
    const char *what = "";
    int words = 0;

    for (int i = 0; i < n; i++) {
        if (strncmp(args[i], "--", 2) == 0)
            continue;
        if (words == 0)
            what = args[i];
        else
            r.name = args[i];
        words++;
    }
    if (r.fishnet && strlen(r.name) > KEY_NAME_MAX)
        return ipr_err_set(err, IPR_EPARSE, "a fishnet key's name has at most %d bytes",
                           KEY_NAME_MAX);
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        if (strcmp(what, actions[i].name) == 0 && words == (actions[i].named ? 2 : 1) &&
            actions[i].named == (r.name[0] != '\0'))
            return ipr_command_with_db(config, actions[i].fn, &r, err);
    return ipr_err_set(err, IPR_EPARSE, "usage: intrinsic token " USAGE);
}

static const char *const flags[] = { "fishnet", NULL };

const struct ipr_command ipr_command_token = {
    .name = "token",
    .usage = USAGE,
    .help = "create a write token, or a key for remote machines (--fishnet), and print it once; "
            "list, revoke, suspend or resume them",
    .flags = flags,
    .needs_database = true,
    .run = token_run,
};
