// Presents groups of notifications as the JSON entity, with the accounts and statuses of all groups once.
// https://docs.joinmastodon.org/methods/grouped_notifications/#GroupedNotificationsResults

import type { FullConfig } from "../../../platform/config/config.ts";
import { listParts } from "../../../platform/http/json-bytes.ts";
import { isoTime } from "../../../platform/ids/index.ts";
import { accountJson, partialAccountEntity } from "../../people/accounts/present.ts";
import type { AccountView } from "../../people/accounts/tables.ts";
import { reactionFace } from "../../posts/statuses/present.ts";
import { appendStatus } from "../../posts/statuses/present-bytes.ts";
import { keyOf, subjectJson } from "./present.ts";
import type { ListShape } from "./present.ts";
import type { GroupRow, GroupView, GroupsView } from "./tables.ts";

type Site = FullConfig["site"];

/** `floor` is the lowest id of the page; null for a group that is not of a page. */
type GroupShape = ListShape & { floor: string | null; partial: boolean };

/** Compares ids as numbers without zeros in front. */
const isBelow = (id: string, floor: string): boolean =>
  id.length === floor.length ? id < floor : id.length < floor.length;

/** Returns the lowest id of the group that is on the page. */
export const lowestOf = ({ id, member_ids: ids }: GroupRow, floor: string): string =>
  ids.findLast((other) => !isBelow(other, floor)) ?? id;

const pageMembers = (row: GroupRow, lowest: string) => ({
  page_min_id: lowest,
  page_max_id: row.id,
  latest_page_notification_at: isoTime(row.created_at),
});

/** Returns the emojis of a group of favourites, each with the senders who chose it (an extension). */
const reactionMembers = ({ reactions, sender_ids: all }: GroupRow, senderIds: string[]) => {
  const chosen = (reactions ?? []).flatMap((reaction, n) =>
    reaction && senderIds.includes(all[n]!) ? [{ reaction, id: all[n]! }] : [],
  );
  const groups = [...Map.groupBy(chosen, ({ reaction }) => reaction.name).values()];
  const emoji_reactions = groups.map((of) => ({
    ...reactionFace(of[0]!.reaction),
    count: of.length,
    me: false,
    account_ids: of.map(({ id }) => id),
  }));
  return emoji_reactions.length > 0 && { emoji_reactions };
};

/** Returns the JSON up to the subject; `lowest` is null for a group that is not of a page. */
export const startOfGroup = (
  row: GroupRow,
  lowest: string | null,
  senderIds: string[] = row.sender_ids,
): string => {
  const members = {
    // This is a number, as Mastodon sends it, unlike all other ids.
    most_recent_notification_id: Number(row.id),
    group_key: keyOf(row),
    notifications_count: row.count,
    type: row.shown_type ?? row.type,
    ...(row.status_id !== null && { status_id: row.status_id }),
    ...(lowest !== null && pageMembers(row, lowest)),
    sample_account_ids: senderIds,
    ...reactionMembers(row, senderIds),
  };
  return JSON.stringify(members).slice(0, -1);
};

type FindAccount = (id: string | undefined) => AccountView | undefined;

const groupJson = (
  { row, senderIds, subject }: GroupView,
  { floor, site, fallbackOf }: GroupShape,
  find: FindAccount,
): Buffer => {
  const lowest = floor === null ? null : lowestOf(row, floor);
  const { presented, type, subject_id } = row;
  const fallback = fallbackOf(type, () => find(senderIds[0]));
  if (presented?.lowest === lowest && senderIds === row.sender_ids && !fallback)
    return presented.json;
  const end = subjectJson({ ...subject, type, subject_id }, site, fallback);
  return Buffer.from(startOfGroup(row, lowest, senderIds) + end);
};

/** Splits the senders: only the newest of each group is returned whole. */
const split = ({ groups, accounts }: GroupsView): { whole: AccountView[]; rest: AccountView[] } => {
  const newest = new Set(groups.map(({ senderIds }) => senderIds[0]));
  const { whole = [], rest = [] } = Object.groupBy(accounts, ({ id }) =>
    newest.has(id) ? "whole" : "rest",
  );
  return { whole, rest };
};

const OPEN = Buffer.from('{"accounts":');
const PARTIAL = Buffer.from(',"partial_accounts":');
const STATUSES = Buffer.from(',"statuses":');
const GROUPS = Buffer.from(',"notification_groups":');
const CLOSE = Buffer.from("}");

const partialParts = (views: AccountView[], site: Site): Buffer[] => {
  const entities = views.map((view) => partialAccountEntity(view, site));
  return [PARTIAL, Buffer.from(JSON.stringify(entities))];
};

/** Returns the parts of the entity's JSON. */
export const groupsParts = (view: GroupsView, shape: GroupShape): Buffer[] => {
  const { site, partial } = shape;
  const { whole, rest } = partial ? split(view) : { whole: view.accounts, rest: null };
  const find: FindAccount = (id) => view.accounts.find((account) => account.id === id);
  return [
    OPEN,
    ...listParts(whole, (account, parts) => parts.push(accountJson(account, site))),
    ...(rest ? partialParts(rest, site) : []),
    STATUSES,
    ...listParts(view.statuses, (status, parts) => appendStatus(status, site, parts)),
    GROUPS,
    ...listParts(view.groups, (group, parts) => parts.push(groupJson(group, shape, find))),
    CLOSE,
  ];
};
