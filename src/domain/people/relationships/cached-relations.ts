// Caches a viewer's relations to accounts until something about them changes: `relations:VIEWER`, or the viewer's
// blocked domains. They are stored as bits, because a viewer may have many.

import { cachedByOwner } from "../../../platform/caches/by-owner.ts";
import type { Relation } from "./tables.ts";

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
export const packed = (relation: Relation): number | null => {
  const { languages, note, muting_expires_at: ends, daily_limit: limit } = relation;
  if (languages !== null || note !== "" || ends !== null || limit !== null) return null;
  return FLAGS.reduce((bits, flag, at) => (relation[flag] ? bits | (1 << at) : bits), 0);
};

export const unpacked = (accountId: string, bits: number): Relation => {
  const flags = Object.fromEntries(
    FLAGS.map((flag, at) => [flag, (bits & (1 << at)) !== 0]),
  ) as Record<(typeof FLAGS)[number], boolean>;
  const none = { languages: null, daily_limit: null, note: "", muting_expires_at: null };
  return { account_id: accountId, ...flags, ...none };
};

export const relationsCache = cachedByOwner<string, number>({
  name: "relations",
  kinds: ["relations", "domains"],
  entryBytes: 80,
  maxEntries: 500,
});
