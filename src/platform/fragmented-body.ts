// Refuses bodies that arrive in tiny pieces. Each piece costs some hundred bytes and a microsecond or more, however
// short it is, so that a megabyte in pieces of one byte takes hundreds of megabytes until it is complete.

/** Number of pieces that may have any length. */
const ANY_LENGTH = 10_000;
/** Bytes that further pieces must have on average; the shortest that networks and proxies make have some hundred. */
const LEAST_AVERAGE = 32;

/** Whether a body came in too many pieces for its bytes so far, so that it is refused. */
export const isTooFragmented = (pieces: number, bytes: number): boolean =>
  pieces > ANY_LENGTH && bytes < pieces * LEAST_AVERAGE;
