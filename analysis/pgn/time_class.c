#include "pgn/time_class.h"

#include <ctype.h>
#include <string.h>

#include "pgn/time_control.h"

#define TEXT_MAX 400 /* bytes of a name that are looked at */

static const char *const class_names[IPR_TIME_CLASSES] = {
    "unknown",        "classical",        "rapid",        "blitz",        "bullet",
    "correspondence", "online-classical", "online-rapid", "online-blitz", "online-bullet",
    "online-unknown"
};
static const char *const known_names[] = { "unknown", "tag", "inferred" };

/*
 * Words that say how fast a game was, in lower case, words parted by one space. One that ends in
 * * begins a longer word. "Weak" ones give way to others in the same name: "Speed Chess Bullet".
 * An entry without a class takes its words out of the search: places and bodies.
 *
 * Left out, since they are names too or mean several things: classic, IECC (a championship and an
 * email club), mail (newspapers), rapids (Grand Rapids), telex, radio, cable. For surnames see
 * is_person.
 */
static const struct class_word {
    const char *text;
    enum ipr_time_class class;
    bool weak;
} class_words[] = {
    { "blitz", IPR_TIME_BLITZ, false },
    { "blitzchess", IPR_TIME_BLITZ, false },
    { "blitzmeisterschaft", IPR_TIME_BLITZ, false },
    { "blitzpartie", IPR_TIME_BLITZ, false },
    { "blitzschach", IPR_TIME_BLITZ, false },
    { "blitzturnier", IPR_TIME_BLITZ, false },
    { "blixt", IPR_TIME_BLITZ, false },
    { "blixtschack", IPR_TIME_BLITZ, false },
    { "hraðskák", IPR_TIME_BLITZ, false },
    { "lynsjakk", IPR_TIME_BLITZ, false },
    { "lynskak", IPR_TIME_BLITZ, false },
    { "pikashakki", IPR_TIME_BLITZ, false },
    { "relámpago", IPR_TIME_BLITZ, false },
    { "relampago", IPR_TIME_BLITZ, false },
    { "relâmpago", IPR_TIME_BLITZ, false },
    { "snelschaak", IPR_TIME_BLITZ, false },
    { "błyskawiczne", IPR_TIME_BLITZ, false },
    { "блиц", IPR_TIME_BLITZ, false },
    { "блицтурнир", IPR_TIME_BLITZ, false },
    { "five minute", IPR_TIME_BLITZ, false },
    { "titled tue", IPR_TIME_BLITZ, true },
    { "titled tuesday", IPR_TIME_BLITZ, true },
    { "speed", IPR_TIME_BLITZ, true },
    { "armageddon", IPR_TIME_BLITZ, true },
    { "lightning game", IPR_TIME_BULLET, false }, /* as FICS and ICC call it */
    { "lightning", IPR_TIME_BLITZ, true },        /* over the board, 10 seconds a move */
    { "bullet", IPR_TIME_BULLET, false },
    { "hyperbullet", IPR_TIME_BULLET, false },
    { "ultrabullet", IPR_TIME_BULLET, false },
    { "rapid city", IPR_TIME_UNKNOWN, false },
    { "rapid wien", IPR_TIME_UNKNOWN, false },
    { "rapid", IPR_TIME_RAPID, false },
    { "rapidchess", IPR_TIME_RAPID, false },
    { "rapidplay", IPR_TIME_RAPID, false },
    { "rapidschach", IPR_TIME_RAPID, false },
    { "rapidturnier", IPR_TIME_RAPID, false },
    { "rapide", IPR_TIME_RAPID, false },
    { "rapides", IPR_TIME_RAPID, false },
    { "rápido", IPR_TIME_RAPID, false },
    { "rápidas", IPR_TIME_RAPID, false },
    { "rapidas", IPR_TIME_RAPID, false },
    { "semirapid", IPR_TIME_RAPID, false },
    { "semilampo", IPR_TIME_RAPID, false },
    { "schnell", IPR_TIME_RAPID, false },
    { "schnellschach", IPR_TIME_RAPID, false },
    { "schnellturnier", IPR_TIME_RAPID, false },
    { "schnellpartie", IPR_TIME_RAPID, false },
    { "hurtigsjakk", IPR_TIME_RAPID, false },
    { "hurtigskak", IPR_TIME_RAPID, false },
    { "snabbschack", IPR_TIME_RAPID, false },
    { "atskák", IPR_TIME_RAPID, false },
    { "szachy szybkie", IPR_TIME_RAPID, false },
    { "рапид", IPR_TIME_RAPID, false },
    { "быстрые", IPR_TIME_RAPID, false },
    { "active chess", IPR_TIME_RAPID, false },
    { "activechess", IPR_TIME_RAPID, false },
    { "op act", IPR_TIME_RAPID, false },
    { "classical", IPR_TIME_CLASSICAL, false },
    { "corr", IPR_TIME_CORRESPONDENCE, false },
    { "correspond*", IPR_TIME_CORRESPONDENCE, false },
    { "corrispondenza", IPR_TIME_CORRESPONDENCE, false },
    { "korrespond*", IPR_TIME_CORRESPONDENCE, false },
    { "korespond*", IPR_TIME_CORRESPONDENCE, false },
    { "fernschach*", IPR_TIME_CORRESPONDENCE, false },
    { "fernpartie", IPR_TIME_CORRESPONDENCE, false },
    { "fernturnier", IPR_TIME_CORRESPONDENCE, false },
    { "postal", IPR_TIME_CORRESPONDENCE, false },
    { "email", IPR_TIME_CORRESPONDENCE, false },
    { "e mail", IPR_TIME_CORRESPONDENCE, false },
    { "iccf", IPR_TIME_CORRESPONDENCE, false },
    { "iecg", IPR_TIME_CORRESPONDENCE, false },
    { "ifsb", IPR_TIME_CORRESPONDENCE, false },
    { "ficgs", IPR_TIME_CORRESPONDENCE, false },
    { "schemingmind", IPR_TIME_CORRESPONDENCE, false },
    { "переписке", IPR_TIME_CORRESPONDENCE, false },
    { "заочный", IPR_TIME_CORRESPONDENCE, false },
};

const char *ipr_time_class_name(enum ipr_time_class c)
{
    return class_names[c];
}

enum ipr_time_class ipr_time_class_read(struct ipr_str name)
{
    enum ipr_time_class c = IPR_TIME_UNKNOWN;

    while (c < IPR_TIME_CLASSES && !ipr_str_is(name, class_names[c]))
        c++;
    return c;
}

const char *ipr_time_set_read(const char *text, unsigned *set)
{
    unsigned read = 0;

    for (const char *p = text; p != NULL && strcmp(text, "all") != 0;) {
        const struct ipr_str word = { p, strcspn(p, ",") };
        const enum ipr_time_class class = ipr_time_class_read(word);

        if (class == IPR_TIME_CLASSES)
            return p;
        read |= IPR_TIME_BIT(class);
        p = p[word.n] != '\0' ? p + word.n + 1 : NULL;
    }
    *set = read != 0 ? read : IPR_TIME_SET_ALL;
    return NULL;
}

const char *ipr_time_known_name(enum ipr_time_known k)
{
    return known_names[k];
}

/* Words of a name */

/* The next letter of `s` in lower case, as one or two bytes: ASCII, Latin-1 and Cyrillic have
 * capitals at a fixed distance. 0 when it is not a letter and one byte was skipped. */
static size_t next_letter(struct ipr_str *s, char out[2])
{
    const unsigned char c = (unsigned char)s->p[0];
    const unsigned char d = s->n > 1 ? (unsigned char)s->p[1] : 0;

    s->p++;
    s->n--;
    out[0] = (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
    if (c < 0x80)
        return out[0] >= 'a' && out[0] <= 'z' ? 1 : 0;
    if ((c != 0xC3 && c != 0xD0) || d < 0x80)
        return 1; /* taken as it is, byte by byte */
    s->p++;
    s->n--;
    out[1] = (char)d;
    if ((c == 0xC3 && d <= 0x9E) || (c == 0xD0 && d >= 0x90 && d <= 0x9F)) {
        out[1] = (char)(d + 0x20);
    } else if (c == 0xD0 && d >= 0xA0 && d <= 0xAF) {
        out[0] = (char)0xD1;
        out[1] = (char)(d - 0x20);
    }
    return 2;
}

/* The letters of `s` in lower case, whatever is between words as one space, one at the end. */
static size_t event_fold(struct ipr_str s, char out[TEXT_MAX])
{
    size_t n = 0;

    while (s.n > 0 && n + 3 < TEXT_MAX) {
        const size_t letter = next_letter(&s, out + n);

        n += letter;
        if (letter == 0 && n > 0 && out[n - 1] != ' ')
            out[n++] = ' ';
    }
    if (n > 0 && out[n - 1] != ' ')
        out[n++] = ' ';
    out[n] = '\0';
    return n;
}

/* Length of the match of an entry at the start of a word, the space after it included; 0: none. */
static size_t entry_match(const char *entry, const char *text)
{
    const size_t n = strlen(entry);

    if (entry[n - 1] == '*' && strncmp(entry, text, n - 1) == 0)
        return strcspn(text, " ") + 1;
    return strncmp(entry, text, n) == 0 && text[n] == ' ' ? n + 1 : 0;
}

/* "Schnell Memorial": a person of that name. */
static bool is_person(const char *after)
{
    return entry_match("mem", after) || entry_match("memorial", after) ||
           entry_match("gedenk*", after);
}

/* The longest entry that matches at the start of a word. */
static const struct class_word *find_word(const char *text, size_t *length)
{
    const struct class_word *best = NULL;

    *length = 0;
    for (size_t i = 0; i < sizeof class_words / sizeof *class_words; i++) {
        const size_t n =
            class_words[i].text[0] == text[0] ? entry_match(class_words[i].text, text) : 0;

        if (n > *length && !is_person(text + n)) {
            best = &class_words[i];
            *length = n;
        }
    }
    return best;
}

/* Classes that words of `s` name, as a set; the weak ones only when there is no other. */
static unsigned named_classes(struct ipr_str s)
{
    char text[TEXT_MAX];
    unsigned strong = 0, weak = 0;
    size_t length;

    event_fold(s, text);
    for (const char *at = text; *at != '\0'; at += length) {
        const struct class_word *const w = find_word(at, &length);

        if (w == NULL)
            length = strcspn(at, " ") + 1;
        else if (w->class != IPR_TIME_UNKNOWN)
            *(w->weak ? &weak : &strong) |= IPR_TIME_BIT(w->class);
    }
    return strong != 0 ? strong : weak;
}

/* Names with two classes, as "Rapid & Blitz", are ambiguous. */
static enum ipr_time_class only_class(unsigned set)
{
    for (unsigned c = IPR_TIME_CLASSICAL; c < IPR_TIME_CLASSES; c++)
        if (set == IPR_TIME_BIT(c))
            return (enum ipr_time_class)c;
    return IPR_TIME_UNKNOWN;
}

/* "g/20 Match": the only clock notation that is a separate word in names of events. */
static enum ipr_time_class clock_in_name(struct ipr_str name)
{
    struct ipr_str word;

    while (ipr_str_word(&name, &word))
        if (word.n > 2 && (word.p[0] == 'g' || word.p[0] == 'G') && word.p[1] == '/')
            return ipr_time_control_class(word);
    return IPR_TIME_UNKNOWN;
}

/* Tags */

static enum ipr_time_class tagged_class(const struct ipr_pgn_tag *tags, size_t n)
{
    const struct ipr_str control = ipr_pgn_tag_find(tags, n, "TimeControl"),
                         mode = ipr_pgn_tag_find(tags, n, "Mode");
    const enum ipr_time_class by_clock = ipr_time_control_class(control);
    const enum ipr_time_class by_word =
        only_class(named_classes(control) | named_classes(ipr_pgn_tag_find(tags, n, "EventType")));

    if (by_clock != IPR_TIME_UNKNOWN)
        return by_clock;
    if (by_word != IPR_TIME_UNKNOWN)
        return by_word;
    if (ipr_str_is(mode, "EM") || ipr_str_is(mode, "PM")) /* PGN standard 9.8.3 */
        return IPR_TIME_CORRESPONDENCE;
    return only_class(named_classes(mode));
}

/* Places are called Rapid City and Lightning Ridge: of their words only correspondence counts. */
static enum ipr_time_class inferred_class(const struct ipr_pgn_tag *tags, size_t n)
{
    const struct ipr_str event = ipr_pgn_tag_find(tags, n, "Event");
    const unsigned by_event = named_classes(event);
    const unsigned by_site =
        named_classes(ipr_pgn_tag_find(tags, n, "Site")) & IPR_TIME_BIT(IPR_TIME_CORRESPONDENCE);

    if ((by_event | by_site) != 0)
        return only_class(by_event | by_site);
    return clock_in_name(event);
}

/* Servers */

static const char chess_com[] = "chess.com";

/* As their exports name themselves, in lower case: "chess" is in all. */
static const struct {
    const char *text, *name;
} servers[] = {
    { chess_com, chess_com },     { "lichess.org", "lichess" },     { "freechess.org", "FICS" },
    { "chessclub.com", "ICC" },   { "internet chess club", "ICC" }, { "playchess", "Playchess" },
    { "chess24.com", "chess24" },
};

/* Addresses of a server that show games from elsewhere tell nothing. */
const char *ipr_game_server(const struct ipr_pgn_tag *tags, size_t n)
{
    static const char *const names[] = { "Site", "Link", "GameUrl", "GameURL" };
    static const char *const shown[] = { "BroadcastURL", "BroadcastName", "StudyName" };
    char text[TEXT_MAX];

    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        if (ipr_pgn_tag_find(tags, n, shown[i]).n > 0)
            return NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct ipr_str tag = ipr_pgn_tag_find(tags, n, names[i]);
        size_t length = 0;

        for (; length < tag.n && length + 1 < sizeof text; length++)
            text[length] = (char)tolower((unsigned char)tag.p[length]);
        text[length] = '\0';
        if (strstr(text, "chess") == NULL || strstr(text, "/broadcast") != NULL ||
            strstr(text, "/study") != NULL || strstr(text, "/events/") != NULL)
            continue;
        for (size_t k = 0; k < sizeof servers / sizeof *servers; k++) {
            const char *const at = strstr(text, servers[k].text);

            if (at != NULL && (at == text || (at[-1] != '-' && !isalnum((unsigned char)at[-1]))))
                return servers[k].name;
        }
    }
    return NULL;
}

/* "600+5", the form of the servers: seconds of the base and 40 increments; -1: another form. */
static int64_t served_seconds(struct ipr_str control)
{
    const struct ipr_str text = ipr_str_trim(control);
    const char *const plus = text.n > 0 ? memchr(text.p, '+', text.n) : NULL;
    const size_t n = plus != NULL ? (size_t)(plus - text.p) : text.n;
    int64_t base, increment = 0;

    if (!ipr_str_int((struct ipr_str){ text.p, n }, 0, 86400, &base) ||
        (plus != NULL &&
         !ipr_str_int((struct ipr_str){ plus + 1, text.n - n - 1 }, 0, 3600, &increment)))
        return -1;
    return base + 40 * increment;
}

/* The classes of games on servers by what their tags or event say. */
static const enum ipr_time_class online_classes[IPR_TIME_ONLINE_CLASSICAL] = {
    [IPR_TIME_UNKNOWN] = IPR_TIME_ONLINE_UNKNOWN,
    [IPR_TIME_CLASSICAL] = IPR_TIME_ONLINE_CLASSICAL,
    [IPR_TIME_RAPID] = IPR_TIME_ONLINE_RAPID,
    [IPR_TIME_BLITZ] = IPR_TIME_ONLINE_BLITZ,
    [IPR_TIME_BULLET] = IPR_TIME_ONLINE_BULLET,
    [IPR_TIME_CORRESPONDENCE] = IPR_TIME_CORRESPONDENCE,
};

enum ipr_time_class ipr_time_class(const struct ipr_pgn_tag *tags, size_t n_tags,
                                   enum ipr_time_known *known)
{
    const char *const server = ipr_game_server(tags, n_tags);
    const int64_t seconds = served_seconds(ipr_pgn_tag_find(tags, n_tags, "TimeControl"));
    enum ipr_time_class class = tagged_class(tags, n_tags);

    *known = IPR_TIME_TAGGED;
    if (server != NULL && seconds > 0 && class != IPR_TIME_CORRESPONDENCE) {
        if (seconds < 180)
            return IPR_TIME_ONLINE_BULLET;
        if (seconds < (server == chess_com ? 600 : 480))
            return IPR_TIME_ONLINE_BLITZ;
        return seconds < 1500 || server == chess_com ? IPR_TIME_ONLINE_RAPID
                                                     : IPR_TIME_ONLINE_CLASSICAL;
    }
    if (class == IPR_TIME_UNKNOWN) {
        class = inferred_class(tags, n_tags);
        *known = class == IPR_TIME_UNKNOWN ? IPR_TIME_NOT_KNOWN : IPR_TIME_INFERRED;
    }
    return server != NULL ? online_classes[class] : class;
}
