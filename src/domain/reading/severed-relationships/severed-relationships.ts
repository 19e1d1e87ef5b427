// Records relationships that ended because of moderation, so that people can see whom they lost.
// https://docs.joinmastodon.org/entities/RelationshipSeveranceEvent/

import type { App } from "../../../platform/app.ts";
import type { Db } from "../../../platform/db/index.ts";
import { isoTime } from "../../../platform/ids/index.ts";
import {
  insertEvent,
  insertEventAs,
  insertSevered,
  selectAccountsOf,
  selectEvents,
  selectEventsOf,
  selectLost,
} from "./queries.ts";
import type { LostRow, Severed, SeveranceRow, SeveranceType } from "./queries.ts";

export type { LostRow, Severed, SeveranceRow, SeveranceType };

/** `target` is the domain or the handle. Returns the id. */
export const beginSeverance = (app: App, db: Db, type: SeveranceType, target: string) =>
  insertEvent(db, type, target, app.clock.now());

/** Records follows that ended; must be called within the transaction that ends them. */
export const recordSevered = async (db: Db, eventId: string, rows: Severed[]): Promise<void> => {
  if (rows.length > 0) await insertSevered(db, eventId, rows);
};

/** Records a part of what one person's own block of a domain ended. */
export const recordOwnSevered = (
  app: App,
  event: { id: string; target: string },
  rows: Severed[],
): Promise<void> =>
  app.sql.begin(async (tx) => {
    const at = app.clock.now();
    await insertEventAs(tx, { ...event, type: "user_domain_block", at });
    await recordSevered(tx, event.id, rows);
  });

/** Returns events by id, with the numbers of one person. */
export const loadSeverances = async (
  app: App,
  accountId: string,
  ids: string[],
): Promise<Map<string, SeveranceRow>> => {
  if (ids.length === 0) return new Map();
  const rows = await selectEvents(app.sql, accountId, ids);
  return new Map(rows.map((row) => [row.id, row]));
};

/** Returns the local people who lost somebody with it. */
export const accountsOfSeverance = async (app: App, eventId: string): Promise<string[]> => {
  const rows = await selectAccountsOf(app.sql, eventId);
  return rows.map((row) => row.account_id);
};

const MAX_EVENTS = 100;

/** Returns what one person lost, newest first. */
export const listSeverances = async (app: App, accountId: string): Promise<SeveranceRow[]> => [
  ...(await selectEventsOf(app.sql, accountId, MAX_EVENTS)),
];

const PAGE = 1000;

/** Yields the accounts that one person lost with an event, a page at a time. */
export const lostPages = async function* (
  app: App,
  of: { accountId: string; eventId: string; direction: Severed["direction"] },
): AsyncGenerator<LostRow[]> {
  const query = { ...of, localDomain: app.config.site.localDomain };
  for (let after = "0"; ;) {
    const page = [...(await selectLost(app.sql, query, after, PAGE))];
    yield page;
    if (page.length < PAGE) return;
    after = page.at(-1)!.other_account_id;
  }
};

export const severanceEntity = (row: SeveranceRow) => ({
  id: row.id,
  type: row.type,
  purged: row.purged,
  target_name: row.target_name,
  followers_count: row.followers_count,
  following_count: row.following_count,
  created_at: isoTime(row.created_at),
});
