// The newest notifications of an account, as rows, cached: apps ask for them all day long, and seldom for
// older ones.

import type { App } from "../../platform/app.ts";
import { cachedReader } from "../../platform/caches/records.ts";
import { sizeOf } from "../../platform/caches/size.ts";
import type { Page } from "../../platform/db/paging.ts";
import { selectPage } from "./queries.ts";
import type { NotificationFilter } from "./queries.ts";
import { NOTIFICATION_TYPES } from "./tables.ts";
import type { NotificationRow } from "./tables.ts";

/** A page of the API, if nothing else is asked for. */
export const PAGE = 40;

const ALL: NotificationFilter = { types: [...NOTIFICATION_TYPES], fromId: null };
const NEWEST: Page = { maxId: null, sinceId: null, minId: null, limit: PAGE };

/**
 * `relations` and `domains`: whom the account blocks or mutes, and who blocks it. The end of a mute shows
 * when the entry expires, within a minute.
 */
const newestOf = cachedReader<NotificationRow[]>(
  { name: "notifications", kind: ["notifications", "relations", "domains"], size: sizeOf },
  async (db, accountId, app) => [
    ...(await selectPage(db, accountId, NEWEST, ALL, app.clock.now())),
  ],
);

const isAfter = (id: string, since: string | null): boolean =>
  since === null || BigInt(id) > BigInt(since);

/** The page, newest first, as far as the newest rows contain all of it; otherwise null. */
const within = (
  newest: NotificationRow[],
  { sinceId, limit }: Page,
  { types, fromId }: NotificationFilter,
): NotificationRow[] | null => {
  const found = newest.filter(
    (row) =>
      isAfter(row.id, sinceId) &&
      types.includes(row.type) &&
      (fromId === null || row.from_account_id === fromId),
  );
  const last = newest.at(-1);
  const isAll = newest.length < PAGE || (last !== undefined && !isAfter(last.id, sinceId));
  return isAll || found.length >= limit ? found.slice(0, limit) : null;
};

/** Rows of a page: newest first, or the oldest first when paging up from min_id. */
export const readPage = async (
  app: App,
  accountId: string,
  page: Page,
  filter: NotificationFilter,
): Promise<NotificationRow[]> => {
  const isNewest = page.maxId === null && page.minId === null;
  const cached = isNewest ? within(await newestOf(app, accountId), page, filter) : null;
  return cached ?? selectPage(app.sql, accountId, page, filter, app.clock.now());
};
