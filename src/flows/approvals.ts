// Local replies and boosts that the author of the other post has to approve: only that author's server is asked, and
// nobody else gets them before that server has accepted.

import type { App } from "../platform/app.ts";
import type { EventFlow } from "../platform/outbox/worker.ts";
import { noteDocument } from "../domain/posts/statuses/activitypub.ts";
import { announceActivity, askFor } from "../domain/posts/statuses/activitypub-acts.ts";
import { loadAsServer } from "../domain/posts/statuses/load.ts";
import { mayBeAskedFor } from "../domain/posts/statuses/rules.ts";
import type { FederatedStatus, StatusView } from "../domain/posts/statuses/tables.ts";
import { deliver, ownInboxOf } from "../federation/deliver.ts";
import type { OutgoingActivity } from "../federation/deliver.ts";
import { sharePosts } from "../federation/fasp/sharing.ts";
import { deliverEdited } from "./deliver-status.ts";
import { ofStatuses } from "./status-created.ts";

const requestFor = (
  app: App,
  view: FederatedStatus,
  target: StatusView,
): OutgoingActivity["activity"] =>
  view.reblog
    ? askFor("announce", announceActivity(view, app.config.site), target)
    : askFor("reply", noteDocument(view, app.config.site), target);

const ask = async (app: App, views: StatusView[]): Promise<void> => {
  const waiting = views.filter((view) => view.awaits_approval).filter(mayBeAskedFor);
  const aboveOf = (view: StatusView) => view.reblog_of_id ?? view.in_reply_to_id;
  const ids = waiting.flatMap((view) => aboveOf(view) ?? []);
  const targets = new Map((await loadAsServer(app, ids)).map((view) => [view.id, view]));
  const outgoing = waiting.flatMap((view): OutgoingActivity[] => {
    const target = targets.get(aboveOf(view) ?? "");
    if (!target || target.account.domain === null) return [];
    const inboxes = [ownInboxOf(target.account)];
    return [{ accountId: view.account_id, activity: requestFor(app, view, target), inboxes }];
  });
  await deliver(app, app.sql, outgoing);
};

export const statusAwaiting: EventFlow<"status.awaiting", StatusView> = {
  ...ofStatuses,
  steps: { ask },
};

/** Sends an approved post again, now with the authorization. */
export const onStatusApproved = async (app: App, { id }: { id: string }): Promise<void> => {
  const [view] = await loadAsServer(app, [id]);
  if (!view) return;
  await deliverEdited(app, view, app.clock.now());
  await sharePosts(app, [view]);
};
