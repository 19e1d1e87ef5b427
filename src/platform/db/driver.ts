// postgres.js, with what version 3.4.9 lacks when a connection is lost: a write that was planned for the next turn then
// throws where nobody can catch it, which ends the process, or stays planned for ever, so that the connection never
// sends anything again; what is asked of a connection between its error and its end waits for ever, or gets the result
// of a later statement; the old error is the first answer of the new connection; and a pool with such a connection
// never ends. The first two are reported with the same repairs in https://github.com/porsager/postgres/pull/1209 and
// https://github.com/porsager/postgres/issues/1154; the repairs go once a release has them
// (docs/design/foundations.md). And its choice of a connection, what it does when none of several hosts can be used,
// with what a transaction begins (docs/design/database.md), types that are younger than its connections, and who may
// give it a statement (each-asker.ts).

import { createRequire, registerHooks } from "node:module";
import type * as Postgres from "postgres";
import type { Sql } from "./types.ts";

const FILE = /\/node_modules\/postgres\/cjs\/src\/(connection|index|queue)\.js$/;

/** What stands there → what is loaded. */
const CONNECTION: [string, string][] = [
  [
    "\n    clearImmediate(nextWriteTimer)\n",
    "\n    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n",
  ],
  [
    "  function nextWrite(fn) {\n",
    `  function nextWrite(fn) {
    if (!socket) {
      chunk = nextWriteTimer = null
      error(Errors.connection('CONNECTION_CLOSED', options, socket))
      query = null
      return false
    }
`,
  ],
  // What the lost connection left: its error would be the answer to the first statement on the new one.
  [
    "      statements = {}\n      needsTypes",
    "      query = results = errorResponse = null\n      result = new Result()\n      statements = {}\n      needsTypes",
  ],
  // What was sent between the error of a connection and its end would wait for ever, or be taken for what
  // is asked next.
  ["!hadError && (query || sent.length)", ";(query || sent.length)"],
  // What was being answered when a connection was lost would be waited for by whoever ends the pool.
  [
    "    closedTime = performance.now()\n",
    "    closedTime = performance.now()\n    query = null\n    ended && (ended(), ending = ended = null)\n",
  ],
  // Of several hosts each is tried once; the driver would go on with them for ever, without a pause or an error.
  [
    "options.host[retries + 1])\n      return\n",
    "options.host[++retries])\n      return\n    retries = 0\n",
  ],
  // What closes a connection before it is ready, as a proxy does whose server is away, counts as an error.
  [
    "    if (initial)\n      return reconnect()\n",
    `    if (initial && !hadError && !terminated)
      error(Errors.connection('CONNECTION_CLOSED', options, socket))
    if (initial)
      return reconnect()
`,
  ],
  // What it asks by itself at the start of a connection; whoever waits for the connection gets the error.
  ["return fetchArrayTypes()", "return fetchArrayTypes().catch(() => {})"],
  // What it has asked stays as it was when the connection began: types that a migration makes are added (below).
  [
    "    needsTypes = false\n    const types",
    "    needsTypes = false\n    options.shared.addArrayType = addArrayType\n    const types",
  ],
];

// Each connection parses and plans each statement once, and has a cache of the catalogue: the one that was used last is
// used again, where the driver would take the one that has been idle for longest.
const INDEX: [string, string][] = [
  ["open.shift()", "open.pop()"],
  // Whoever asks for a statement may have to wait for their own (each-asker.ts).
  [
    "  function handler(query) {\n    if (ending)",
    "  function handler(query) {\n    sql.admit ? sql.admit(query, give) : give(query)\n  }\n\n  function give(query) {\n    if (ending)",
  ],
  // A transaction waits for as long as it has to: what bounds the waits of the pool is for statements outside of one.
  [
    "options.replace(/[^a-z ]/ig, '')",
    "options.replace(/[^a-z ]/ig, '') + (sql.options.connection.lock_timeout ? '; SET LOCAL lock_timeout = 0' : '')",
  ],
];
const QUEUE: [string, string][] = [
  ["    push: (x) =>", "    pop: () => xs.pop(),\n    push: (x) =>"],
];

const REPAIRS: Record<string, [string, string][]> = {
  connection: CONNECTION,
  index: INDEX,
  queue: QUEUE,
};

const unknownVersion = (): Error =>
  new Error("This version of postgres.js is not the one that src/platform/db/driver.ts repairs");

const repaired = (source: string, repairs: [string, string][]): string => {
  let text = source;
  for (const [wrong, right] of repairs) {
    if (!text.includes(wrong)) {
      throw unknownVersion();
    }
    text = text.replaceAll(wrong, right);
  }
  return text;
};

const waiting = new Set(Object.keys(REPAIRS));
const hooks = registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    const [, name] = FILE.exec(url) ?? [];
    if (name === undefined) return loaded;
    waiting.delete(name);
    return { ...loaded, source: repaired(String(loaded.source), REPAIRS[name]!) };
  },
});

// Not by `await import`: who imports this file would be evaluated later, apart from what it is imported with.
export const postgres = createRequire(import.meta.url)("postgres") as typeof Postgres.default;
hooks.deregister();
if (waiting.size > 0) throw unknownVersion();

type Shared = { addArrayType?: (type: number, arrayType: number) => void };

/**
 * Lets a pool know the arrays of types that were made after its connections (citext is made by the first migration):
 * the driver would send an array of them as text that the database cannot read.
 */
export const learnArrayTypes = async (sql: Sql): Promise<void> => {
  const { shared } = sql.options as unknown as { shared: Shared };
  // A connection that is still to be opened asks by itself.
  if (!shared.addArrayType) return;
  const types = await sql<{ oid: number; typarray: number }[]>`
    SELECT oid, typarray FROM pg_catalog.pg_type WHERE typarray <> 0
  `;
  for (const { oid, typarray } of types) shared.addArrayType(oid, typarray);
};
