// Loads the relation of a viewer to other accounts, in one query for those that are not cached.

import type { App } from "../../../platform/app.ts";
import type { Db } from "../../../platform/db/index.ts";
import { selectFollowUris, selectRelations } from "./queries.ts";
import type { Pair } from "./events.ts";
import type { Relation } from "./tables.ts";
import { cachedByOwner } from "../../../platform/caches/by-owner.ts";

/** Members that are cached as bits, because a viewer may have many relations. */
const FLAGS = [
  "following",
  "show_reblogs",
  "show_replies",
  "notify",
  "requested",
  "followed_by",
  "requested_by",
  "blocking",
  "blocked_by",
  "muting",
  "muting_notifications",
  "domain_blocking",
  "endorsed",
] as const satisfies (keyof Relation)[];

/** Returns null where bits are not enough: with languages, a limit, a note, or a mute that expires. */
const packed = (relation: Relation): number | null => {
  const { languages, note, muting_expires_at: ends, daily_limit: limit } = relation;
  if (languages !== null || note !== "" || ends !== null || limit !== null) return null;
  return FLAGS.reduce((bits, flag, at) => (relation[flag] ? bits | (1 << at) : bits), 0);
};

const unpacked = (accountId: string, bits: number): Relation => {
  const flags = Object.fromEntries(
    FLAGS.map((flag, at) => [flag, (bits & (1 << at)) !== 0]),
  ) as Record<(typeof FLAGS)[number], boolean>;
  const none = { languages: null, daily_limit: null, note: "", muting_expires_at: null };
  return { account_id: accountId, ...flags, ...none };
};

const relationsCache = cachedByOwner<string, number>({
  name: "relations",
  kinds: ["relations", "domains"],
  entryBytes: 80,
  maxEntries: 500,
});

/** Returns relations by account id, for every requested id. */
export const loadRelations = async (
  app: App,
  viewerId: string,
  accountIds: string[],
  db: Db = app.sql,
): Promise<Map<string, Relation>> => {
  const cached = relationsCache.open(app, db, viewerId);
  const relations = new Map<string, Relation>();
  const missing = new Set<string>();
  for (const id of accountIds) {
    const bits = cached.get(id);
    if (bits === undefined) missing.add(id);
    else relations.set(id, unpacked(id, bits));
  }
  if (missing.size === 0) return relations;
  const rows = await selectRelations(db, viewerId, [...missing], app.clock.now());
  for (const row of rows) {
    const bits = packed(row);
    if (bits !== null) cached.put([[row.account_id, bits]]);
    relations.set(row.account_id, row);
  }
  return relations;
};

/**
 * Returns the uris of the Follow activities of follows or requests, in the order of the pairs; null where there is
 * none.
 */
export const getFollowUris = async (app: App, pairs: Pair[]): Promise<(string | null)[]> => {
  if (pairs.length === 0) return [];
  const rows = await selectFollowUris(app.sql, pairs);
  const uriOf = ({ accountId, targetId }: Pair) =>
    // A follow is preferred to a request.
    rows.find((row) => row.account_id === accountId && row.target_account_id === targetId)?.uri;
  return pairs.map((pair) => uriOf(pair) ?? null);
};

export const getFollowUri = async (app: App, pair: Pair): Promise<string | null> =>
  (await getFollowUris(app, [pair]))[0]!;
