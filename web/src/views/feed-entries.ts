// Returns what of a list is drawn: without posts that are deleted, hidden by filters or by choice, and with many boosts
// in a row as one entry.

import { isAnswered } from "../compose/open.ts";
import type { Choice } from "../window/choices.ts";
import type { FilterContext } from "../store/feed.ts";
import { isGone, isUnwanted } from "../store/store.ts";
import type { Store, StoredStatus } from "../store/store.ts";
import { isHidden } from "./filters.ts";

export type Entry = { key: string; ids: string[]; isGroup: boolean };

/** Boosts in a row from which on they are one entry. */
const MANY_BOOSTS = 4;

/** Whether the post replies to somebody else. */
const isReply = ({ in_reply_to_account_id, account }: StoredStatus): boolean =>
  in_reply_to_account_id !== null && in_reply_to_account_id !== account.id;

type Rules = { context: FilterContext | null; choice: Choice; ownId: string | undefined };

const isShown = (store: Store, id: string, { context, choice, ownId }: Rules): boolean => {
  const listed = store.statuses.get(id)?.peek();
  if (listed && isAnswered(listed)) return true;
  if (isGone(store, id)) return false;
  // Who opens a profile wants to see its posts, also of somebody whom they muted.
  if (context !== null && context !== "account" && isUnwanted(store, id)) return false;
  const status = store.statuses.get(id)!.peek();
  const boosted = status.reblog === null ? null : store.statuses.get(status.reblog)!.peek();
  if (boosted && choice.withoutBoosts) return false;
  if (status.account.id === ownId) return true;
  if (!boosted && choice.withoutReplies && isReply(status)) return false;
  return !isHidden(status, context) && !(boosted && isHidden(boosted, context));
};

const isBoost = (store: Store, id: string): boolean =>
  store.statuses.get(id)!.peek().reblog !== null;

/** Returns the entries of a list, in its order. Each post that is not loaded again yet is one. */
export const entriesOf = (
  store: Store,
  ids: readonly string[],
  rules: Rules,
  isGrouping: boolean,
): Entry[] => {
  const entries: Entry[] = [];
  let boosts: string[] = [];
  const flush = (): void => {
    if (boosts.length >= MANY_BOOSTS)
      // The key is the oldest boost, so that newer ones on top belong to the same entry.
      entries.push({ key: boosts.at(-1)!, ids: boosts, isGroup: true });
    else for (const id of boosts) entries.push({ key: id, ids: [id], isGroup: false });
    boosts = [];
  };
  for (const id of ids) {
    const isKnown = store.statuses.has(id);
    if (isKnown && !isShown(store, id, rules)) continue;
    if (isKnown && isGrouping && isBoost(store, id)) {
      boosts.push(id);
      continue;
    }
    flush();
    entries.push({ key: id, ids: [id], isGroup: false });
  }
  flush();
  return entries;
};
