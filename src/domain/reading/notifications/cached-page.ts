// Caches the newest notifications of an account as rows, and its newest groups: apps request them all day long, and
// seldom older ones.

import type { App } from "../../../platform/app.ts";
import { cachedReader } from "../../../platform/caches/records.ts";
import { sizeOf } from "../../../platform/caches/bounded.ts";
import { inOrder, newestPage } from "../../../platform/db/paging.ts";
import type { Page } from "../../../platform/db/paging.ts";
import { ownBytesOfAll } from "../../../platform/http/json-bytes.ts";
import { withPictures } from "../../posts/statuses/cache.ts";
import { listedRows } from "./present.ts";
import { lowestOf, startOfGroup } from "./present-groups.ts";
import { selectPage } from "./queries.ts";
import { countUnreadGroups, selectGroupPage } from "./queries-groups.ts";
import type { GroupFilter } from "./queries-groups.ts";
import { COUNT_LIMITS } from "./schema.ts";
import { GROUPED_TYPES, NOTIFICATION_TYPES, REACTION_TYPE } from "./tables.ts";
import type {
  About,
  GroupRow,
  GroupRows,
  ListedRow,
  NotificationFilter,
  NotificationRow,
  Rows,
} from "./tables.ts";

/** Notifications of a page of the API, by default. */
export const PAGE = 40;

const ALL: NotificationFilter = {
  types: [...NOTIFICATION_TYPES],
  fromId: null,
  filtered: [false],
  reactions: null,
};
const ALL_GROUPS: GroupFilter = { ...ALL, grouped: GROUPED_TYPES };
const NEWEST = newestPage(PAGE);

/**
 * Invalidate entries: `relations` and `domains` are whom the account blocks or mutes, and who blocks it. The end of a
 * mute shows when the entry expires, within a minute.
 */
const kind = ["notifications", "relations", "domains"];

/** Adds the pictures of reactions that local people see. */
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

/** Does the same for groups. */
export const seenGroups = async (
  app: App,
  read: PromiseLike<readonly GroupRow[]>,
): Promise<GroupRow[]> => {
  const rows = await read;
  const pictured = await withPictures(
    app,
    rows.flatMap((row) => (row.reactions ?? []).filter((reaction) => reaction !== null)),
  );
  return rows.map((row) => ({
    ...row,
    reactions: row.reactions?.map((reaction) => reaction && pictured.shift()!) ?? null,
  }));
};

export const withStatusIds = <T extends About>(rows: T[]): Rows<T> => ({
  rows,
  statusIds: [...new Set(rows.flatMap((row) => row.status_id ?? []))],
});

export const groupRows = (rows: GroupRow[]): GroupRows => ({
  ...withStatusIds(rows),
  senderIds: [...new Set(rows.flatMap((row) => row.sender_ids))],
});

const newestOf = cachedReader<Rows<ListedRow>>(
  { name: "notifications", kind, size: sizeOf },
  async (db, accountId, app) => {
    const rows = selectPage(db, accountId, NEWEST, ALL, app.clock.now());
    return withStatusIds(listedRows(await seenRows(app, rows), false));
  },
);

/** Returns the lowest id that a page of these rows, newest first, could have. */
export const floorOf = ({ limit, minId, sinceId }: Page, rows: { id: string }[]): string =>
  (rows.length >= limit ? rows.at(-1)?.id : null) ?? minId ?? sinceId ?? "0";

/** Adds the JSON of groups whose subject, if there is one, is a status. */
const withJson = (rows: GroupRow[]): GroupRow[] => {
  const floor = floorOf(NEWEST, rows);
  const lowest = rows.map((row) => lowestOf(row, floor));
  const texts = ownBytesOfAll(rows.map((row, n) => `${startOfGroup(row, lowest[n]!)}}`));
  return rows.map((row, n) =>
    row.subject_id === null ? { ...row, presented: { lowest: lowest[n]!, json: texts[n]! } } : row,
  );
};

const newestGroupsOf = cachedReader<GroupRows>(
  { name: "notification groups", kind, size: sizeOf },
  async (db, accountId, app) => {
    const rows = selectGroupPage(db, accountId, NEWEST, ALL_GROUPS, app.clock.now());
    return groupRows(withJson(await seenGroups(app, rows)));
  },
);

/** Bytes of a number with what holds it. */
const COUNT_BYTES = 60;

const unreadOf = cachedReader<{ count: number }>(
  { name: "unread notifications", kind: [...kind, "markers"], size: () => COUNT_BYTES },
  async (db, accountId, app) => {
    const [limit] = COUNT_LIMITS;
    return { count: await countUnreadGroups(db, accountId, ALL_GROUPS, limit, app.clock.now()) };
  },
);

/** Returns how many groups of all types the person has not read, as their pages say; at most COUNT_LIMITS[0]. */
export const unreadGroups = async (app: App, accountId: string): Promise<number> =>
  (await unreadOf(app, accountId)).count;

const isAfter = (id: string, since: string): boolean => BigInt(id) > BigInt(since);

type Row = About & { id: string; from_account_id?: string };

/**
 * Returns the rows of the page, newest first, if the newest rows contain all of it; otherwise null. `isWanted` is null
 * where all are wanted.
 */
const within = <T extends Row>(
  newest: T[],
  { sinceId, limit }: Page,
  isWanted: ((row: T) => boolean) | null,
): T[] | null => {
  const after = sinceId === null ? newest : newest.filter((row) => isAfter(row.id, sinceId));
  const filtered = isWanted ? after.filter(isWanted) : after;
  const last = newest.at(-1);
  const isBeyond = sinceId !== null && last !== undefined && !isAfter(last.id, sinceId);
  const isAll = newest.length < PAGE || isBeyond;
  if (!isAll && filtered.length < limit) return null;
  return filtered.length > limit ? filtered.slice(0, limit) : filtered;
};

const isNewest = ({ maxId, minId }: Page, filter: NotificationFilter): boolean =>
  maxId === null && minId === null && !filter.filtered.includes(true) && filter.reactions === null;

const isWantedBy = ({ types, fromId }: NotificationFilter) => {
  if (types.length === NOTIFICATION_TYPES.length && fromId === null) return null;
  return (row: Row): boolean =>
    types.includes(row.type) && (fromId === null || row.from_account_id === fromId);
};

/** Returns rows of a page, newest first. */
export const readPage = async (
  app: App,
  accountId: string,
  page: Page,
  filter: NotificationFilter,
): Promise<Rows<ListedRow>> => {
  const newest = isNewest(page, filter) ? await newestOf(app, accountId) : null;
  const cached = newest && within(newest.rows, page, isWantedBy(filter));
  if (cached) return cached === newest.rows ? newest : withStatusIds(cached);
  const rows = selectPage(app.sql, accountId, page, filter, app.clock.now());
  const seen = inOrder(page, await seenRows(app, rows));
  return withStatusIds(listedRows(seen, filter.reactions !== null));
};

const withReactionType = (row: GroupRow): GroupRow =>
  row.group_key === null && row.reactions?.[0] ? { ...row, shown_type: REACTION_TYPE } : row;

/** Returns groups of a page, newest first. */
export const readGroupPage = async (
  app: App,
  accountId: string,
  page: Page,
  filter: GroupFilter,
): Promise<GroupRows> => {
  const { fromId, grouped } = filter;
  const areAllGrouped = fromId === null && GROUPED_TYPES.every((type) => grouped.includes(type));
  const newest =
    areAllGrouped && isNewest(page, filter) ? await newestGroupsOf(app, accountId) : null;
  const cached = newest && within(newest.rows, page, isWantedBy(filter));
  if (cached) return cached === newest.rows ? newest : groupRows(cached);
  const rows = selectGroupPage(app.sql, accountId, page, filter, app.clock.now());
  const seen = inOrder(page, await seenGroups(app, rows));
  return groupRows(filter.reactions === null ? seen : seen.map(withReactionType));
};
