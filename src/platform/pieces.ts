// Bodies that arrive in tiny pieces: each piece costs some hundred bytes and a microsecond or more, however short it
// is, so that a megabyte in pieces of one byte takes hundreds of megabytes until it is complete.

/** So many pieces may have any length. */
const ANY_LENGTH = 10_000;
/** Of more of them, in bytes: the shortest that networks and proxies make have some hundred. */
const LEAST_AVERAGE = 32;

/** Whether a body that came in so many pieces until now is given up. */
export const isTooFine = (pieces: number, bytes: number): boolean =>
  pieces > ANY_LENGTH && bytes < pieces * LEAST_AVERAGE;
