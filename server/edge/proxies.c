#include "edge/proxies.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define NETWORKS_MAX 64

struct ipr_proxies {
    struct ipr_network network[NETWORKS_MAX];
    size_t n;
};

/* ---- who is trusted ---- */

static bool proxies_separator(char c)
{
    return c == ' ' || c == ',' || c == '\t';
}

static bool proxies_word(const char **at, struct ipr_str *word)
{
    while (proxies_separator(**at))
        ++*at;
    word->p = *at;
    while (**at != '\0' && !proxies_separator(**at))
        ++*at;
    word->n = (size_t)(*at - word->p);
    return word->n > 0;
}

enum ipr_code ipr_proxies_read(const char *list, struct ipr_proxies **out, struct ipr_err *err)
{
    struct ipr_proxies *p = ipr_xcalloc(1, sizeof *p);
    const char *at = list != NULL ? list : "";
    struct ipr_str word;

    while (proxies_word(&at, &word)) {
        if (p->n < NETWORKS_MAX && ipr_network_read(word, &p->network[p->n])) {
            p->n++;
            continue;
        }
        const bool many = p->n == NETWORKS_MAX;
        free(p);
        return many ? ipr_err_set(err, IPR_EPARSE,
                                  "INTRINSIC_TRUSTED_PROXIES: more than %d addresses; name "
                                  "networks as 192.0.2.0/24",
                                  NETWORKS_MAX)
                    : ipr_err_set(err, IPR_EPARSE,
                                  "INTRINSIC_TRUSTED_PROXIES: \"%.*s\" is not an address such as "
                                  "127.0.0.1 or ::1, nor a network such as 192.0.2.0/24",
                                  (int)word.n, word.p);
    }
    *out = p;
    return IPR_OK;
}

void ipr_proxies_free(struct ipr_proxies **proxies)
{
    free(*proxies);
    *proxies = NULL;
}

bool ipr_proxies_are_set(const struct ipr_proxies *proxies)
{
    return proxies != NULL && proxies->n > 0;
}

bool ipr_proxies_trust(const struct ipr_proxies *proxies, const struct in6_addr *address)
{
    for (size_t i = 0; proxies != NULL && i < proxies->n; i++)
        if (ipr_network_has(&proxies->network[i], address))
            return true;
    return false;
}

/* ---- what they say ---- */

/* Split at every comma, those within quotes included: no address has one, and a client that opens a
 * quote must not hide what a proxy appends. */
struct ipr_str ipr_proxies_last(struct ipr_str list)
{
    const char *comma = memrchr(list.p, ',', list.n);
    const size_t before = comma != NULL ? (size_t)(comma - list.p) + 1 : 0;

    return ipr_str_trim((struct ipr_str){ list.p + before, list.n - before });
}

static struct ipr_str param_unquoted(struct ipr_str s)
{
    return s.n >= 2 && s.p[0] == '"' && s.p[s.n - 1] == '"' ? (struct ipr_str){ s.p + 1, s.n - 2 }
                                                            : s;
}

struct ipr_str ipr_proxies_param(struct ipr_str element, const char *name)
{
    while (element.n > 0) {
        const char *end = memchr(element.p, ';', element.n);
        const size_t n = end != NULL ? (size_t)(end - element.p) : element.n;
        const struct ipr_str pair = ipr_str_trim((struct ipr_str){ element.p, n });
        const char *equals = memchr(pair.p, '=', pair.n);

        if (equals != NULL &&
            ipr_str_is_like((struct ipr_str){ pair.p, (size_t)(equals - pair.p) }, name))
            return param_unquoted(
                (struct ipr_str){ equals + 1, pair.n - (size_t)(equals - pair.p) - 1 });
        element.p += n + (end != NULL);
        element.n -= n + (end != NULL);
    }
    return (struct ipr_str){ NULL, 0 };
}

/* "192.0.2.1:8080", "[2001:db8::1]:443": an address, perhaps with a port. */
static struct ipr_str hop_without_port(struct ipr_str s)
{
    const char *colon = memchr(s.p, ':', s.n);

    if (s.n > 0 && s.p[0] == '[') {
        const char *end = memchr(s.p, ']', s.n);

        return end != NULL ? (struct ipr_str){ s.p + 1, (size_t)(end - s.p) - 1 } : s;
    }
    if (colon != NULL && memrchr(s.p, ':', s.n) == colon)
        s.n = (size_t)(colon - s.p);
    return s;
}

/* False for "unknown", and for names that hide an address. */
static bool hop_read(struct ipr_str element, struct in6_addr *out)
{
    const bool pairs = memchr(element.p, '=', element.n) != NULL;
    const struct ipr_str sender = pairs ? ipr_proxies_param(element, "for") : element;

    return sender.n > 0 && ipr_address_read(hop_without_port(sender), out);
}

struct in6_addr ipr_proxies_client(const struct ipr_proxies *proxies, struct in6_addr client,
                                   struct ipr_str chain)
{
    while (chain.n > 0 && ipr_proxies_trust(proxies, &client)) {
        const struct ipr_str hop = ipr_proxies_last(chain);

        if (!hop_read(hop, &client))
            break;
        chain.n = (size_t)(hop.p - chain.p);
        while (chain.n > 0 && chain.p[chain.n - 1] != ',')
            chain.n--;
        chain.n -= chain.n > 0;
    }
    return client;
}
