// Groups of notifications → the JSON entity, with the accounts and statuses of all groups once.
// https://docs.joinmastodon.org/methods/grouped_notifications/#GroupedNotificationsResults

import type { FullConfig } from "../../platform/config/config.ts";
import { listParts } from "../../platform/http/json-bytes.ts";
import { isoTime } from "../../platform/ids/index.ts";
import { accountJson, partialAccountEntity } from "../accounts/present.ts";
import type { AccountView } from "../accounts/tables.ts";
import { appendStatus } from "../statuses/present.ts";
import type { SeenStatus } from "../statuses/tables.ts";
import { keyOf, subjectMembers } from "./present.ts";
import type { GroupView } from "./tables.ts";

type Site = FullConfig["site"];

/** `floor`: the lowest id of the page; null for a group that is not of a page. */
export type GroupShape = { floor: string | null; partial: boolean };

const pageMembers = (view: GroupView, floor: string) => ({
  page_min_id: view.member_ids.findLast((id) => BigInt(id) >= BigInt(floor)) ?? view.id,
  page_max_id: view.id,
  latest_page_notification_at: isoTime(view.created_at),
});

const groupJson = (view: GroupView, floor: string | null, site: Site): string => {
  const rest = {
    group_key: keyOf(view),
    notifications_count: view.count,
    type: view.type,
    ...(floor !== null && pageMembers(view, floor)),
    sample_account_ids: view.senders.map(({ id }) => id),
    ...(view.status_id !== null && { status_id: view.status_id }),
    ...subjectMembers(view, site),
  };
  // Clients read an integer here, which may be too large for a number of JavaScript.
  return `{"most_recent_notification_id":${view.id},${JSON.stringify(rest).slice(1)}`;
};

const byId = <T extends { id: string }>(views: T[]): Map<string, T> =>
  new Map(views.map((view) => [view.id, view]));

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
  const others = byId(views.flatMap(({ senders }) => senders).filter(({ id }) => !whole.has(id)));
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
      ? [Buffer.from(',"partial_accounts":'), ...listParts([...others.values()], addPartial)]
      : []),
    Buffer.from(',"statuses":'),
    ...listParts([...statuses.values()], addStatus),
    Buffer.from(',"notification_groups":'),
    ...listParts(views, addGroup),
    Buffer.from("}"),
  ];
};
