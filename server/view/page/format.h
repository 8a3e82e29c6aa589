#ifndef IPR_VIEW_PAGE_FORMAT_H
#define IPR_VIEW_PAGE_FORMAT_H

#include "sentence/sentence.h"
#include "tmpl/mustache.h"

/*
 * The formatters of the templates: {{ipr.estimate|elo}}. Those of a figure take a number or an
 * interval {"low", "high"}: "2634 to 2887", with an open end "above 2500" or "below 2500"; all but
 * general with a typographic minus.
 *
 *   elo                2741
 *   count              12,345
 *   share[:digits]     54.3%
 *   percent[:digits]   54.3
 *   probability        of a probability: 54%, above 99%
 *   certainty          of a probability from .66 on: likely, very likely, …
 *   one_in             of how many one is there by chance: 7, 740, 10,000
 *   fixed:digits       0.412
 *   points             of expected points that a move lost, cut: 0.19 of 0.199
 *   signed:digits      +0.48, −2.3; no sign on what rounds to 0
 *   significant:digits 0.0123, 1.5e-07
 *   general            15.5, 20: as short as it can be
 *   plural:one:many    1 game, 12,345 games
 *   odds               of a probability: one in nine, two in three, one in 25, nearly all
 *   duration           of seconds: 3.1 s, 42 s, less than 0.1 s
 *   less:number        of whole numbers: less that; nothing when it is not positive
 *   move               of a ply: 12. (White), 12… (Black)
 *   score[:reversed]   of centipawns or {"mate"}: +0.23, #3; from the other side's view
 *   pawns              of centipawns that were lost: 0.35
 *   clock              of milliseconds: 1:59:59
 *   glyph              of a PGN annotation's number: !?
 *
 *   when               of a time stamp: 2026-11-21 12:01
 *   day                of a time stamp: 2026-11-21
 *   list[:,|:or]       of texts: classical, blitz and unknown; with "," or "or" only that between
 *   words              of a key: white_fide_id as white fide id
 *   pool               of a pool's name: online rapid games
 *   linked             of a text with [words](address): [{"text", "href"}] in its order
 *   surname            what stands before the comma
 *   person             a name as people say it: Bobby Fischer of Fischer, Robert J
 *   event              of a name of an event as its tags have it: World Championship 31st for 31th
 *   place              of a tag Site: without the code of the country behind it
 *   date               of a tag Date, what is known of it: 31 August 1972, August 1972, 1972
 *   slug               of a name, for an address: /fischer-robert-james
 *
 *   span               of {"first_year", "last_year"} or {"low", "high"}: 1970–1972
 *   counts[:dict]      of {key: number}: 12 blitz, 3 rapid; of a dictionary's keys alone
 *   sum:member:…       of these members of an object
 *   rests_on           of {"turns", "games"}: 685 moves, 20 games
 *   judge              of an engine setting: standard: Stockfish 15.1, depth 10, 20 lines, …
 *   remark             what a rating says of itself: outside the calibrated range; …
 *   called             of {"name", "fide_id"}: Fischer, Robert J (FIDE 4711)
 *   game               of {"white", "black", "year"}: Fischer – Larsen, 1971
 *   player_year        of {"player", "year"}: Bobby Fischer 1971
 *
 *   word:dict          the text of a key, as below
 *   rows[:dict]        of an object: [{"key", "text", "value"}] in the order of the dictionary
 *   size               how many elements
 *   without:name:…     of [{"name"}]: those with other names
 *   query:mark         of page.given: &judge=quick&year=1972, with the mark ? or & before it
 *   or:text            the text where there is no value
 *
 * For sections:
 *
 *   some               the value; nothing for 0, false and what is empty
 *   any                true for the same: a section over a list that is shown once
 *   any:path           true where an element of a list has some there
 *   eq:text            true where the value, as text, is that
 *   more:number        true where it is greater
 */
extern const struct ipr_tmpl_formatter ipr_page_formatters[];

/* The texts of pages for the API's keys. */

/** The words of a dictionary in the order pages list them; NULL when there is none of that name. */
const struct ipr_word *ipr_words(const char *dictionary);

#endif
