// Decides who is notified of statuses, for the flows.

import type { App } from "../../../platform/app.ts";
import type { StatusView } from "../../posts/statuses/tables.ts";
import { isCircle, openToFollowers } from "../../posts/statuses/visibility.ts";
import { cachedAudiences, eachNotifiedPart } from "../timelines/cached-readers.ts";
import { selectLocalRebloggers } from "./queries.ts";
import type { Notice } from "./tables.ts";

/** Notifies local accounts that are mentioned. */
export const mentions = (views: StatusView[]): Notice[] =>
  views
    .filter((view) => !view.reblog)
    .flatMap(({ id: statusId, account_id: fromId, mentions }) =>
      mentions
        .filter((mention) => mention.domain === null && !mention.silent)
        .map(({ id: accountId }) => ({ accountId, fromId, type: "mention" as const, statusId })),
    );

/** Notifies the authors of reblogged statuses. */
export const reblogs = (views: StatusView[]): Notice[] =>
  views.flatMap(({ reblog, account_id: fromId }) =>
    reblog
      ? [{ accountId: reblog.account_id, fromId, type: "reblog" as const, statusId: reblog.id }]
      : [],
  );

/** Notifies the authors of quoted statuses, where the quote is accepted. */
export const quotes = (views: StatusView[]): Notice[] =>
  views.flatMap(({ id: statusId, account_id: fromId, quote }) =>
    quote?.state === "accepted" && quote.quoted_account_id
      ? [{ accountId: quote.quoted_account_id, fromId, type: "quote" as const, statusId }]
      : [],
  );

const isReplyToAnother = (view: StatusView): boolean =>
  view.in_reply_to_id !== null && view.in_reply_to_account_id !== view.account_id;

const notifiesFollowers = (view: StatusView): boolean =>
  view.reblog_of_id === null &&
  (openToFollowers(view) || isCircle(view)) &&
  !isReplyToAnother(view);

type Notified = { id: string; languages: string[] | null };

const noticesOf = (view: StatusView, notified: Notified[]): Notice[] => {
  const { id: statusId, account_id: fromId, language } = view;
  return notified
    .filter(({ languages }) => !language || (languages?.includes(language) ?? true))
    .filter(({ id }) => !isCircle(view) || view.mentions.some((mention) => mention.id === id))
    .map(({ id: accountId }) => ({ accountId, fromId, type: "status" as const, statusId }));
};

/**
 * Notifies local followers with `notify`, of a circle its members; not of reblogs, direct posts, or replies to others.
 * People who are mentioned as well get both, as from Mastodon, since clients let people switch off each type. Authors
 * with very many followers are handled by `eachPartNotified`.
 */
export const followersNotified = async (app: App, views: StatusView[]): Promise<Notice[]> => {
  const posts = views.filter(notifiesFollowers);
  if (posts.length === 0) return [];
  const audiences = await cachedAudiences(
    app,
    posts.map((view) => view.account_id),
  );
  return posts.flatMap((view) => {
    const { notified, preferences } = audiences.get(view.account_id)!;
    const languagesOf = (id: string) => preferences.get(id)?.languages ?? null;
    return noticesOf(
      view,
      notified.map((id) => ({ id, languages: languagesOf(id) })),
    );
  });
};

/** Notifies the followers of authors with very many, a part at a time. */
export const eachPartNotified = async (
  app: App,
  views: StatusView[],
  work: (notices: Notice[]) => Promise<void>,
): Promise<void> => {
  const posts = views.filter(notifiesFollowers);
  const authorIds = posts.map((view) => view.account_id);
  const audiences = await cachedAudiences(app, authorIds);
  for (const view of posts) {
    if (!audiences.get(view.account_id)!.isWide) continue;
    await eachNotifiedPart(app, view.account_id, (part) => work(noticesOf(view, part)));
  }
};

/** Returns ids of local accounts that reblogged it. */
export const localRebloggers = (app: App, view: StatusView): Promise<string[]> =>
  selectLocalRebloggers(app.sql, view.id);
