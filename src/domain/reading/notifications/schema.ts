// Declares the parameters of the routes of notifications.

import { parseId } from "../../../platform/ids/index.ts";
import { BadRequest } from "../../../platform/errors.ts";
import { user } from "../../../platform/http/auth.ts";
import { PageQuery, Type } from "../../../platform/http/schema.ts";
import type { GroupFilter } from "./queries-groups.ts";
import { GROUPED_TYPES, NOTIFICATION_TYPES, POLICY_CHOICES, REACTION_TYPE } from "./tables.ts";
import type { NotificationFilter } from "./tables.ts";

export const READING = user("read:notifications");

/** Numbers at which counts stop: by default, and at most (limits.json of the contract). */
export const COUNT_LIMITS = [100, 1000] as const;

const Names = Type.Optional(Type.Array(Type.String()));

const Filter = Type.Object({
  types: Names,
  exclude_types: Names,
  account_id: Type.Optional(Type.String()),
});
const WithFiltered = Type.Object({ include_filtered: Type.Optional(Type.Boolean()) });
const Grouped = Type.Object({ grouped_types: Names });
export const FallbackQuery = Type.Object({ supported_types: Names });
const { limit } = PageQuery.properties;

const LIST = {
  ...PageQuery.properties,
  ...Filter.properties,
  ...WithFiltered.properties,
  ...FallbackQuery.properties,
};
const COUNT = { limit, ...Filter.properties };
/** Pleroma's name of `types`. */
const INCLUDED = { include_types: Names };

export const ListQuery = Type.Object({ ...LIST, ...INCLUDED });
export const CountQuery = Type.Object({ ...COUNT, ...INCLUDED });
export const GroupsQuery = Type.Object({
  ...LIST,
  ...Grouped.properties,
  expand_accounts: Type.Optional(Type.String()),
});
export const GroupCountQuery = Type.Object({ ...COUNT, ...Grouped.properties });
export const KeyParams = Type.Object({ group_key: Type.String() });

const Switch = Type.Optional(Type.Boolean());
const Choice = Type.Optional(Type.Enum([...POLICY_CHOICES]));

export const PolicyV1Body = Type.Object({
  filter_not_following: Switch,
  filter_not_followers: Switch,
  filter_new_accounts: Switch,
  filter_private_mentions: Switch,
  filter_bots: Switch,
});
export const PolicyV2Body = Type.Object({
  for_not_following: Choice,
  for_not_followers: Choice,
  for_new_accounts: Choice,
  for_private_mentions: Choice,
  for_limited_accounts: Choice,
  for_bots: Choice,
});

export const RequestIdsBody = Type.Object({ id: Type.Optional(Type.Array(Type.String())) });

type FilterQuery = {
  types?: string[];
  include_types?: string[];
  exclude_types?: string[];
  account_id?: string;
  include_filtered?: boolean;
};

/** Ignores unknown names; an empty list means every type. */
const wantedTypes = (query: FilterQuery): Pick<NotificationFilter, "types" | "reactions"> => {
  const { types = [], include_types: included = [], exclude_types: excluded = [] } = query;
  const named = [...types, ...included];
  const isWanted = (type: string): boolean =>
    (named.length === 0 || named.includes(type)) && !excluded.includes(type);
  const selected = NOTIFICATION_TYPES.filter(isWanted);
  if (![...named, ...excluded].includes(REACTION_TYPE)) return { types: selected, reactions: null };
  if (!isWanted(REACTION_TYPE)) return { types: selected, reactions: "none" };
  return isWanted("favourite")
    ? { types: selected, reactions: "beside" }
    : { types: [...selected, "favourite"], reactions: "alone" };
};

export const filterOf = (query: FilterQuery): NotificationFilter => {
  const { account_id: from, include_filtered: withFiltered } = query;
  return {
    ...wantedTypes(query),
    // An invalid id matches nothing.
    fromId: from === undefined ? null : (parseId(from) ?? "0"),
    // Notifications of one person include those that wait for a decision, so that they can be read before.
    filtered: withFiltered || from !== undefined ? [false, true] : [false],
  };
};

/**
 * Without `grouped_types` all types are grouped that can be, except favourites for an app that knows reactions: a group
 * has both.
 */
export const groupFilterOf = (query: FilterQuery & { grouped_types?: string[] }): GroupFilter => {
  const { grouped_types: names } = query;
  const filter = filterOf(query);
  const groupable = GROUPED_TYPES.filter(
    (type) => type !== "favourite" || filter.reactions === null,
  );
  return { ...filter, grouped: groupable.filter((type) => !names?.length || names.includes(type)) };
};

/** Returns whether only the newest sender of a group is returned whole; throws 400 for an unknown word. */
export const wantsPartial = ({ expand_accounts: word = "full" }: { expand_accounts?: string }) => {
  if (word === "full" || word === "partial_avatars") return word === "partial_avatars";
  throw new BadRequest("Invalid value for 'expand_accounts': 'full' or 'partial_avatars'");
};
