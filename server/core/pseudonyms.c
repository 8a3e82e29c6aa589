#include "core/pseudonyms.h"

#include <sodium.h>
#include <string.h>

void ipr_pseudonyms_draw(struct ipr_pseudonyms *p)
{
    randombytes_buf(p->key, sizeof p->key);
}

static struct ipr_str pseudonym_of(const struct ipr_pseudonyms *p, const char *kind,
                                   struct ipr_str of, struct ipr_arena *mem)
{
    unsigned char digest[crypto_generichash_BYTES_MIN];
    char hex[2 * 5 + 1];

    crypto_generichash(digest, sizeof digest, (const unsigned char *)of.p, of.n, p->key,
                       sizeof p->key);
    return ipr_str_c(
        ipr_arena_printf(mem, "%s %s", kind, sodium_bin2hex(hex, sizeof hex, digest, 5)));
}

/* An unknown name stays unknown. */
static struct ipr_str player_pseudonym(const struct ipr_pseudonyms *p,
                                       const struct ipr_pgn_tag *tags, size_t n, bool black,
                                       struct ipr_arena *mem)
{
    const struct ipr_str name = ipr_pgn_tag_find(tags, n, black ? "Black" : "White");
    const struct ipr_str id = ipr_pgn_tag_find(tags, n, black ? "BlackFideId" : "WhiteFideId");

    if (name.n == 0 || ipr_str_is(name, "?"))
        return ipr_str_c("?");
    return pseudonym_of(p, "Player", id.n > 0 ? id : name, mem);
}

static struct ipr_str without_path(struct ipr_str site)
{
    const char *const host = memmem(site.p, site.n, "://", 3);

    if (host == NULL)
        return site;
    const char *const path = memchr(host + 3, '/', site.n - (size_t)(host + 3 - site.p));
    return path == NULL ? site : (struct ipr_str){ site.p, (size_t)(path - site.p) };
}

static bool says_nothing(struct ipr_str name)
{
    static const char *const kept[] = { "Date",     "Round",     "Result",      "WhiteElo",
                                        "BlackElo", "ECO",       "TimeControl", "Opening",
                                        "Variant",  "SetUp",     "FEN",         "Evaluator",
                                        "PlyCount", "EventDate", "WhiteTitle",  "BlackTitle" };

    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (ipr_str_is(name, kept[i]))
            return true;
    return false;
}

void ipr_pseudonyms_apply(const struct ipr_pseudonyms *p, struct ipr_arena *mem,
                          const struct ipr_pgn_tag **tags, size_t *n)
{
    struct ipr_pgn_tag *const out = ipr_arena_alloc(mem, *n + 1, sizeof *out);
    size_t n_out = 0;

    for (size_t i = 0; i < *n; i++) {
        struct ipr_pgn_tag tag = (*tags)[i];

        if (ipr_str_is(tag.name, "White") || ipr_str_is(tag.name, "Black"))
            tag.value = player_pseudonym(p, *tags, *n, tag.name.p[0] == 'B', mem);
        else if (ipr_str_is(tag.name, "Event"))
            tag.value = tag.value.n > 1 ? pseudonym_of(p, "Event", tag.value, mem) : tag.value;
        else if (ipr_str_is(tag.name, "Site"))
            tag.value = without_path(tag.value);
        else if (!says_nothing(tag.name))
            continue;
        out[n_out++] = tag;
    }
    *tags = out;
    *n = n_out;
}
