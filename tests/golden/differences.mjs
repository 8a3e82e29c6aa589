// What the service answers otherwise than it did when the golden answers were taken, on purpose.
// A rule that applies to nothing is a failure, so that none stays behind.
//
//   why      one line
//   address  pattern of addresses as in addresses.txt; without it, all. * is any text
//   path     pattern of places: status, type, text or body… of the answer, as in
//            "body.players[].elo.estimate"; [] is any index, * any text, dots included
//   and one of
//   renamed  the member's new name
//   removed  true: the member is not there any more
//   added    true: the member is new
//   changed  true: the value is another one; or (value) => the new value. Numbers are given as
//            the text that was sent, behind \u0001
//   figures  of a page: list of texts or patterns of the numbers that are not shown any more
//   request  (address) => by which address the same is asked for now
//   gone     true: there is no such address any more; nothing is compared
export const differences = [
];
