// Recognizes errors that mean that the database or the disk cannot be used for now, for which the requester is not at
// fault.

import { sqlState } from "../db/index.ts";

/** `away`: the database cannot be reached; `full`: the disk is full. */
export type Fault = "away" | "full";

/**
 * SQLSTATEs of a database that is away; class 08 are connection exceptions.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const AWAY_STATES = /^(?:08|53|57P0)/;
const FULL_STATE = "53100";

/** Error codes of postgres.js and of its sockets: https://github.com/porsager/postgres#connection-errors */
const AWAY_CODES = new Set([
  "CONNECTION_CLOSED",
  "CONNECTION_DESTROYED",
  "CONNECTION_ENDED",
  "CONNECT_TIMEOUT",
]);
const SOCKET_CODES = new Set(["ECONNREFUSED", "ECONNRESET", "ENOENT", "EPIPE"]);
const FULL_CODES = new Set(["ENOSPC", "EDQUOT"]);

/** Returns why the database or the disk cannot be used, if an error says so. */
export const faultOf = (error: unknown): Fault | null => {
  const state = sqlState(error);
  if (state !== null) {
    if (state === FULL_STATE) return "full";
    return AWAY_STATES.test(state) ? "away" : null;
  }
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  if (code === undefined) return null;
  if (FULL_CODES.has(code)) return "full";
  // Errors of fetches with the same codes never come here: they are a FetchFailed.
  const isSocket = SOCKET_CODES.has(code) && /^(?:connect|read|write)$/.test(syscall ?? "");
  return AWAY_CODES.has(code) || isSocket ? "away" : null;
};
