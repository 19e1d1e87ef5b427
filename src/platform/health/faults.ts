// Errors that mean that the database, or the disk, cannot be used for now: they are nobody's fault who asks.

import { sqlState } from "../db/index.ts";

/** `away`: the database cannot be reached; `full`: nothing more can be written. */
export type Fault = "away" | "full";

/** https://www.postgresql.org/docs/current/errcodes-appendix.html; class 08 are connection exceptions. */
const AWAY_STATES = /^(?:08|53|57P0)/;
const FULL_STATE = "53100";

/** Of postgres.js, and of sockets to the database: https://github.com/porsager/postgres#connection-errors */
const AWAY_CODES = new Set([
  "CONNECTION_CLOSED",
  "CONNECTION_DESTROYED",
  "CONNECTION_ENDED",
  "CONNECT_TIMEOUT",
]);
const SOCKET_CODES = new Set(["ECONNREFUSED", "ECONNRESET", "ENOENT", "EPIPE"]);
const FULL_CODES = new Set(["ENOSPC", "EDQUOT"]);

/** Why the database or the disk cannot be used, if that is what an error says. */
export const faultOf = (error: unknown): Fault | null => {
  const state = sqlState(error);
  if (state !== null) {
    if (state === FULL_STATE) return "full";
    return AWAY_STATES.test(state) ? "away" : null;
  }
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  if (code === undefined) return null;
  if (FULL_CODES.has(code)) return "full";
  // The same codes of a fetched server never come here: they are a FetchFailed.
  const isSocket = SOCKET_CODES.has(code) && /^(?:connect|read|write)$/.test(syscall ?? "");
  return AWAY_CODES.has(code) || isSocket ? "away" : null;
};
