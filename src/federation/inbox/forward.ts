// Forwards activities as ActivityPub 7.1.2 requires: followers of a local author get the replies to the author's posts,
// wherever they come from, and their changes and deletions; followers of somebody who boosted a post get its changes
// and deletion.

import { sendable } from "../../domain/people/accounts/activitypub.ts";
import type { App } from "../../platform/app.ts";
import type { Tx } from "../../platform/db/index.ts";
import { takeFetch } from "../../platform/fetch/budget.ts";
import { hostIn, typesOf } from "../../platform/json/read.ts";
import type { Json } from "../../platform/json/read.ts";
import { deliver } from "../deliver.ts";
import type { OutgoingActivity } from "../deliver.ts";
import { followerInboxes } from "../delivery/follower-inboxes.ts";
import { selectBlockedPairs, selectForwarders } from "./queries.ts";

/**
 * The activity as it came, and whose followers get it: those of an account that an actor replied to, or of the people
 * here who are connected with a status.
 */
export type Forward = { body: Json; actorUri: string } & (
  | { accountId: string; actorId: string }
  | { statusId: string }
);

/** Returns the accounts whose followers get each activity, without accounts that block its actor. */
const accountsFor = async (tx: Tx, forwards: Forward[]): Promise<string[][]> => {
  const statusIds = forwards.flatMap((forward) =>
    "statusId" in forward ? [forward.statusId] : [],
  );
  const forwarders = statusIds.length === 0 ? [] : await selectForwarders(tx, statusIds);
  const answers = forwards.flatMap((forward) => ("accountId" in forward ? [forward] : []));
  const blocked = answers.length === 0 ? [] : await selectBlockedPairs(tx, answers);
  const isBlocked = (forward: { accountId: string; actorId: string }): boolean =>
    blocked.some((row) => row.account_id === forward.accountId && row.actor_id === forward.actorId);
  return forwards.map((forward) => {
    if ("accountId" in forward) return isBlocked(forward) ? [] : [forward.accountId];
    // A deletion is forwarded even after a block, because the post was forwarded before.
    const isEnd = typesOf(forward.body).includes("Delete");
    return forwarders
      .filter((row) => row.status_id === forward.statusId && (isEnd || !row.blocks))
      .map((row) => row.account_id);
  });
};

/** Forwards to all servers but the one that it came from. */
export const forwardAll = async (app: App, tx: Tx, forwards: Forward[]): Promise<void> => {
  if (forwards.length === 0) return;
  const accounts = await accountsFor(tx, forwards);
  const inboxes = await followerInboxes(app, tx, [...new Set(accounts.flat())]);
  const outgoing = forwards.flatMap(({ body, actorUri }, n): OutgoingActivity[] => {
    const origin = hostIn(actorUri);
    const to = accounts[n]!.flatMap((id) => inboxes.get(id) ?? []);
    const others = to.filter((inbox) => hostIn(inbox) !== origin);
    const [signer] = accounts[n]!;
    return signer && others.length > 0 && takeFetch(app, "forward", actorUri)
      ? [{ accountId: signer, activity: sendable(body), inboxes: others }]
      : [];
  });
  await deliver(app, tx, outgoing);
};
