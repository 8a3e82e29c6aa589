#include "rate/choice.h"

#include <string.h>

#include "core/names.h"

const char *const ipr_rate_reason_names[IPR_RATE_REASONS] = { "before", "undated", "not_rated",
                                                              "repeated", "without_evals" };

/* ---- dates ---- */

int ipr_rate_month(const struct ipr_db_new_game *row)
{
    int day;

    return ipr_date_read(row->date, '.', 0, &day) > 0 ? day / 100 : 0;
}

/* ---- the options ---- */

static enum ipr_code read_times(const struct ipr_args *args, unsigned *times, struct ipr_err *err)
{
    const char *const text = ipr_args_value(args, "time");
    const char *const bad = text != NULL ? ipr_time_set_read(text, times) : NULL;

    if (bad == NULL)
        return IPR_OK;
    struct ipr_buf names = IPR_BUF_INIT;

    for (unsigned c = 0; c < IPR_TIME_CLASSES; c++)
        ipr_buf_printf(&names, "%s, ", ipr_time_class_name((enum ipr_time_class)c));
    const enum ipr_code rc = ipr_err_set(err, IPR_EPARSE, "--time: '%.*s' is not one of %sall",
                                         (int)strcspn(bad, ","), bad, ipr_buf_c(&names));
    ipr_buf_release(&names);
    return rc;
}

enum ipr_code ipr_rate_choice_read(const struct ipr_args *args, struct ipr_rate_choice *out,
                                   struct ipr_err *err)
{
    int by = 0;
    enum ipr_code rc = ipr_args_choice(args, "by", &by, err);

    if (rc == IPR_OK)
        rc = read_times(args, &out->times, err);
    out->by = (enum ipr_rate_by)by;
    const char *player[IPR_RATE_NAMES + 1];
    out->n_players = ipr_args_values(args, "player", player, IPR_RATE_NAMES + 1);
    out->since = ipr_args_value(args, "since");
    out->rated_only = ipr_args_has(args, "rated-only");
    if (rc == IPR_OK && out->since != NULL && !ipr_date_is(out->since))
        rc = ipr_err_set(err, IPR_EPARSE, "--since: '%s' is no date as 2024, 2024-05 or 2024-05-31",
                         out->since);
    if (rc == IPR_OK && out->n_players > IPR_RATE_NAMES)
        rc = ipr_err_set(err, IPR_EPARSE, "--player: at most %d names", IPR_RATE_NAMES);
    for (size_t i = 0; rc == IPR_OK && i < out->n_players; i++) {
        out->player[i] = player[i];
        if (player[i][0] == '\0')
            rc = ipr_err_set(err, IPR_EPARSE, "--player: a name");
    }
    return rc;
}

/* ---- players and games ---- */

bool ipr_rate_is_named(const struct ipr_rate_choice *choice, size_t k,
                       const struct ipr_identity *player)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    const char *key = NULL;
    bool named = false;

    if (ipr_name_key(choice->player[k], &mem, &key, NULL) == IPR_OK) {
        const char *wanted = ipr_name_fold(key, &mem), *name = ipr_name_fold(player->key, &mem);
        const char *tagged = ipr_name_fold(player->tagged, &mem);
        const size_t n = strlen(wanted) + (choice->n_players > 1); /* with the end of the text */

        named = strncmp(name, wanted, n) == 0 || strncmp(tagged, wanted, n) == 0;
    }
    ipr_arena_release(&mem);
    return named;
}

bool ipr_rate_is_chosen(const struct ipr_rate_choice *choice, const struct ipr_identity *player)
{
    bool chosen = choice->n_players == 0 && player->key[0] != '\0'; /* else it cannot be rated */

    for (size_t k = 0; k < choice->n_players && !chosen; k++)
        chosen = ipr_rate_is_named(choice, k, player);
    return chosen;
}

/* The word in the name of the event, as "Rated blitz game" of lichess and "FICS rated standard
 * game" and unlike "Not rated" and "Open, not FIDE rated", or the gain or loss of rating that
 * lichess adds to rated games alone. */
static bool game_says_rated(const struct ipr_db_new_game *row, const struct ipr_pgn_tag *tags,
                            size_t n_tags)
{
    struct ipr_str rest = ipr_str_c(row->event), word;
    bool rated = ipr_pgn_tag_find(tags, n_tags, "WhiteRatingDiff").n > 0 ||
                 ipr_pgn_tag_find(tags, n_tags, "BlackRatingDiff").n > 0;

    while (!rated && ipr_str_word(&rest, &word) && !ipr_str_is_like(word, "not") &&
           !ipr_str_is_like(word, "non"))
        rated = ipr_str_is_like(word, "rated");
    return rated;
}

bool ipr_rate_game_is_chosen(const struct ipr_rate_choice *choice,
                             const struct ipr_db_new_game *row, const struct ipr_pgn_tag *tags,
                             size_t n_tags, struct ipr_rate_left_out *left_out)
{
    int since = 0, first = 0, last = 0;

    if (choice->n_players > 0 && !ipr_rate_is_chosen(choice, &row->white) &&
        !ipr_rate_is_chosen(choice, &row->black))
        return false;
    if (choice->since != NULL) {
        const bool dated = ipr_date_read(row->date, '.', 1, &first) > 0;

        (void)ipr_date_read(choice->since, '-', 1, &since);
        (void)ipr_date_read(row->date, '.', 99, &last);
        last = dated ? last : since;
    }
    size_t *counted = NULL;
    if (choice->times != 0 && (choice->times & IPR_TIME_BIT(row->time_class)) == 0)
        counted = &left_out->time[row->time_class];
    else if (first < since) /* on the first day that the date may be */
        counted = &left_out->reason[last < since ? IPR_RATE_BEFORE : IPR_RATE_UNDATED];
    else if (choice->rated_only && !game_says_rated(row, tags, n_tags))
        counted = &left_out->reason[IPR_RATE_NOT_RATED];
    if (counted != NULL)
        ++*counted;
    return counted == NULL;
}
