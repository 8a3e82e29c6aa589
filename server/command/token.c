#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "command/command.h"
#include "core/log.h"
#include "db/records.h"
#include "db/remote.h"
#include "resource/scopes.h"

#define SECRET_BYTES   24
#define NAME_MAX_BYTES 60 /* it is part of the names of sources and workers, and of lists */

struct token_request {
    const char *name;
    bool fishnet;
    unsigned scopes;
    int days, quota_mb; /* 0: no limit */
    unsigned char digest[32];
};

static enum ipr_code token_store(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    const struct token_request *r = arg;
    const enum ipr_code rc =
        ipr_db_token_put(db, r->name, r->fishnet ? "fishnet" : "api", r->digest, err);

    return rc != IPR_OK || r->fishnet ? rc
                                      : ipr_db_token_limit(db, r->digest, (int)r->scopes, r->days,
                                                           (int64_t)r->quota_mb << 20, err);
}

/* The secret is hex: clients of fishnet take letters and digits alone. */
static enum ipr_code token_create(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    struct token_request *r = arg;
    unsigned char random[SECRET_BYTES];
    char secret[SECRET_BYTES * 2 + 1];
    struct ipr_err cause = IPR_ERR_INIT;

    randombytes_buf(random, sizeof random);
    sodium_bin2hex(secret, sizeof secret, random, sizeof random);
    crypto_generichash(r->digest, sizeof r->digest, (const unsigned char *)secret, strlen(secret),
                       NULL, 0);
    const enum ipr_code rc = ipr_db_tx(db, token_store, r, &cause);
    if (rc == IPR_OK)
        printf("%s\n", secret);
    sodium_memzero(secret, sizeof secret);
    if (rc == IPR_ECONFLICT)
        return ipr_err_set(err, rc, "there is a fishnet key named %s already; revoke it first",
                           r->name);
    return rc == IPR_OK ? rc : ipr_err_set(err, rc, "%s", cause.msg);
}

static void token_show(const struct ipr_db_token *t)
{
    const char *state = t->expired ? "expired" : "good", *why = "";
    char scopes[IPR_SCOPES_TEXT] = "", today[32] = "";

    /* "upload,judge", "3.1/64" MB of today, or nothing for a fishnet key. */
    if (strcmp(t->kind, "api") == 0) {
        ipr_scopes_text((unsigned)t->scopes, scopes);
        snprintf(today, sizeof today, "%.1f/%" PRId64, (double)t->used / 1048576.0, t->quota >> 20);
        if (t->quota == 0)
            today[strcspn(today, "/")] = '\0';
    }
    if (t->revoked != NULL) {
        state = "revoked: ";
        why = t->revoked;
    } else if (t->suspended != NULL) {
        state = "suspended: ";
        why = t->suspended;
    }
    printf("%-8s %-24s %-20s %-20s %-20s %-23s %9s %9" PRId64 " %9" PRId64 " %7" PRId64 " %8" PRId64
           "  %s%s\n",
           t->kind, ipr_log_text(t->name), t->created, t->expires != NULL ? t->expires : "never",
           t->seen != NULL ? t->seen : "never", scopes, today, t->games, t->checked, t->failed,
           t->silences, state, ipr_log_text(why));
}

static enum ipr_code token_list(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_token *rows = NULL;
    size_t n = 0;

    (void)arg;
    const enum ipr_code rc = ipr_db_token_list(db, &mem, &rows, &n, err);
    if (rc == IPR_OK)
        printf("%-8s %-24s %-20s %-20s %-20s %-23s %9s %9s %9s %7s %8s  %s\n", "kind", "name",
               "created", "expires", "used", "scopes", "MB today", "games", "checked", "failed",
               "silences", "state");
    for (size_t i = 0; i < n; i++)
        token_show(&rows[i]);
    ipr_arena_release(&mem);
    return rc;
}

static enum ipr_code token_resume(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    const struct token_request *r = arg;

    return ipr_db_token_resume(db, r->name, err);
}

static enum ipr_code token_suspend(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    const struct token_request *r = arg;

    return ipr_db_token_suspend(db, r->name, err);
}

static enum ipr_code token_revoke(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    const struct token_request *r = arg;

    return ipr_db_token_revoke(db, r->name, r->fishnet ? "fishnet" : "api", err);
}

static const struct {
    const char *name;
    ipr_db_tx_fn fn;
    bool named;
} actions[] = {
    { "create", token_create, true }, { "list", token_list, false },
    { "revoke", token_revoke, true }, { "suspend", token_suspend, true },
    { "resume", token_resume, true },
};

static enum ipr_code token_limits(const struct ipr_args *args, struct token_request *r,
                                  struct ipr_err *err)
{
    const char *scopes = ipr_args_value(args, "scopes");
    enum ipr_code rc = ipr_args_number(args, "days", 1, 36500, &r->days, err);

    if (rc == IPR_OK)
        rc = ipr_args_number(args, "quota-mb", 1, 1 << 30, &r->quota_mb, err);
    if (rc == IPR_OK && scopes != NULL && !ipr_scopes_read(ipr_str_c(scopes), &r->scopes))
        return ipr_err_set(err, IPR_EPARSE,
                           "--scopes: expected some of read,upload,judge,admin, got '%s'", scopes);
    if (rc == IPR_OK && r->fishnet && (scopes != NULL || r->days != 0 || r->quota_mb != 0))
        return ipr_err_set(err, IPR_EPARSE,
                           "--scopes, --days and --quota-mb are of tokens, not of fishnet keys");
    return rc;
}

static enum ipr_code token_run(const struct ipr_config *config, const struct ipr_args *args,
                               struct ipr_err *err)
{
    struct token_request r = { .fishnet = ipr_args_has(args, "fishnet"), .scopes = IPR_SCOPES_ALL };
    const char *const action = args->words[0];
    const enum ipr_code rc = token_limits(args, &r, err);

    r.name = args->n > 1 ? args->words[1] : "";
    if (rc != IPR_OK)
        return rc;
    if (strcmp(action, "create") == 0 &&
        (strlen(r.name) > NAME_MAX_BYTES || !ipr_log_is_plain(r.name)))
        return ipr_err_set(err, IPR_EPARSE, "a name has at most %d bytes, no control characters",
                           NAME_MAX_BYTES);
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        if (strcmp(action, actions[i].name) == 0 && args->n == (actions[i].named ? 2 : 1) &&
            actions[i].named == (r.name[0] != '\0'))
            return ipr_command_with_db(config, actions[i].fn, &r, err);
    return ipr_err_set(err, IPR_EPARSE, "usage: intrinsic token %s", ipr_command_token.words);
}

static const struct ipr_option token_options[] = {
    { "fishnet", NULL, "create or revoke a key for remote machines, not a token" },
    { "scopes", "LIST", "what the token may do: some of read,upload,judge,admin (default: all)" },
    { "days", "N", "until it expires" },
    { "quota-mb", "N", "what it may write in a day" },
    { 0 },
};

const struct ipr_command ipr_command_token = {
    .name = "token",
    .words = "create NAME | list | revoke NAME | suspend NAME | resume NAME",
    .help = "create a write token, or a key for remote machines, and print it once; list, revoke, "
            "suspend or resume them",
    .least = 1,
    .most = 2,
    .options = token_options,
    .needs_database = true,
    .run = token_run,
};
