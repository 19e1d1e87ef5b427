// People are put into a collection, or one that they are in is described anew: they are told.

import type { App } from "../platform/app.ts";
import type { CollectionAdded, CollectionUpdated } from "../domain/collections/events.ts";
import { loadCollections } from "../domain/collections/load.ts";
import { notifyAll } from "../domain/notifications/notify.ts";

export const onCollectionAdded = async (
  app: App,
  { collectionId, accountIds }: CollectionAdded,
): Promise<void> => {
  const [view] = await loadCollections(app, [collectionId], null);
  if (!view) return;
  const present = new Set(view.items.map((item) => item.account_id));
  const told = accountIds.filter((id) => present.has(id));
  const happening = { fromId: view.account_id, type: "added_to_collection" as const };
  await app.sql.begin((tx) => notifyAll(app, tx, told, { ...happening, subjectId: collectionId }));
};

export const onCollectionUpdated = async (
  app: App,
  { collectionId }: CollectionUpdated,
): Promise<void> => {
  const [view] = await loadCollections(app, [collectionId], null);
  if (!view) return;
  const told = view.items.map((item) => item.account_id);
  const happening = { fromId: view.account_id, type: "collection_update" as const };
  const subject = { ...happening, subjectId: collectionId };
  // A newer change takes the place of what was told of an older one.
  await app.sql.begin((tx) => notifyAll(app, tx, told, subject, view.updated_at));
};
