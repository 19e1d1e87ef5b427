// Groups of notifications → the JSON entity, with the accounts and statuses of all groups once.
// https://docs.joinmastodon.org/methods/grouped_notifications/#GroupedNotificationsResults

import type { FullConfig } from "../../platform/config/config.ts";
import { listParts } from "../../platform/http/json-bytes.ts";
import { isoTime } from "../../platform/ids/index.ts";
import { accountJson, partialAccountEntity } from "../accounts/present.ts";
import type { AccountView } from "../accounts/tables.ts";
import { appendStatus } from "../statuses/present.ts";
import type { SeenStatus } from "../statuses/tables.ts";
import { keyOf, subjectJson } from "./present.ts";
import type { GroupRow, GroupView } from "./tables.ts";

type Site = FullConfig["site"];

/** `floor`: the lowest id of the page; null for a group that is not of a page. */
export type GroupShape = { floor: string | null; partial: boolean };

/**
 * The JSON that never changes while the group does not. Clients read an integer first, which may be too large for a
 * number of JavaScript.
 */
export const startOfGroup = (row: GroupRow): string => {
  const members = {
    group_key: keyOf(row),
    notifications_count: row.count,
    type: row.type,
    ...(row.status_id !== null && { status_id: row.status_id }),
  };
  const rest = JSON.stringify(members).slice(1, -1);
  return `{"most_recent_notification_id":${row.id},${rest}`;
};

/** Ids are numbers without zeros in front. */
const isBelow = (id: string, floor: string): boolean =>
  id.length === floor.length ? id < floor : id.length < floor.length;

/** The members of a group on a page that never change while it does not. */
export const pageOfGroup = (row: GroupRow): string =>
  `,"page_max_id":"${row.id}","latest_page_notification_at":"${isoTime(row.created_at)}"`;

const pageJson = (view: GroupView, floor: string): string => {
  const lowest = view.member_ids.findLast((id) => !isBelow(id, floor)) ?? view.id;
  return `,"page_min_id":"${lowest}"${view.page ?? pageOfGroup(view)}`;
};

const groupJson = (view: GroupView, floor: string | null, site: Site): string => {
  const page = floor === null ? "" : pageJson(view, floor);
  const senders = view.senders.map(({ id }) => `"${id}"`).join();
  const end = view.subject_id === null ? "}" : subjectJson(view, site);
  return `${view.start ?? startOfGroup(view)}${page},"sample_account_ids":[${senders}]${end}`;
};

const byId = <T extends { id: string }>(views: T[]): Map<string, T> =>
  new Map(views.map((view) => [view.id, view]));

const othersThan = (whole: Map<string, AccountView>, views: GroupView[]): AccountView[] => {
  const senders = views.flatMap((view) => view.senders);
  return [...byId(senders.filter(({ id }) => !whole.has(id))).values()];
};

const appendText = (text: string, parts: Buffer[]): void => {
  parts.push(Buffer.from(text));
};

/** The parts of the entity's JSON. */
export const groupsParts = (
  views: GroupView[],
  { floor, partial }: GroupShape,
  site: Site,
): Buffer[] => {
  const whole = byId(views.flatMap(({ senders }) => (partial ? senders.slice(0, 1) : senders)));
  const statuses = byId(views.flatMap(({ status }) => status ?? []));
  const addAccount = (view: AccountView, parts: Buffer[]) => parts.push(accountJson(view, site));
  const addPartial = (view: AccountView, parts: Buffer[]) =>
    appendText(JSON.stringify(partialAccountEntity(view, site)), parts);
  const addStatus = (view: SeenStatus, parts: Buffer[]) => appendStatus(view, site, parts);
  const addGroup = (view: GroupView, parts: Buffer[]) =>
    appendText(groupJson(view, floor, site), parts);
  return [
    Buffer.from('{"accounts":'),
    ...listParts([...whole.values()], addAccount),
    ...(partial
      ? [Buffer.from(',"partial_accounts":'), ...listParts(othersThan(whole, views), addPartial)]
      : []),
    Buffer.from(',"statuses":'),
    ...listParts([...statuses.values()], addStatus),
    Buffer.from(',"notification_groups":'),
    ...listParts(views, addGroup),
    Buffer.from("}"),
  ];
};
