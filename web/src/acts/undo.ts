// What takes an act back where a slip of the hand costs something, and its opposite exists.

import type { Relationship } from "../api/entities.ts";
import { actOnStatus } from "./acts.ts";
import type { Doing } from "./acts.ts";
import { actOnAccount } from "./relate.ts";

/** Acts by their kind and name in addresses below /web/act/, which have the id between them. */
const OPPOSITES: Record<string, string> = {
  "accounts mute": "unmute",
  "accounts block": "unblock",
  "accounts unfollow": "follow",
  "statuses mute": "unmute",
  "statuses pin": "unpin",
  "statuses unpin": "pin",
  "statuses unbookmark": "bookmark",
  "tags mute": "unmute",
  "tags unfollow": "follow",
};

/** What can be put back as it was. */
const REMOVED = /^(lists\/\d+\/accounts|domain_blocks)\/delete$/;

/** Returns the address of the opposite act; null where there is none. */
export const oppositeOf = (path: string): string | null => {
  const [, removed] = REMOVED.exec(path) ?? [];
  if (removed) return removed;
  const [kind, id, act] = path.split("/");
  const opposite = OPPOSITES[`${kind} ${act}`];
  return opposite ? `${kind}/${id}/${opposite}` : null;
};

/** Returns how a person was followed, for following them again. */
const followOf = (relation: Relationship) => ({
  reblogs: relation.showing_reblogs,
  replies: relation.showing_replies ?? true,
  notify: relation.notifying,
  ...(relation.languages && { languages: relation.languages }),
  ...(relation.daily_limit && { daily_limit: relation.daily_limit }),
});

export type Undo = () => Promise<void>;

/** Returns what takes the act on a person or post back; called before the act, as it restores what was before. */
export const undoOf = (doing: Doing, path: string): Undo | null => {
  const [kind, id = "", act = ""] = oppositeOf(path)?.split("/") ?? [];
  if (kind === "statuses") return () => actOnStatus(doing, act, id);
  if (kind !== "accounts") return null;
  const before = doing.store.relationships.get(id)?.peek();
  return async () => {
    if (act !== "follow") await actOnAccount(doing, act, id);
    // A block ends the follow, too.
    const isLost = !doing.store.relationships.get(id)?.peek().following;
    const wasFollowed = before && (before.following || before.requested);
    if (isLost && wasFollowed) await actOnAccount(doing, "follow", id, followOf(before));
  };
};
