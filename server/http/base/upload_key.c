#include "http/base/upload_key.h"

#include <sodium.h>
#include <string.h>

#include "db/uploads.h"
#include "http/base/client.h"

#define KEY_DIGITS 32
#define KEYS_MAX   20 /* in a cookie */
#define IDS_MAX    64
#define PAGE       "/uploads/"
#define COOKIE     "intrinsic_uploads"
#define OWNER      '~' /* behind an owner's key in the cookie */

static const char hex_digits[] = "0123456789abcdef";

static const char *key_text(struct ipr_req *req, const unsigned char bytes[KEY_DIGITS / 2])
{
    char *text = ipr_arena_alloc(&req->mem, KEY_DIGITS + 1, 1);

    return sodium_bin2hex(text, KEY_DIGITS + 1, bytes, KEY_DIGITS / 2);
}

/* The key of the address, of the owner's. */
static const char *key_of_owner(struct ipr_req *req, const char *owner)
{
    static const unsigned char purpose[] = "key of an address";
    unsigned char bytes[KEY_DIGITS / 2];

    crypto_generichash(bytes, sizeof bytes, (const unsigned char *)owner, KEY_DIGITS, purpose,
                       sizeof purpose - 1);
    return key_text(req, bytes);
}

static void key_digest(const char *key, unsigned char out[32])
{
    crypto_generichash(out, 32, (const unsigned char *)key, KEY_DIGITS, NULL, 0);
}

/* ---- what the request has ---- */

struct given_keys {
    const char *key[KEYS_MAX + 2];
    bool owner[KEYS_MAX + 2]; /* marked as such in the cookie */
    size_t n;
};

static bool is_key(const char *text)
{
    return strspn(text, hex_digits) == KEY_DIGITS;
}

static void keys_add(struct ipr_req *req, struct given_keys *keys, const char *list)
{
    for (const char *p = list; p != NULL && keys->n < KEYS_MAX + 2;) {
        if (is_key(p)) {
            keys->owner[keys->n] = p[KEY_DIGITS] == OWNER;
            keys->key[keys->n++] = ipr_arena_strndup(&req->mem, p, KEY_DIGITS);
        }
        p = strchr(p, '.');
        p = p != NULL ? p + 1 : NULL;
    }
}

/* In "/uploads/KEY", also of the API; NULL: there is none. */
static const char *key_in_address(struct ipr_req *req)
{
    const size_t api = req->api ? strlen("/api/v1") : 0;
    const char *page = strlen(req->target) > api ? req->target + api : "";

    return strncmp(page, PAGE, strlen(PAGE)) == 0 && is_key(page + strlen(PAGE))
               ? page + strlen(PAGE)
               : NULL;
}

struct private_ids {
    int64_t id[IDS_MAX];
    size_t n;
};

static void ids_add(struct private_ids *ids, const char *text)
{
    for (const char *p = text; (p = strpbrk(p, "0123456789")) != NULL;) {
        const size_t n = strspn(p, "0123456789");
        int64_t id = 0;

        if (n >= 10 && ids->n < IDS_MAX &&
            ipr_str_int((struct ipr_str){ p, n }, IPR_DB_PRIVATE_FROM, INT64_MAX, &id))
            ids->id[ids->n++] = id;
        p += n;
    }
}

static void ids_of(const struct ipr_req *req, struct private_ids *ids)
{
    ids_add(ids, req->target);
    for (size_t i = 0; i < req->n_given; i++) {
        const json_t *const g = req->given[i].json;
        /* Games of a list are of one upload, or some are not found. */
        const json_int_t id = json_integer_value(json_is_array(g) ? json_array_get(g, 0) : g);

        if (json_is_string(g))
            ids_add(ids, json_string_value(g));
        else if (id >= IPR_DB_PRIVATE_FROM && ids->n < IDS_MAX)
            ids->id[ids->n++] = id;
    }
}

/* ---- what that opens ---- */

/* With one more key, the newest first, unless it has that. Too many push out those of pages before
 * those of an owner, with which the right to delete would go. */
static void set_cookie(struct ipr_req *req, const char *key, bool owner)
{
    struct given_keys keys = { .n = 0 };
    const char *value = ipr_arena_printf(&req->mem, owner ? "%s~" : "%s", key);
    size_t n = 1;

    keys_add(req, &keys, MHD_lookup_connection_value(req->conn, MHD_COOKIE_KIND, COOKIE));
    for (size_t i = 0; i < keys.n; i++)
        if (strcmp(keys.key[i], key) == 0 || strcmp(key_of_owner(req, keys.key[i]), key) == 0)
            return;
    for (int of_owners = 1; of_owners >= 0; of_owners--)
        for (size_t i = 0; i < keys.n && n < KEYS_MAX; i++)
            if (keys.owner[i] == of_owners) {
                value =
                    ipr_arena_printf(&req->mem, of_owners ? "%s.%s~" : "%s.%s", value, keys.key[i]);
                n++;
            }
    ipr_reply_header(req, "Set-Cookie",
                     ipr_arena_printf(&req->mem,
                                      COOKIE
                                      "=%s; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax%s",
                                      value, ipr_client_is_https(req) ? "; Secure" : ""));
}

/* Every key shows what it is the address of, or as the owner's stands for. */
static enum ipr_code look_up(struct ipr_req *req, const struct given_keys *keys,
                             const struct private_ids *ids, bool owners, struct ipr_err *err)
{
    const char *text[2 * (KEYS_MAX + 2)], *shows[2 * (KEYS_MAX + 2)], *found = NULL;
    struct ipr_db *db = NULL;
    int64_t id = 0;
    size_t n = 0;
    bool any = false;

    for (size_t i = 0; i < keys->n; i++)
        for (int as_owner = 0; as_owner <= owners; as_owner++) {
            unsigned char digest[32];
            char *hex = ipr_arena_alloc(&req->mem, 65, 1);

            shows[n] = as_owner ? key_of_owner(req, keys->key[i]) : keys->key[i];
            key_digest(shows[n], digest);
            text[n++] = sodium_bin2hex(hex, 65, digest, sizeof digest);
        }
    enum ipr_code rc = ipr_req_lease(req, &db, err);
    if (rc == IPR_OK)
        rc = ipr_db_upload_of_keys(db, text, n, ids->id, ids->n, &req->mem, &any, &id, &found, err);
    ipr_db_return(&db);
    if (rc != IPR_OK || !any)
        return rc;
    req->space = id;
    for (size_t i = 0; i < n; i++)
        if (strcmp(text[i], found) == 0)
            req->upload_key = shows[i];
    return IPR_OK;
}

enum ipr_code ipr_upload_key_find(struct ipr_req *req, struct ipr_err *err)
{
    const char *in_address = key_in_address(req);
    struct given_keys keys = { .n = 0 };
    struct private_ids ids = { .n = 0 };
    enum ipr_code rc = IPR_OK;

    ids_of(req, &ids);
    req->unlisted = in_address != NULL || ids.n > 0;
    if (!req->unlisted || req->space != IPR_DB_LISTED)
        return IPR_OK;
    if (in_address != NULL) {
        keys_add(req, &keys, in_address);
        ids.n = 0;
    } else {
        keys_add(req, &keys, ipr_req_header(req, "Upload-Key"));
        keys_add(req, &keys, MHD_lookup_connection_value(req->conn, MHD_COOKIE_KIND, COOKIE));
    }
    if (keys.n > 0)
        rc = look_up(req, &keys, &ids, in_address == NULL, err);
    if (rc != IPR_OK || req->upload_key == NULL)
        return rc;
    if (in_address != NULL) {
        req->target = ipr_arena_printf(&req->mem, "%.*s%lld%s", (int)(in_address - req->target),
                                       req->target, (long long)req->space, in_address + KEY_DIGITS);
        keys.n = 0;
        keys_add(req, &keys, ipr_req_header(req, "Upload-Key"));
        keys_add(req, &keys, MHD_lookup_connection_value(req->conn, MHD_COOKIE_KIND, COOKIE));
        set_cookie(req, req->upload_key, false);
    }
    for (size_t i = 0; i < keys.n; i++)
        if (strcmp(key_of_owner(req, keys.key[i]), req->upload_key) == 0)
            req->owner_key = keys.key[i];
    return IPR_OK;
}

bool ipr_upload_is_private(struct ipr_req *req)
{
    const char *setting = req->http->o.config->uploads;

    if (req->visitor)
        return true;
    if (setting == NULL || setting[0] == '\0')
        return ipr_client_is_remote(req) != NULL;
    return strcmp(setting, "private") == 0;
}

void ipr_upload_key_make(struct ipr_req *req, unsigned char digest[32])
{
    unsigned char random[KEY_DIGITS / 2];

    randombytes_buf(random, sizeof random);
    req->owner_key = key_text(req, random);
    req->upload_key = key_of_owner(req, req->owner_key);
    key_digest(req->upload_key, digest);
    set_cookie(req, req->owner_key, true);
}
