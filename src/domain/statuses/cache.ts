// Statuses as they were last read, without any viewer's part. A change forgets them when it is
// committed (platform/db/invalidate.ts; docs/decisions/0003-status-cache.md).

import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/db/index.ts";
import { keepRecords } from "../../platform/db/kept.ts";
import type { KeptRecords } from "../../platform/db/kept.ts";
import { newNumber } from "./kept-marks.ts";
import { selectStatuses } from "./queries.ts";
import type { KeptRow } from "./tables.ts";

/** About 5 KB each with the texts made of them: some 60 MB when full. */
const MAX_STATUSES = 8_000;
/** A longer one is read each time rather than pushing out many others. */
const MAX_TEXT = 20_000;

const caches = new WeakMap<App, KeptRecords<KeptRow>>();

/** Null where nothing may be kept: inside a transaction, or switched off. */
export const statusCache = (app: App, db: Db): KeptRecords<KeptRow> | null => {
  if (db !== app.sql || !app.config.caches.statuses) return null;
  const present = caches.get(app);
  if (present) return present;
  const made = keepRecords<KeptRow>(app.sql, "status", MAX_STATUSES);
  caches.set(app, made);
  return made;
};

const read = async (
  cache: KeptRecords<KeptRow> | null,
  db: Db,
  ids: string[],
): Promise<KeptRow[]> => {
  const readAt = cache?.now() ?? 0;
  const rows = (await selectStatuses(db, ids)).map((row) => ({
    ...row,
    made: { plain: null, bytes: null, words: null, number: newNumber() },
  }));
  for (const row of rows) {
    if (row.content.length + row.text.length <= MAX_TEXT) cache?.put(row.id, row, readAt);
  }
  return rows;
};

const quotedBy = (rows: Map<string, KeptRow>): string[] => {
  const ids: string[] = [];
  for (const { quote } of rows.values()) {
    if (quote?.state === "accepted" && quote.quoted_status_id) ids.push(quote.quoted_status_id);
  }
  return ids;
};

/**
 * Rows by id, with those that they reblog and quote; at most four queries, two where nothing is
 * quoted, none when all are kept.
 */
export const keptStatuses = async (
  app: App,
  db: Db,
  ids: string[],
): Promise<Map<string, KeptRow>> => {
  const cache = statusCache(app, db);
  const found = new Map<string, KeptRow>();
  const lookUp = async (wanted: Iterable<string>): Promise<void> => {
    const missing: string[] = [];
    for (const id of wanted) {
      const kept = found.get(id) ?? cache?.get(id);
      if (kept) found.set(id, kept);
      else missing.push(id);
    }
    if (missing.length === 0) return;
    for (const row of await read(cache, db, [...new Set(missing)])) found.set(row.id, row);
  };
  await lookUp(ids);
  const targets: string[] = [];
  for (const row of found.values()) if (row.reblog_of_id) targets.push(row.reblog_of_id);
  if (targets.length > 0) await lookUp(targets);
  // What is quoted, and what that quotes (load.ts).
  const quoted = quotedBy(found);
  if (quoted.length === 0) return found;
  await lookUp(quoted);
  await lookUp(quotedBy(found));
  return found;
};
