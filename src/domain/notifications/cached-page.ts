// The newest notifications of an account, as rows, and its newest groups, cached: apps ask for them all day
// long, and seldom for older ones.

import type { App } from "../../platform/app.ts";
import { cachedReader } from "../../platform/caches/records.ts";
import { sizeOf } from "../../platform/caches/size.ts";
import type { Page } from "../../platform/db/paging.ts";
import { withPictures } from "../statuses/reactions.ts";
import { startOfNotification } from "./present.ts";
import { pageOfGroup, startOfGroup } from "./present-groups.ts";
import { selectPage } from "./queries.ts";
import { selectGroupPage } from "./queries-groups.ts";
import type { GroupFilter } from "./queries-groups.ts";
import { GROUPED_TYPES, NOTIFICATION_TYPES } from "./tables.ts";
import type { GroupRow, NotificationFilter, NotificationRow, NotificationType } from "./tables.ts";

/** A page of the API, if nothing else is asked for. */
export const PAGE = 40;

const ALL: NotificationFilter = {
  types: [...NOTIFICATION_TYPES],
  fromId: null,
  filtered: [false],
};
const ALL_GROUPS: GroupFilter = { ...ALL, grouped: GROUPED_TYPES };
const NEWEST: Page = { maxId: null, sinceId: null, minId: null, limit: PAGE };

/**
 * `relations` and `domains`: whom the account blocks or mutes, and who blocks it. The end of a mute shows
 * when the entry expires, within a minute.
 */
const kind = ["notifications", "relations", "domains"];

/** With the pictures of reactions as people here see them. */
export const seenRows = async (
  app: App,
  read: PromiseLike<NotificationRow[]>,
): Promise<NotificationRow[]> => {
  const rows = await read;
  const reactions = await withPictures(
    app,
    rows.flatMap(({ reaction }) => reaction ?? []),
  );
  return rows.map((row) => (row.reaction ? { ...row, reaction: reactions.shift()! } : row));
};

const newestOf = cachedReader<NotificationRow[]>(
  { name: "notifications", kind, size: sizeOf },
  async (db, accountId, app) =>
    (await seenRows(app, selectPage(db, accountId, NEWEST, ALL, app.clock.now()))).map((row) => ({
      ...row,
      start: startOfNotification(row),
    })),
);

const newestGroupsOf = cachedReader<GroupRow[]>(
  { name: "notification groups", kind, size: sizeOf },
  async (db, accountId, app) =>
    (await selectGroupPage(db, accountId, NEWEST, ALL_GROUPS, app.clock.now())).map((row) => ({
      ...row,
      start: startOfGroup(row),
      page: pageOfGroup(row),
    })),
);

const isAfter = (id: string, since: string): boolean => BigInt(id) > BigInt(since);

type Row = { id: string; type: NotificationType };

/** The page, newest first, as far as the newest rows contain all of it; otherwise null. */
const within = <T extends Row>(
  newest: T[],
  { sinceId, limit }: Page,
  isWanted: (row: T) => boolean,
): T[] | null => {
  const after = sinceId === null ? newest : newest.filter((row) => isAfter(row.id, sinceId));
  const found = after.filter(isWanted);
  const last = newest.at(-1);
  const isBeyond = sinceId !== null && last !== undefined && !isAfter(last.id, sinceId);
  const isAll = newest.length < PAGE || isBeyond;
  return isAll || found.length >= limit ? found.slice(0, limit) : null;
};

const isNewest = ({ maxId, minId }: Page, { filtered }: NotificationFilter): boolean =>
  maxId === null && minId === null && !filtered.includes(true);

/** Rows of a page: newest first, or the oldest first when paging up from min_id. */
export const readPage = async (
  app: App,
  accountId: string,
  page: Page,
  filter: NotificationFilter,
): Promise<NotificationRow[]> => {
  const { types, fromId } = filter;
  const cached = isNewest(page, filter)
    ? within(
        await newestOf(app, accountId),
        page,
        (row) => types.includes(row.type) && (fromId === null || row.from_account_id === fromId),
      )
    : null;
  return cached ?? seenRows(app, selectPage(app.sql, accountId, page, filter, app.clock.now()));
};

/** The same for groups. */
export const readGroupPage = async (
  app: App,
  accountId: string,
  page: Page,
  filter: GroupFilter,
): Promise<GroupRow[]> => {
  const { types, fromId, grouped } = filter;
  const areAllGrouped = fromId === null && GROUPED_TYPES.every((type) => grouped.includes(type));
  const cached =
    areAllGrouped && isNewest(page, filter)
      ? within(await newestGroupsOf(app, accountId), page, (row) => types.includes(row.type))
      : null;
  return cached ?? selectGroupPage(app.sql, accountId, page, filter, app.clock.now());
};
