// A local profile or its featured tags changed: followers' servers get it, and where the account is no longer locked,
// its follow requests are accepted.

import type { App } from "../platform/app.ts";
import { updateActorActivity } from "../domain/people/accounts/activitypub.ts";
import type { AccountChanged } from "../domain/people/accounts/events.ts";
import { getPublicKeys, loadAccounts } from "../domain/people/accounts/load.ts";
import { acceptAllFollows } from "../domain/people/relationships/accept-follow.ts";
import { recentInboxes } from "../domain/posts/statuses/reach.ts";
import { notifyWebhooks } from "../domain/base/webhooks/deliver.ts";
import { shareProfile } from "../federation/fasp/sharing.ts";
import { deliver } from "../federation/deliver.ts";
import { featureTagActivity } from "../domain/posts/tags/activitypub.ts";
import type { TagFeatured } from "../domain/posts/tags/events.ts";

export const onAccountUpdated = async (app: App, { id }: AccountChanged): Promise<void> => {
  const view = (await loadAccounts(app, [id])).get(id);
  if (!view || view.domain !== null) return;
  if (!view.locked && view.suspended_at === null) await acceptAllFollows(app, id);
  const keys = await getPublicKeys(app, id);
  const activity = updateActorActivity(view, keys, app.config.site, app.clock.now());
  const inboxes = await recentInboxes(app.sql, id);
  await deliver(app, app.sql, [{ accountId: id, activity, inboxes, toFollowers: true }]);
  await shareProfile(app, id);
  await notifyWebhooks(app, app.sql, "account.updated", [id]);
};

const deliverFeatured = async (app: App, type: "Add" | "Remove", featured: TagFeatured) => {
  const { accountId } = featured;
  const view = (await loadAccounts(app, [accountId])).get(accountId);
  if (!view || view.domain !== null || view.suspended_at !== null) return;
  const activity = featureTagActivity(type, view, featured, app.config.site);
  await deliver(app, app.sql, [{ accountId, activity, toFollowers: true }]);
};

export const onTagFeatured = (app: App, featured: TagFeatured): Promise<void> =>
  deliverFeatured(app, "Add", featured);

export const onTagUnfeatured = (app: App, featured: TagFeatured): Promise<void> =>
  deliverFeatured(app, "Remove", featured);
