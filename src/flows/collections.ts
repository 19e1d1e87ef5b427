// Reacts to changes of collections (FEP-7aa9): local people are notified, remote ones asked. The owner's followers
// learn of listed collections, and the accounts in a collection of all its changes.

import type { App } from "../platform/app.ts";
import type { JobHandler } from "../platform/jobs/table.ts";
import { loadAccounts } from "../domain/people/accounts/load.ts";
import type { AccountView } from "../domain/people/accounts/tables.ts";
import { deleteAuthorizationActivity } from "../domain/people/approvals/requests.ts";
import {
  addCollection,
  addItem,
  featureRequest,
  removeCollection,
  removeItem,
  updateCollection,
} from "../domain/people/collections/activitypub.ts";
import { loadForAll, waitingItems } from "../domain/people/collections/load.ts";
import { collectionUri } from "../domain/people/collections/present.ts";
import type { CollectionView } from "../domain/people/collections/tables.ts";
import { notify } from "../domain/reading/notifications/notify.ts";
import { deliver, inboxOf, ownInboxOf } from "../federation/deliver.ts";
import type { OutgoingActivity } from "../federation/deliver.ts";

type Loaded = { view: CollectionView; people: Map<string, AccountView> };

/** Loads the public view of a collection, with the accounts in it; null if it is deleted or hidden. */
const load = async (app: App, collectionId: string): Promise<Loaded | null> => {
  const view = await loadForAll(app, collectionId);
  if (!view) return null;
  const ids = view.items.map((item) => item.account_id);
  return { view, people: await loadAccounts(app, ids) };
};

const isLocal = ({ view }: Loaded): boolean => view.uri === null;

const inboxesOf = (accounts: AccountView[]): string[] =>
  accounts.filter(({ domain }) => domain !== null).map(inboxOf);

type Audience = { wasListed?: boolean; also?: AccountView[] };

/** Sends activities to the accounts in it, and to followers where it is listed (or was until now). */
const send = async (
  app: App,
  { view, people }: Loaded,
  activities: OutgoingActivity["activity"][],
  { wasListed = false, also = [] }: Audience = {},
): Promise<void> => {
  const inboxes = inboxesOf([...people.values(), ...also]);
  const toFollowers = view.discoverable || wasListed;
  const outgoing = activities.map((activity) => ({
    accountId: view.account_id,
    activity,
    inboxes,
    toFollowers,
  }));
  await deliver(app, app.sql, outgoing);
};

export const onCollectionCreated: JobHandler<"collection.created"> = async (
  app,
  { collectionId },
) => {
  const loaded = await load(app, collectionId);
  if (!loaded?.view.discoverable) return;
  await send(app, loaded, [addCollection(loaded.view, loaded.people, app.config.site)]);
};

/** Accounts were added: local ones are notified. */
export const onCollectionAdded: JobHandler<"collection.added"> = async (
  app,
  { collectionId, accountIds, isNew = false },
) => {
  const loaded = await load(app, collectionId);
  if (!loaded) return;
  const { view, people } = loaded;
  const added = view.items.filter((item) => accountIds.includes(item.account_id));
  const type = "added_to_collection" as const;
  const event = { fromId: view.account_id, type, subjectId: collectionId };
  const notices = added.map(({ account_id: accountId }) => ({ accountId, ...event }));
  await notify(app, app.sql, notices);
  if (!isLocal(loaded) || isNew) return;
  const activities = added.flatMap((item) => {
    const account = people.get(item.account_id);
    return account ? [addItem(view, item, account, app.config.site)] : [];
  });
  await send(app, loaded, activities);
};

/** A collection changed; `shows` is whether its people are notified. */
export const onCollectionUpdated: JobHandler<"collection.updated"> = async (
  app,
  { collectionId, shows = true, wasListed = false },
) => {
  const loaded = await load(app, collectionId);
  if (!loaded) return;
  const { view, people } = loaded;
  const type = "collection_update" as const;
  const event = { fromId: view.account_id, type, subjectId: collectionId };
  // A newer change replaces the notification of an older one.
  const notices = view.items.map(({ account_id: accountId }) => ({
    accountId,
    ...event,
    replaceBefore: view.updated_at,
  }));
  if (shows) await notify(app, app.sql, notices);
  if (!isLocal(loaded)) return;
  const isNews = view.discoverable && !wasListed;
  const activity = isNews ? addCollection : updateCollection;
  await send(app, loaded, [activity(view, people, app.config.site)], { wasListed });
};

/** A collection was deleted, and its rows are gone. */
export const onCollectionRemoved: JobHandler<"collection.removed"> = async (
  app,
  { ownerId, uri, isListed, memberIds },
) => {
  const accounts = await loadAccounts(app, [ownerId, ...memberIds]);
  const owner = accounts.get(ownerId);
  if (!owner) return;
  const inboxes = inboxesOf(memberIds.flatMap((id) => accounts.get(id) ?? []));
  const activity = removeCollection(owner, { uri, isListed }, app.config.site);
  const outgoing = { accountId: ownerId, activity, inboxes, toFollowers: isListed };
  await deliver(app, app.sql, [outgoing]);
};

/** Asks accounts of other servers for their consent. */
export const onCollectionRequested: JobHandler<"collection.requested"> = async (
  app,
  { itemIds },
) => {
  const waiting = await waitingItems(app, itemIds);
  const ids = waiting.map(({ item }) => item.account_id);
  const accounts = await loadAccounts(app, ids);
  const outgoing = waiting.flatMap(({ view, item }) => {
    const account = accounts.get(item.account_id);
    if (!account || account.domain === null) return [];
    const activity = featureRequest(view, item, account, app.config.site);
    return [{ accountId: view.account_id, activity, inboxes: [ownInboxOf(account)] }];
  });
  await deliver(app, app.sql, outgoing);
};

/** Tells the owner's server that somebody here withdrew consent. */
const deliverRevoked = async (
  app: App,
  { view }: Loaded,
  account: AccountView,
  consent: string,
): Promise<void> => {
  const activity = deleteAuthorizationActivity({
    kind: "feature",
    uri: consent,
    author: account.uri,
    interactingUri: collectionUri(app.config.site, view),
    targetUri: account.uri,
  });
  const inboxes = [ownInboxOf(view.owner)];
  await deliver(app, app.sql, [{ accountId: account.id, activity, inboxes }]);
};

/** An account left a collection. */
export const onCollectionLeft: JobHandler<"collection.left"> = async (
  app,
  { collectionId, accountId, itemUri, consent },
) => {
  const loaded = await load(app, collectionId);
  const account = (await loadAccounts(app, [accountId])).get(accountId);
  if (!loaded || !account) return;
  if (!isLocal(loaded)) {
    if (consent && account.domain === null) await deliverRevoked(app, loaded, account, consent);
    return;
  }
  const activity = removeItem(loaded.view, itemUri, app.config.site);
  await send(app, loaded, [activity], { also: [account] });
};
