#include "reader.h"

static struct row {
    const char *name, *input, *want;
} rows[] = {
    { "plain", "[White \"A\"]\n\n1. e4 e5 2. Nf3 1-0\n", "A/e4 e5 Nf3/1-0\n" },
    { "two games", "[White \"A\"]\n\n1. e4 1-0\n\n[White \"B\"]\n\n1. d4 0-1\n",
      "A/e4/1-0\nB/d4/0-1\n" },
    { "byte-order mark", "\xEF\xBB\xBF[White \"A\"]\n1. e4 *", "A/e4/*\n" },
    { "byte-order mark between files", "[White \"A\"]\n1. e4 *\n\xEF\xBB\xBF[White \"B\"]\n1. d4 *",
      "A/e4/*\nB/d4/*\n" },
    { "CRLF", "[White \"A\"]\r\n\r\n1. e4\r\ne5 1-0\r\n", "A/e4 e5/1-0\n" },
    { "CR alone", "[White \"A\"]\r\r1. e4 e5\r2. Nf3 Ke4 *\r",
      "A/e4 e5 Nf3/* !illegal_move 4:8 3\n" },
    { "CRLF counts once", "[White \"A\"]\r\n\r\n1. e4 e4 *\r\n", "A/e4/* !illegal_move 3:7 1\n" },
    { "% line", "% [White \"X\"]\n[White \"A\"]\n1. e4\n%{(\ne5 *", "A/e4 e5/*\n" },
    { "% inside a line", "1. e4 %\n", "/e4/* !bad_move 1:7 1\n" },
    { "; comment", "1. e4 ; { ( [White \"X\"]\ne5 *", "/e4 e5/*\n" },
    { "brace comment", "1. e4 {; ( [White \"X\"]\n\n% 1-0 } e5 *", "/e4 e5/*\n" },
    { "comment touches", "1. e4{x}e5{y}2. Nf3 *", "/e4 e5 Nf3/*\n" },
    { "comment before the tags", "{hello} [White \"A\"] {there} [Black \"B\"] 1. e4 *",
      "A/e4/*\n" },
    { "variation", "1. e4 (1. d4 d5) 1... e5 *", "/e4 e5/*\n" },
    { "nested variations", "1. e4 (1. d4 (1. c4 {)} (1. f4)) d5 ; )\n) e5 *", "/e4 e5/*\n" },
    { "NAGs", "1. e4 $1 e5$14 $139 2. Nf3 *", "/e4 e5 Nf3/*\n" },
    { "suffixes", "1. e4! e5?? 2. Nf3 !? Nc6 ?! *", "/e4 e5 Nf3 Nc6/*\n" },
    { "evaluation signs", "1. e4 += e5 -/+ 2. Nf3 +- = Nc6 *", "/e4 e5 Nf3 Nc6/*\n" },
    { "markup between tags and moves",
      "[White \"A\"]<br />[Black \"B\"]<br/>\n<p>1. e4<br />e5<BR>2. Nf3</p> *\n<hr/>[White \"C\"]",
      "A/e4 e5 Nf3/*\nC//*\n" },
    { "no markup", "1. e4 < e5 <= 2. Nf3 <b\n[White \"C\"]",
      "/e4 e5 Nf3/* !bad_move 1:22 3\nC//*\n" },
    { "wrong numbers", "7. e4 3... e5 1.Nf3 *", "/e4 e5 Nf3/*\n" },
    { "no numbers", "e4 e5 Nf3 *", "/e4 e5 Nf3/*\n" },
    { "numbers that touch", "1.e4 1...e5 2.Nf3 2..Nc6 *", "/e4 e5 Nf3 Nc6/*\n" },
    { "dots", "1 . e4 ... e5 2. ...Nf3 *", "/e4 e5 Nf3/*\n" },
    { "dots in Unicode", "1. e4 1\xE2\x80\xA6 e5 \xE2\x80\xA6 Nf3 *", "/e4 e5 Nf3/*\n" },
    { "number without a dot", "1 e4 e5 2 Nf3 *", "/e4 e5 Nf3/*\n" },
    { "a number at every move", "1. e4 2. e5 3. Nf3 *", "/e4 e5 Nf3/*\n" },
    { "novelty and diagram", "1. e4 N e5 D 2. Nf3 Nc6 N 3. Bb5 *", "/e4 e5 Nf3 Nc6 Bb5/*\n" },
    { "a letter after a number is no novelty", "1. e4 e5 2. N Nc6 *",
      "/e4 e5/* !bad_move 1:13 2\n" },
    { "a letter before the first move is no diagram", "D 1. e4 *", "//* !bad_move 1:1 0\n" },
    { "zeros", "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. 0-0 *", "/e4 e5 Nf3 Nc6 Bc4 Bc5 O-O/*\n" },
    { "e.p.", "1. e4 a6 2. e5 d5 3. exd6 e.p. Nf6 *", "/e4 a6 e5 d5 exd6 Nf6/*\n" },
    { "e.p. that touches", "1. e4 a6 2. e5 d5 3. exd6e.p. Nf6 *", "/e4 a6 e5 d5 exd6 Nf6/*\n" },
    { "ep", "1. e4 a6 2. e5 d5 3. ed6 ep Nf6 *", "/e4 a6 e5 d5 exd6 Nf6/*\n" },
    { "over-disambiguated", "1. Ng1f3 Nb8c6 2. N1c3 Ngf6 *", "/Nf3 Nc6 Nc3 Nf6/*\n" },
    { "under-disambiguated, but the other is pinned",
      "1. e4 e5 2. Nc3 Bb4 3. Nge2 Nf6 4. d3 d6 5. Nd4 *",
      "/e4 e5 Nc3 Bb4 Nge2 Nf6 d3 d6 Nd4/*\n" },
    { "the pinned one named", "1. d4 e6 2. Nc3 Bb4 3. Ne4 *",
      "/d4 e6 Nc3 Bb4/* !illegal_move 1:24 4\n" },
    { "long algebraic", "1. e2-e4 d7-d5 2. e4xd5 Ng8-f6 3. Bf1-b5+ *", "/e4 d5 exd5 Nf6 Bb5+/*\n" },
    { "promotions",
      "[FEN \"3r3k/PP2P3/8/8/8/8/8/K7 w - - 0 1\"] e7xd8=Q+ Kg7 2. a8Q Kf7 3. b8(N) Kg6 *",
      "/exd8=Q+ Kg7 a8=Q Kf7 b8=N Kg6/*\n" },
    { "promotion after a stroke", "[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"] a8/R *", "/a8=R/*\n" },
    { "a variation after the last rank is no promotion",
      "[FEN \"1r5k/8/8/8/8/8/8/R3K3 w - - 0 1\"] Ra8(Rd1)Rxa8 *", "/Ra8 Rxa8/*\n" },
    { "pieces in lower case", "1. nf3 nc6 2. nd4 rb8 3. b4 *", "/Nf3 Nc6 Nd4 Rb8 b4/*\n" },
    { "UCI moves", "1. e2e4 e7e5 2. g1f3 *", "/e4 e5 Nf3/*\n" },
    { "results", "1. e4 1/2-1/2\n1. e4 1/2\n1. e4 1-0\n1. e4 0-1\n1. e4 *",
      "/e4/1/2-1/2\n/e4/1/2-1/2\n/e4/1-0\n/e4/0-1\n/e4/*\n" },
    { "halves", "1. e4 \xC2\xBD-\xC2\xBD\n1. e4 \xBD-\xBD\n1. e4 \xBD\n[Result \"\xBD-\xBD\"]",
      "/e4/1/2-1/2\n/e4/1/2-1/2\n/e4/1/2-1/2\n//1/2-1/2\n" },
    { "result twice", "1. e4 1-0 1-0\n\n[White \"B\"]\n*", "/e4/1-0\nB//*\n" },
    { "result by tag alone", "[White \"A\"][Result \"0-1\"] 1. e4", "A/e4/0-1\n" },
    { "terminator wins", "[White \"A\"][Result \"0-1\"] 1. e4 1-0", "A/e4/1-0\n" },
    { "an asterisk knows less", "[White \"A\"][Result \"0-1\"] 1. e4 *", "A/e4/0-1\n" },
    { "a mate knows it", "[White \"A\"] 1. f3 e5 2. g4 Qh4# *", "A/f3 e5 g4 Qh4#/0-1\n" },
    { "spaces and dashes in results", "[White \"A\"][Result \"1 - 0\"] 1. e4 0 - 1", "A/e4/0-1\n" },
    { "in the tag",
      "[White \"A\"][Result \"1\xE2\x80\x93"
      "0\"] 1. e4",
      "A/e4/1-0\n" },
    { "a colon, a forfeit", "[White \"A\"][Result \"0:1\"]\n\n[White \"B\"][Result \"+:-\"]",
      "A//0-1\nB//1-0\n" },
    { "other dashes in moves",
      "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. 0\xE2\x80\x93"
      "0 Nf6 1\xE2\x80\x91"
      "0",
      "/e4 e5 Nf3 Nc6 Bc4 Bc5 O-O Nf6/1-0\n" },
    { "neither has scored", "[White \"A\"][Result \"0-0\"] 1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 0-0",
      "A/e4 e5 Nf3 Nf6 Bc4 Bc5/*\n" },
    { "without a move", "[White \"A\"][Result \"0-0\"] 0-0\n\n[White \"B\"] 1. e4 *",
      "A//*\nB/e4/*\n" },
    { "castling all the same",
      "[White \"A\"][Result \"0-0\"] 1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0 a6 0-0",
      "A/e4 e5 Nf3 Nf6 Bc4 Bc5 O-O a6/*\n" },
    { "what is not seen",
      "1. e4 e5 2. \xE2\x80\x8BNf3 Nc6\xE2\x81\xA0 3.\xE2\x80\x89"
      "Bb5 a6 *",
      "/e4 e5 Nf3 Nc6 Bb5 a6/*\n" },
    { "the Informant's signs",
      "1. e4 e5 2. Nf3 Nc6 \xE2\xA9\xB2 3. Bb5 a6 \xC2\xB1 4. B\xC3\x97"
      "c6 dxc6\xE2\x88\x93 *",
      "/e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6/*\n" },
    { "no result", "[White \"A\"] 1. e4\n[White \"B\"] 1. d4", "A/e4/*\nB/d4/*\n" },
    { "no moves", "[White \"A\"]\n\n1-0\n[White \"B\"]\n\n0-1", "A//1-0\nB//0-1\n" },
    { "no moves, no result", "[Event \"x\"]\n[White \"A\"]\n\n[Event \"y\"]\n[White \"B\"]\n",
      "A//*\nB//*\n" },
    { "no Event either", "[White \"A\"]\n[Result \"1-0\"]\n\n[White \"B\"]\n", "A//1-0\nB//*\n" },
    { "a tag twice", "[White \"A\"]\n[White \"B\"]\n1. e4 *", "A/e4/*\n" },
    { "blank line in the tags", "[Event \"x\"]\n\n[White \"A\"]\n1. e4 *", "A/e4/*\n" },
    { "no tags", "1. e4 e5 1-0", "/e4 e5/1-0\n" },
    { "a result alone", "*", "//*\n" },
    { "tags on one line", "[Event \"x\"] [White \"A\"][Black \"B\"] 1. e4 *", "A/e4/*\n" },
    { "spaces in tags", "[ White  \"A\" ]\n1. e4 *", "A/e4/*\n" },
    { "odd tag names", "[Played? \"x\"]\n[White-Name \"y\"] [White \"A\"] 1. e4 *", "A/e4/*\n" },
    { "a space in a tag name", "[Event Date \"x\"]\n1. e4 *", "//* !bad_tag 1:1 0\n" },
    { "next game on one line", "1. e4 1-0 [White \"B\"] 1. d4 Ke4 *",
      "/e4/1-0\nB/d4/* !illegal_move 1:29 1\n" },
    { "escapes", "[White \"A \\\"B\\\" \\\\ C\\D\"] *", "A \"B\" \\ C\\D//*\n" },
    { "unescaped quotes", "[White \"A \"B\" C\"] *", "A \"B\" C//*\n" },
    { "backslash before the closing quote", "[White \"A\\\"]\n[Black \"B\"]\n1. e4 *",
      "A\\/e4/*\n" },
    { "and at the end of the input", "[White \"A\\\"] ", "A\\//*\n" },
    { "an escaped quote and a bracket inside", "[White \"A\\\"] B\"]\n1. e4 *", "A\"] B/e4/*\n" },
    { "blanks before the bracket", "[White \"A\" ] [Black \"B\\\" ]\n\n[Event \"x\"] 1. e4 *",
      "A/e4/*\n" },
    { "brackets in values", "[White \"A]\"] [Black \"[x\"] 1. e4 *", "A]/e4/*\n" },
    { "tags in another case", "[white \"A\"]\n[result \"1-0\"]\n\n1. e4", "A/e4/1-0\n" },
    { "the exact tag before one in another case", "[WHITE \"A\"][White \"B\"][white \"C\"] 1. e4 *",
      "B/e4/*\n" },
    { "the first tag in another case", "[WHITE \"A\"][white \"B\"] 1. e4 *", "A/e4/*\n" },
    { "a longer name is another tag", "[whites \"A\"][Whit \"B\"] 1. e4 *", "/e4/*\n" },
    { "games without moves, tags in another case",
      "[event \"1\"]\n[white \"A\"]\n[event \"2\"]\n[white \"B\"]\n", "A//*\nB//*\n" },
    { "empty value", "[White \"\"] 1. e4 *", "/e4/*\n" },
    { "UTF-8", "[White \"Mart\xC3\xADn\"] 1. e4 *", "Mart\xC3\xADn/e4/*\n" },
    { "Windows-1252", "[White \"Mart\xEDn \x8A\x80\"] 1. e4 *",
      "Mart\xC3\xADn \xC5\xA0\xE2\x82\xAC/e4/*\n" },
    { "game by game", "[White \"\xED\"] 1. e4 *\n[White \"\xC3\xAD\"] 1. d4 *",
      "\xC3\xAD/e4/*\n\xC3\xAD/d4/*\n" },
    { "UTF-8 beside Windows-1252",
      "[Black \"M\xFCller\"]\n[White \"P\xC3\xB6ttinger\"] {\xED} 1. e4 *",
      "P\xC3\xB6ttinger/e4/*\n" },
    { "Windows-1252 beside UTF-8",
      "[White \"M\xFCller\"]\n[Black \"P\xC3\xB6ttinger\"] {\xC3\xAD} 1. e4 *",
      "M\xC3\xBCller/e4/*\n" },
    { "undefined bytes", "[White \"a\x81\x9D\"] 1. e4 *", "a\xEF\xBF\xBD\xEF\xBF\xBD/e4/*\n" },
    { "FEN", "[White \"A\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n1. O-O Kd7 *",
      "A/O-O Kd7/*\n" },
    { "SetUp without FEN", "[SetUp \"1\"] 1. e4 *", "/e4/*\n" },
    { "FEN without SetUp, four fields", "[FEN \"4k3/8/8/8/8/8/8/4K2R w K -\"] 1. O-O *",
      "/O-O/*\n" },
    { "Chess960, Shredder rights",
      "[Variant \"Chess960\"]\n[FEN \"1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 "
      "1\"]\n1. O-O O-O-O *",
      "/O-O O-O-O/*\n" },
    { "Chess960, X-FEN rights", "[FEN \"4k3/8/8/8/8/8/8/RR2K3 w B - 0 1\"] 1. O-O-O *",
      "/O-O-O/*\n" },
    { "FEN, Black first", "[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 0 5\"] 5... Kd7 6. Kd2 *",
      "/Kd7 Kd2/*\n" },
    { "bad FEN", "[White \"A\"]\n  [FEN \"4k3/8/8/8/8/8/8/8 w - - 0 1\"]\n1. e4 *\n[White \"B\"] *",
      "A//* !bad_fen 2:3 0\nB//*\n" },
    { "FEN in another case", "[fen \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"] 1. O-O *", "/O-O/*\n" },
    { "bad FEN in another case, above a good one",
      "[fen \"8\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n1. O-O *", "/O-O/*\n" },
    { "bad FEN below one in another case",
      "[fen \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n[FEN \"8\"]\n[FEN \"9\"]\n1. O-O *",
      "//* !bad_fen 2:1 0\n" },
    { "variant in another case", "[VARIANT \"Atomic\"] 1. e4 *",
      "//* !unsupported_variant 1:1 0\n" },
    { "variant", "[White \"A\"]\n[Variant \"Atomic\"]\n\n1. e4 *\n\n[White \"B\"] 1. d4 *",
      "A//* !unsupported_variant 2:1 0\nB/d4/*\n" },
    { "known variants",
      "[Variant \"Standard\"] 1. e4 *\n[Variant \"chess960\"] 1. e4 *\n"
      "[Variant \"From Position\"] 1. e4 *",
      "/e4/*\n/e4/*\n/e4/*\n" },
    { "illegal move", "[White \"A\"]\n\n1. e4 e5\n2. Ke3 Nc6 1-0\n\n[White \"B\"]\n1. d4 *",
      "A/e4 e5/* !illegal_move 4:4 2\nB/d4/*\n" },
    { "refused with the tag's result", "[Result \"1-0\"] 1. e4 e5 2. Ke3 0-1",
      "/e4 e5/1-0 !illegal_move 1:28 2\n" },
    { "ambiguous move", "1. Nf3 d5 2. d3 d4 3. Nd2 *", "/Nf3 d5 d3 d4/* !ambiguous_move 1:23 4\n" },
    { "not a move", "1. e4 hello *", "/e4/* !bad_move 1:7 1\n" },
    { "figurine",
      "1. \xE2\x99\x98"
      "f3 *",
      "/Nf3/*\n" },
    { "letter of another language", "1. Sf3 *", "//* !bad_move 1:4 0\n" },
    { "byte column", "1. e4 {\xC3\xA9\xC3\xA9} xx *", "/e4/* !bad_move 1:14 1\n" },
    { "words of another kind", "1. e4 hello e5 *", "/e4/* !bad_move 1:7 1\n" },
    { "a clock without its braces", "1. e4 [%clk 0:01:00] e5 *", "/e4/* !bad_move 1:7 1\n" },
    { "nested braces", "1. e4 {a {b} c} e5 *", "/e4 e5/*\n" },
    { "nested braces, deep", "1. e4 {a {b {c} {d}} e} e5 *", "/e4 e5/*\n" },
    { "nested braces, nothing between", "1. e4 {a {b}} e5 *", "/e4 e5/*\n" },
    { "nested braces in a variation", "1. e4 (1. d4 {a {b)} c) }) e5 *", "/e4 e5/*\n" },
    { "an open brace in a comment", "1. e4 {a {b} e5 {c} 2. Nf3 *", "/e4 e5 Nf3/*\n" },
    { "moves after a nested comment", "1. e4 {a {b} e5 } *", "/e4 e5/* !stray_close 1:17 2\n" },
    { "braces that do not pair up", "1. e4 {a {b} c *", "/e4/* !bad_move 1:14 1\n" },
    { "null moves", "1. e4 -- *\n[White \"B\"] 1. Z0 *\n[White \"C\"] 1. 0000 *",
      "/e4/* !null_move 1:7 1\nB//* !null_move 2:16 0\nC//* !null_move 3:16 0\n" },
    { "truncated in a token", "[White \"A\"] 1. e4 e5 2. N", "A/e4 e5/* !bad_move 1:25 2\n" },
    { "truncated between tokens", "[White \"A\"] 1. e4 e5 2.", "A/e4 e5/*\n" },
    { "truncated in a comment", "1. e4 {never closed", "/e4/* !unterminated_comment 1:7 1\n" },
    { "truncated in a variation", "1. e4 (1. d4 d5", "/e4/* !unterminated_variation 1:7 1\n" },
    { "truncated in a comment in a variation", "1. e4 (1. d4 { d5",
      "/e4/* !unterminated_comment 1:14 1\n" },
    { "truncated in a tag", "[White \"A\"]\n[Black \"B", "A//* !bad_tag 2:1 0\n" },
    { "open comment hides no game",
      "[White \"A\"]\n1. e4 {oops\n\n[White \"B\"]\n1. d4 {fine} d5 *\n[White \"C\"]\n1. c4 *",
      "A/e4/* !unterminated_comment 2:7 1\nB/d4 d5/*\nC/c4/*\n" },
    { "open comment hides no last game", "1. e4 {oops\n[White \"B\"]\n1. d4 Ke4 *",
      "/e4/* !unterminated_comment 1:7 1\nB/d4/* !illegal_move 3:7 1\n" },
    { "open comments in a row",
      "1. e4 {a\n[White \"B\"]\n1. d4 {b\n[White \"C\"]\n1. c4 {c\n[White \"D\"]\n1. f4",
      "/e4/* !unterminated_comment 1:7 1\nB/d4/* !unterminated_comment 3:7 1\n"
      "C/c4/* !unterminated_comment 5:7 1\nD/f4/*\n" },
    { "open variation", "1. e4 (1. d4 d5\n\n[White \"B\"]\n1. d4 *",
      "/e4/* !unterminated_variation 1:7 1\nB/d4/*\n" },
    { "stray brackets", "1. e4 ) e5 *\n[White \"B\"] 1. e4 } e5 *",
      "/e4/* !stray_close 1:7 1\nB/e4/* !stray_close 2:19 1\n" },
    { "open tag", "[Event \"x\"\n[White \"A\"]\n1. e4 *\n[White \"B\"]\n1. d4 *",
      "A//* !bad_tag 1:1 0\nB/d4/*\n" },
    { "tag without value", "[White]\n1. e4 *\n[White \"B\"]\n1. d4 *",
      "//* !bad_tag 1:1 0\nB/d4/*\n" },
    { "moves after the result", "1. e4 e5 1-0 2. Nf3 Nc6 *\n[White \"B\"] *",
      "/e4 e5/1-0\n//* !text_after_result 1:17 0\nB//*\n" },
    { "games without tags in a row", "1. e4 e5 1-0 1. d4 d5 0-1", "/e4 e5/1-0\n/d4 d5/0-1\n" },
    { "games without tags and results", "1. e4 e5 2. Nf3 {x}\n\n  1. d4 d5\r\n\r\n1.c4 1-0",
      "/e4 e5 Nf3/*\n/d4 d5/*\n/c4/1-0\n" },
    { "moves without tags after a game with tags, all indented",
      "    [White \"A\"]\n1. e4 e5 2. Nf3 {x}\n\n\n    1. e4 e5 2. Nf3 {y}\n",
      "A/e4 e5 Nf3/*\n/e4 e5 Nf3/*\n" },
    { "a blank line before Black's first move", "1. e4\n\n1... e5 2. Nf3 *", "/e4 e5 Nf3/*\n" },
    { "a blank line within the moves", "1. e4 e5\n\n2. Nf3 *", "/e4 e5 Nf3/*\n" },
    { "after mate", "1. f3 e5 2. g4 Qh4# 3. a3 *", "/f3 e5 g4 Qh4#/* !illegal_move 1:24 4\n" },
};

static void test_row(void **state)
{
    const struct row *r = *state;
    const struct ipr_str input = ipr_str_c(r->input);

    for (size_t piece = 1; piece <= input.n; piece = piece < 8 ? piece + 1 : piece + input.n)
        expect_games(input, piece, NULL, r->want);
    expect_games(input, input.n, NULL, r->want);
}

static const char *const no_games[] = { "",          " \r\n\t",  "\xEF\xBB\xBF", "% nothing\n",
                                        "; nothing", "{nothing}" };

static void test_no_games(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof no_games / sizeof *no_games; i++)
        expect_games(ipr_str_c(no_games[i]), 1, NULL, NULL);
}

static void test_nul_byte(void **state)
{
    static const char input[] = "[White \"A\0B\"] 1. e4 \0 e5 *";

    (void)state;
    expect_games((struct ipr_str){ input, sizeof input - 1 }, 3, NULL, "A B/e4 e5/*\n");
}

static enum ipr_code stop_at_second(void *payload, const struct ipr_pgn_game *g,
                                    struct ipr_err *err)
{
    unsigned *const calls = payload;

    ++*calls;
    return g->index == 1 ? ipr_err_set(err, IPR_EDB, "enough") : IPR_OK;
}

static void test_callback_stops(void **state)
{
    unsigned calls = 0;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_pgn_reader *r = ipr_pgn_reader_new(NULL, stop_at_second, &calls);
    const struct ipr_str input = IPR_STR("1. e4 * 1. d4 * 1. c4 *\n[White \"B\"] *\n[White \"C\"]");

    (void)state;
    assert_int_equal(ipr_pgn_reader_feed(r, input.p, input.n, &err), IPR_EDB);
    assert_string_equal(err.msg, "enough");
    assert_int_equal(calls, 2);
    assert_int_equal(ipr_pgn_reader_finish(r, NULL), IPR_EINVAL);
    assert_int_equal(calls, 2);
    ipr_pgn_reader_free(&r);
}

static void test_free_nothing(void **state)
{
    struct ipr_pgn_reader *r = NULL;

    (void)state;
    ipr_pgn_reader_free(&r);
    assert_null(r);
}

int main(void)
{
    const struct CMUnitTest single[] = {
        cmocka_unit_test(test_no_games),
        cmocka_unit_test(test_nul_byte),
        cmocka_unit_test(test_callback_stops),
        cmocka_unit_test(test_free_nothing),
    };
    enum { N_ROWS = sizeof rows / sizeof *rows, N_SINGLE = sizeof single / sizeof *single };
    struct CMUnitTest tests[N_ROWS + N_SINGLE];
    size_t n = 0;

    for (size_t i = 0; i < N_ROWS; i++)
        tests[n++] = (struct CMUnitTest){ .name = rows[i].name,
                                          .test_func = test_row,
                                          .initial_state = &rows[i] };
    memcpy(tests + n, single, sizeof single);
    return cmocka_run_group_tests_name("pgn reader", tests, NULL, NULL);
}
