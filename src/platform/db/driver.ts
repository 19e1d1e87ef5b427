// Loads postgres.js with patches. Version 3.4.9 has faults when a connection is lost: a write that was planned for the
// next turn throws where nobody can catch it, which ends the process, or stays planned for ever, so that the connection
// never sends anything again; a statement sent between a connection's error and its end waits for ever, or gets the
// result of a later one; the old error is the first answer of the new connection; and a pool with such a connection
// never ends. The first two are reported with the same repairs in https://github.com/porsager/postgres/pull/1209 and
// https://github.com/porsager/postgres/issues/1154; the patches go once a release has them
// (docs/design/foundations.md). Further patches change which connection is chosen, what happens when none of several
// hosts can be used, how a transaction begins (docs/design/database.md), types that are younger than connections, and
// who may run a statement (each-asker.ts).

import { createRequire, registerHooks } from "node:module";
import type * as Postgres from "postgres";
import type { Sql } from "./types.ts";

const FILE = /\/node_modules\/postgres\/cjs\/src\/(connection|index|queue)\.js$/;

/** Pairs of original and patched code. */
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
  // State of the lost connection is cleared: its error would be the answer to the first statement on the new one.
  [
    "      statements = {}\n      needsTypes",
    "      query = results = errorResponse = null\n      result = new Result()\n      statements = {}\n      needsTypes",
  ],
  // A statement sent between the error of a connection and its end would wait for ever, or get the answer of the next
  // one.
  ["!hadError && (query || sent.length)", ";(query || sent.length)"],
  // A statement that was running when the connection was lost would make ending the pool wait for ever.
  [
    "    closedTime = performance.now()\n",
    "    closedTime = performance.now()\n    query = null\n    ended && (ended(), ending = ended = null)\n",
  ],
  // Each of several hosts is tried once; the driver would go on for ever, without a pause or an error.
  [
    "options.host[retries + 1])\n      return\n",
    "options.host[++retries])\n      return\n    retries = 0\n",
  ],
  // A connection closed before it is ready counts as an error; a proxy closes it in this way when its server is away.
  [
    "    if (initial)\n      return reconnect()\n",
    `    if (initial && !hadError && !terminated)
      error(Errors.connection('CONNECTION_CLOSED', options, socket))
    if (initial)
      return reconnect()
`,
  ],
  // A failure of the driver's own query at the start is ignored; whoever waits for the connection gets the error.
  ["return fetchArrayTypes()", "return fetchArrayTypes().catch(() => {})"],
  // The driver learns array types when a connection begins; those that a migration makes later are added below.
  [
    "    needsTypes = false\n    const types",
    "    needsTypes = false\n    options.shared.addArrayType = addArrayType\n    const types",
  ],
];

// Of the free connections the oldest is used, because each connection parses and plans each statement once, prepares
// the checks of foreign keys, and has a cache of the catalogue. The driver would take the one that has been idle for
// longest.
const INDEX: [string, string][] = [
  ["open.shift()", "open.oldest()"],
  // The oldest stays when all are idle, with its plans: whoever comes first after a while would wait for new ones.
  ["? c.idleTimer.start()", "? c !== connections[0] && c.idleTimer.start()"],
  // A statement may have to wait for others of the same asker (each-asker.ts).
  [
    "  function handler(query) {\n    if (ending)",
    "  function handler(query) {\n    sql.admit ? sql.admit(query, give) : give(query)\n  }\n\n  function give(query) {\n    if (ending)",
  ],
  // A transaction waits as long as it has to: the limits for waiting are for statements outside of one.
  [
    "options.replace(/[^a-z ]/ig, '')",
    "options.replace(/[^a-z ]/ig, '') + (sql.options.connection.lock_timeout ? '; SET LOCAL lock_timeout = 0' : '')",
  ],
];
const QUEUE: [string, string][] = [
  [
    "    push: (x) =>",
    `    oldest: () => {
      const at = xs.reduce((least, x, i) => (x.id < xs[least].id ? i : least), 0)
      return xs.splice(at, 1)[0]
    },
    push: (x) =>`,
  ],
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

// `await import` is not used: importers of this file would be evaluated later than the modules that they import.
export const postgres = createRequire(import.meta.url)("postgres") as typeof Postgres.default;
hooks.deregister();
if (waiting.size > 0) throw unknownVersion();

type Shared = { addArrayType?: (type: number, arrayType: number) => void };

/**
 * Tells a pool the array types that were made after its connections (the first migration makes citext): the driver
 * would send such arrays as text that the database cannot read.
 */
export const learnArrayTypes = async (sql: Sql): Promise<void> => {
  const { shared } = sql.options as unknown as { shared: Shared };
  // A connection that is not open yet will query the types by itself.
  if (!shared.addArrayType) return;
  const types = await sql<{ oid: number; typarray: number }[]>`
    SELECT oid, typarray FROM pg_catalog.pg_type WHERE typarray <> 0
  `;
  for (const { oid, typarray } of types) shared.addArrayType(oid, typarray);
};
