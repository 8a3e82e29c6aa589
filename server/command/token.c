#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "command/command.h"
#include "db/records.h"

#define SECRET_BYTES 24

static enum ipr_code create(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    unsigned char random[SECRET_BYTES], digest[32];
    char secret[SECRET_BYTES * 2 + 1];

    randombytes_buf(random, sizeof random);
    sodium_bin2hex(secret, sizeof secret, random, sizeof random);
    crypto_generichash(digest, sizeof digest, (const unsigned char *)secret, strlen(secret), NULL,
                       0);
    const enum ipr_code rc = ipr_db_token_put(db, arg, "api", digest, err);
    if (rc == IPR_OK)
        printf("%s\n", secret);
    sodium_memzero(secret, sizeof secret);
    return rc;
}

static enum ipr_code run(const struct ipr_config *config, int n, char **args, struct ipr_err *err)
{
    if (n != 2 || strcmp(args[0], "create") != 0)
        return ipr_err_set(err, IPR_EPARSE, "usage: intrinsic token create NAME");
    return ipr_command_with_db(config, create, args[1], err);
}

const struct ipr_command ipr_command_token = {
    .name = "token",
    .usage = "create NAME",
    .help = "make a token for writing and print it, once; from then on writing needs one",
    .needs_database = true,
    .run = run,
};
