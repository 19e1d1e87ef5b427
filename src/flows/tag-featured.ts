// Somebody shows a hashtag on their profile, or no longer: the servers of their followers are told.

import type { App } from "../platform/app.ts";
import { loadAccounts } from "../domain/accounts/load.ts";
import { featureTagActivity } from "../domain/tags/activitypub.ts";
import type { TagFeatured } from "../domain/tags/events.ts";
import { deliver } from "../federation/deliver.ts";

const tell = async (app: App, type: "Add" | "Remove", featured: TagFeatured): Promise<void> => {
  const { accountId } = featured;
  const view = (await loadAccounts(app, [accountId])).get(accountId);
  if (!view || view.domain !== null || view.suspended_at !== null) return;
  const activity = featureTagActivity(type, view, featured, app.config.site);
  await deliver(app, app.sql, [{ accountId, activity, toFollowers: true }]);
};

export const onTagFeatured = (app: App, featured: TagFeatured): Promise<void> =>
  tell(app, "Add", featured);

export const onTagUnfeatured = (app: App, featured: TagFeatured): Promise<void> =>
  tell(app, "Remove", featured);
