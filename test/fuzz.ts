// How much garbage a run sends: all of it (`npm run fuzz`), or a share of it, always the same one.

/** Everything is tried, which takes minutes. */
export const FUZZ = process.env["FUZZ"] === "all";

const ONE_IN = 4;

/**
 * A quarter of the values; which one depends on the turn. With a turn for each parameter or route, each
 * value is tried somewhere and each parameter and route meets some values.
 */
export const shareOf = <T>(values: T[], turn: number): T[] =>
  FUZZ ? values : values.filter((_, index) => (index + turn) % ONE_IN === 0);
