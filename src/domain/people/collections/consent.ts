// Manages consent to be in a collection (FEP-7aa9): who may be asked, answers of other servers to requests of local
// people, what local people allow others, and its end. The same commands serve the API and the inbox.

import type { App } from "../../../platform/app.ts";
import type { Tx } from "../../../platform/db/index.ts";
import { lockAccount } from "../accounts/lock.ts";
import { isFeaturable } from "../accounts/policies.ts";
import { standingsOf } from "../accounts/entities-for.ts";
import { loadAccounts } from "../accounts/load.ts";
import type { AccountView } from "../accounts/tables.ts";
import "./events.ts";
import { featureAuthorizationUri, itemUri } from "./present.ts";
import {
  approveItem,
  countItems,
  deleteItems,
  insertConsent,
  lockItem,
  selectItemOf,
  selectItemsBetween,
} from "./queries-consent.ts";
import type { ItemWithCollection } from "./queries-consent.ts";
import { revokeItem, selectBlocked } from "./queries.ts";
import { MAX_REMOTE_ITEMS } from "./rules.ts";

/** Returns those of the accounts that the owner may put into a collection: they allow it, and there is no block. */
export const featurable = async (
  app: App,
  ownerId: string,
  ids: string[],
): Promise<AccountView[]> => {
  if (ids.length === 0) return [];
  const [accounts, blocked, standings] = await Promise.all([
    loadAccounts(app, ids),
    selectBlocked(app.sql, ownerId, ids),
    standingsOf(app, ownerId, ids),
  ]);
  return ids.flatMap((id) => {
    const account = accounts.get(id);
    const isAllowed = account && !blocked.has(id) && isFeaturable(account, standings.get(id)!);
    return isAllowed ? [account] : [];
  });
};

/** Records a remote account's consent to a local request; returns false where it was not asked. */
export const approve = (
  app: App,
  { itemId, accountId }: { itemId: string; accountId: string },
  approvalUri: string,
): Promise<boolean> =>
  app.sql.begin(async (tx) => {
    const item = await lockItem(tx, itemId);
    if (item?.account_id !== accountId || item.collection_uri !== null) return false;
    if (item.state !== "pending") return false;
    await approveItem(tx, item.id, approvalUri);
    const added = { collectionId: item.collection_id, accountIds: [accountId] };
    await app.jobs.add(tx, "collection.added", added);
    return true;
  });

const end = async (app: App, tx: Tx, item: ItemWithCollection, how: "removed" | "revoked") => {
  if (item.state === "revoked") return;
  // The row of a person who left stays, so that the account cannot be added again.
  if (how === "revoked" && item.state === "accepted") await revokeItem(tx, item.id);
  else await deleteItems(tx, [item.id]);
  if (item.state !== "accepted") return;
  const { site } = app.config;
  const { collection_id: collectionId, collection_uri: uri, owner_id: ownerId } = item;
  // Somebody removed from a collection of another server is a local person, whose consent ends with it.
  const isConsent = item.approval_uri === null && (how === "revoked" || uri !== null);
  await app.jobs.add(tx, "collection.left", {
    collectionId,
    accountId: item.account_id,
    itemUri: itemUri(site, { id: collectionId, account_id: ownerId, uri }, item),
    consent: isConsent ? featureAuthorizationUri(site, item) : null,
  });
};

/**
 * Ends an item of a collection: its owner removed the account, or the account left, which is final. With `by`, only if
 * it is this account.
 */
export const endItem = (
  app: App,
  itemId: string,
  how: "removed" | "revoked",
  by: string | null = null,
): Promise<void> =>
  app.sql.begin(async (tx) => {
    const item = await lockItem(tx, itemId);
    if (item && (by === null || item.account_id === by)) await end(app, tx, item, how);
  });

/** Removes each of two people from the collections of the other, after a block. */
export const partCollections = async (
  app: App,
  accountId: string,
  other: string,
): Promise<void> => {
  for (const { id } of await selectItemsBetween(app.sql, accountId, other)) {
    await endItem(app, id, "removed");
  }
};

type Ask = { collectionId: string; ownerId: string; accountId: string };

/**
 * Answers a remote request to feature a local account: returns the id of the item that allows it; null where it is
 * refused, by its policy, a block, or because the account left the collection.
 */
export const allowFeature = async (app: App, ask: Ask): Promise<string | null> => {
  const { collectionId, ownerId, accountId } = ask;
  const [account] = await featurable(app, ownerId, [accountId]);
  if (!account || account.domain !== null) return null;
  return app.sql.begin(async (tx) => {
    await lockAccount(tx, ownerId);
    const before = await selectItemOf(tx, collectionId, accountId);
    if (before) return before.state === "accepted" ? before.id : null;
    if ((await countItems(tx, collectionId)) >= MAX_REMOTE_ITEMS) return null;
    await insertConsent(tx, collectionId, accountId, app.clock.now());
    const added = { collectionId, accountIds: [accountId] };
    await app.jobs.add(tx, "collection.added", added);
    return (await selectItemOf(tx, collectionId, accountId))!.id;
  });
};
