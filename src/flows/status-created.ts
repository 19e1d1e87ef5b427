// Statuses were posted or reblogged, by local or remote accounts: the steps that follow, from top to bottom. Each is
// idempotent and retried alone (platform/outbox/worker.ts).

import type { App } from "../platform/app.ts";
import type { EventFlow } from "../platform/outbox/worker.ts";
import { recordConversations } from "../domain/reading/conversations/record.ts";
import { shareInGroups, announceAnswersInGroups } from "../domain/reading/groups/posts.ts";
import {
  eachPartNotified,
  followersNotified,
  mentions,
  quotes,
  reblogs,
} from "../domain/reading/notifications/audience.ts";
import { notify } from "../domain/reading/notifications/notify.ts";
import { indexStatuses } from "../domain/reading/search/index-statuses.ts";
import type { StatusView } from "../domain/posts/statuses/tables.ts";
import { fanOut, fillFeeds } from "../domain/reading/timelines/fanout.ts";
import { planCards } from "../domain/posts/cards/plan.ts";
import { notifyOfStatuses } from "./webhooks.ts";
import { sharePosts } from "../federation/fasp/sharing.ts";
import { deliverCreated } from "./deliver-status.ts";
import { loadAsServer } from "../domain/posts/statuses/load.ts";
import { wideAuthors } from "../domain/reading/timelines/cached-readers.ts";

type Named = { id: string };

export const ofStatuses = {
  key: ({ id }: Named) => id,
  load: (app: App, events: Named[]) =>
    loadAsServer(
      app,
      events.map(({ id }) => id),
    ),
  lines: {
    of: (app: App, views: StatusView[]) =>
      wideAuthors(
        app,
        views.map((view) => view.account_id),
      ),
    payload: ({ id }: StatusView): Named => ({ id }),
  },
};

const notifyCreated = async (app: App, views: StatusView[]): Promise<void> => {
  await notify(app, app.sql, [
    ...mentions(views),
    ...quotes(views),
    ...reblogs(views),
    ...(await followersNotified(app, views)),
  ]);
  await eachPartNotified(app, views, (notices) => notify(app, app.sql, notices));
};

/** Older posts are inserted where they belong, without notifications. */
export const statusBackfilled: EventFlow<"status.backfilled", StatusView> = {
  ...ofStatuses,
  steps: { fill: fillFeeds, index: indexStatuses },
};

export const statusCreated: EventFlow<"status.created", StatusView> = {
  ...ofStatuses,
  steps: {
    /** Inserts into home, list and tag feeds, then publishes to the streams. */
    fan_out: fanOut,
    conversations: recordConversations,
    notify: notifyCreated,
    deliver: deliverCreated,
    index: indexStatuses,
    preview: planCards,
    shareInGroups,
    announceInGroups: announceAnswersInGroups,
    providers: sharePosts,
    webhooks: (app, views) => notifyOfStatuses(app, "status.created", views),
  },
  formerSteps: {
    converse: "conversations",
    share: "shareInGroups",
    thread: "announceInGroups",
    tell: "webhooks",
  },
};
