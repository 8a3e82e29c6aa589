/*
 * What a page asks of players and their years, and where another question is asked of the same
 * ones. Who comes first by one of them can come second by another, and a reader who meets both
 * needs to know why: one sentence, templates/partials/question.html, on each page whose answer can
 * differ from that of another.
 */
#include "view/page/page.h"

#include <string.h>

static const struct question {
    const char *asks;        /* after "this page asks" */
    const char *name, *path; /* of the page that asks it */
    const char *fragment;    /* of its address */
} questions[] = {
    [IPR_ASKS_BEST] = { "whose best year was the strongest of all", "the battle royale", "/royale",
                        "" },
    [IPR_ASKS_YEAR] = { "which year was strongest by its own moves alone", "the ranking", "/",
                        "#ranking" },
    [IPR_ASKS_WHOLE] = { "who was strongest over all games together", "the comparison of careers",
                         "/careers", "" },
    [IPR_ASKS_PAIR] = { "how two years would score against each other", "the head to head",
                        "/compare", "" },
};

json_t *ipr_page_question(enum ipr_question here)
{
    return json_pack("{s:s, s:[]}", "asks", questions[here].asks, "elsewhere");
}

void ipr_page_question_add(json_t *question, enum ipr_question other, const char *query)
{
    const struct question *const q = &questions[other];
    json_t *const all = json_object_get(question, "elsewhere");

    json_array_append_new(all, json_pack("{s:s, s:s, s:s, s:s, s:s*, s:b}", "asks", q->asks, "name",
                                         q->name, "path", q->path, "fragment", q->fragment, "query",
                                         query, "again", json_array_size(all) > 0));
}

void ipr_page_put_question(enum ipr_question here, double rated, json_t *page)
{
    if (rated < 2.0)
        return;
    json_t *const question = ipr_page_question(here);

    ipr_page_question_add(question, IPR_ASKS_BEST, NULL);
    json_object_set_new(page, "question", question);
}
