// Accounts were added to a collection, or the description of their collection changed: they are notified.

import type { App } from "../platform/app.ts";
import type { CollectionAdded, CollectionUpdated } from "../domain/collections/events.ts";
import { loadCollections } from "../domain/collections/load.ts";
import { notify } from "../domain/notifications/notify.ts";

export const onCollectionAdded = async (
  app: App,
  { collectionId, accountIds }: CollectionAdded,
): Promise<void> => {
  const [view] = await loadCollections(app, [collectionId], null);
  if (!view) return;
  const present = new Set(view.items.map((item) => item.account_id));
  const type = "added_to_collection" as const;
  const event = { fromId: view.account_id, type, subjectId: collectionId };
  const notices = accountIds
    .filter((id) => present.has(id))
    .map((accountId) => ({ accountId, ...event }));
  await notify(app, app.sql, notices);
};

export const onCollectionUpdated = async (
  app: App,
  { collectionId }: CollectionUpdated,
): Promise<void> => {
  const [view] = await loadCollections(app, [collectionId], null);
  if (!view) return;
  const type = "collection_update" as const;
  const event = { fromId: view.account_id, type, subjectId: collectionId };
  // A newer change replaces the notification of an older one.
  const notices = view.items.map(({ account_id: accountId }) => ({
    accountId,
    ...event,
    replaceBefore: view.updated_at,
  }));
  await notify(app, app.sql, notices);
};
