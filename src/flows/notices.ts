// Jobs of which nothing follows but notifications: of collections, of the report of a year, of sign-ups.

import type { App } from "../platform/app.ts";
import type { AnnualWanted } from "../domain/annual/events.ts";
import { makeAnnual } from "../domain/annual/make.ts";
import type { CollectionAdded, CollectionUpdated } from "../domain/collections/events.ts";
import { loadCollections } from "../domain/collections/load.ts";
import { userManagers } from "../domain/moderation/staff.ts";
import { notify } from "../domain/notifications/notify.ts";

/** Accounts were added to a collection. */
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

/** The description of a collection changed. */
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

/** An annual report was requested: it is made, and its owner notified. */
export const onAnnualReportWanted = async (app: App, wanted: AnnualWanted): Promise<void> => {
  await makeAnnual(app, wanted);
  const { accountId, year } = wanted;
  // Notified once, however often the job runs.
  await notify(app, app.sql, [
    { accountId, fromId: accountId, type: "annual_report", subjectId: String(year) },
  ]);
};

/** Somebody signed up and confirmed the address: those who manage users are notified. */
export const onSignedUp = async (
  app: App,
  { accountId: fromId }: { accountId: string },
): Promise<void> => {
  const staff = await userManagers(app);
  const type = "admin.sign_up" as const;
  await notify(
    app,
    app.sql,
    staff.map(({ account_id: accountId }) => ({ accountId, fromId, type })),
  );
};
