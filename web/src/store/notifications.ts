// Loads the data of the pages of notifications.

import type {
  GroupedNotificationsResults,
  Marker,
  NotificationGroup,
  NotificationPolicy,
} from "../api/entities.ts";
import type { Get, Params } from "../api/get.ts";
import { loadByIds } from "./again.ts";
import { readRelationships } from "./relations.ts";
import { keepAccount, keepStatuses } from "./store.ts";
import type { Store } from "./store.ts";

export const UNREAD_PATH = "/api/v2/notifications/unread_count";

/** Types of the API for each choice of the page. */
export const KINDS = {
  mention: ["mention"],
  follow: ["follow"],
  quote: ["quote", "quoted_update"],
  favourite: ["favourite"],
  reblog: ["reblog"],
  follow_request: ["follow_request"],
  poll: ["poll"],
  update: ["update"],
  status: ["status"],
  other: [
    "severed_relationships",
    "moderation_warning",
    "annual_report",
    "added_to_collection",
    "collection_update",
  ],
  "admin.sign_up": ["admin.sign_up"],
  "admin.report": ["admin.report"],
} as const;

export type Kind = keyof typeof KINDS;

export const isKind = (name: string | undefined): name is Kind =>
  name !== undefined && Object.hasOwn(KINDS, name);

export type Groups = { groups: NotificationGroup[]; next: Record<string, string> | null };

/** Data of the page of notifications. */
export type NotificationsData = Groups & {
  /** Number of those that came before the list was restored. */
  since?: number;
  /** Null for all kinds. */
  kind: Kind | null;
  lastRead: string;
  /** People whose notifications are filtered until the person decides. */
  waiting: NotificationPolicy["summary"];
};

type Asking = { get: Get; store: Store };

/** Loads whether people who asked to follow still wait. */
const loadRelations = (asking: Asking, groups: NotificationGroup[]): Promise<void> =>
  readRelationships(
    asking,
    groups.flatMap(({ type, sample_account_ids: people }) =>
      type === "follow_request" ? people : [],
    ),
  );

export const loadGroups = async (asking: Asking, params: Params): Promise<Groups> => {
  const { get, store } = asking;
  const { body, next } = await get<GroupedNotificationsResults>("/api/v2/notifications", {
    limit: 40,
    ...params,
  });
  for (const account of body.accounts) keepAccount(store, account);
  keepStatuses(store, body.statuses);
  await loadRelations(asking, body.notification_groups);
  return { groups: body.notification_groups, next };
};

/** Whether the store has what a group names. */
export const isKnown = (
  { statuses, accounts }: Store,
  { status_id: status, sample_account_ids: people }: NotificationGroup,
): boolean => (!status || statuses.has(status)) && people.every((id) => accounts.has(id));

/**
 * Loads what these groups of a restored list name. Groups about posts that are there no more leave it, and people leave
 * their groups.
 */
export const loadMissing = async (
  asking: Asking,
  data: NotificationsData,
  keys: readonly string[],
): Promise<void> => {
  const { statuses, accounts } = asking.store;
  const isAsked = ({ group_key: key }: NotificationGroup): boolean => keys.includes(key);
  const asked = data.groups.filter(isAsked);
  await Promise.all([
    loadByIds(
      asking,
      asked.flatMap(({ status_id: id }) => id ?? []),
      asked.flatMap(({ sample_account_ids: ids }) => ids),
    ),
    loadRelations(asking, asked),
  ]);
  data.groups = data.groups.flatMap((group) => {
    if (!isAsked(group)) return group;
    const people = group.sample_account_ids.filter((id) => accounts.has(id));
    const isGone = group.status_id && !statuses.has(group.status_id);
    return isGone ? [] : { ...group, sample_account_ids: people };
  });
};

export const loadUnread = async (get: Get): Promise<number> =>
  (await get<{ count: number }>(UNREAD_PATH)).body.count;

/** Returns how far the person has read, in any app. */
export const loadLastRead = async (get: Get): Promise<string> => {
  const path = "/api/v1/markers";
  const { body } = await get<{ notifications?: Marker }>(path, { timeline: ["notifications"] });
  return body.notifications?.last_read_id ?? "0";
};

export const loadPolicy = async (get: Get): Promise<NotificationPolicy> =>
  (await get<NotificationPolicy>("/api/v2/notifications/policy")).body;

/** Whether a notification is newer than another, by their ids, which are numbers. */
export const isNewer = (id: string | number, than: string): boolean => {
  const text = String(id);
  return text.length === than.length ? text > than : text.length > than.length;
};
