// Statuses were favourited or bookmarked, or are no longer favourited: authors are notified of favourites, local or
// remote, and local accounts can find what they marked by search.

import type { App } from "../platform/app.ts";
import type { EventFlow } from "../platform/outbox/worker.ts";
import { notify, retract, updateReacted } from "../domain/reading/notifications/notify.ts";
import { indexMarked } from "../domain/reading/search/index-statuses.ts";
import type { Favourited } from "../domain/posts/statuses/events.ts";
import { loadAsServer } from "../domain/posts/statuses/load.ts";
import { fanOutEdit } from "../domain/reading/timelines/fanout.ts";
import { publishStatus } from "../domain/reading/timelines/streams.ts";
import { deliverFavourited, deliverUnfavourited } from "./deliver-status.ts";
import type { FavouritedStatus as Act } from "./deliver-status.ts";

const load = async (app: App, acts: Favourited[]): Promise<Act[]> => {
  const ids = [...new Set(acts.map(({ statusId }) => statusId))];
  const views = new Map((await loadAsServer(app, ids)).map((view) => [view.id, view]));
  return acts.flatMap((act) => {
    const status = views.get(act.statusId);
    return status ? [{ ...act, status }] : [];
  });
};

/** A favourite and its undoing by one account stay in order. */
const key = ({ accountId, statusId }: Favourited): string => `${accountId} ${statusId}`;

const noticeOf = ({ accountId: fromId, statusId, status }: Act) => {
  return { accountId: status.account_id, fromId, type: "favourite" as const, statusId };
};

/** Whoever chooses another emoji, or the first or none, favourites still: no new notification says it. */
const changeReactions = async (app: App, acts: Act[]): Promise<void> => {
  const reacting = acts.filter(({ reaction }) => reaction);
  if (reacting.length > 0) await updateReacted(app.sql, reacting.map(noticeOf));
};

const notifyAuthors = async (app: App, acts: Act[]): Promise<void> => {
  await notify(app, app.sql, acts.map(noticeOf));
  await changeReactions(app, acts);
};

const retractFavourites = async (app: App, acts: Act[]): Promise<void> => {
  await retract(app.sql, acts.map(noticeOf));
  await changeReactions(app, acts);
};

/** Streams changed reactions to those who see a post, once for a batch. */
const streamReactions = async (app: App, acts: Act[]): Promise<void> => {
  const reacting = acts.filter(({ reaction }) => reaction);
  const views = new Map(reacting.map(({ status }) => [status.id, status]));
  for (const view of views.values()) {
    await fanOutEdit(app, view);
    await publishStatus(app, view, "status.update");
  }
};

/** Indexes the favourites of local accounts, which alone can search here; their Likes have URIs of this server. */
const indexLocal = (app: App, acts: Favourited[]): Promise<void> =>
  indexMarked(
    app,
    acts
      .filter(({ uri }) => uri?.startsWith(`${app.config.site.origin}/`))
      .map(({ statusId }) => statusId),
  );

export const statusFavourited: EventFlow<"status.favourited", Act> = {
  key,
  load,
  steps: {
    notify: notifyAuthors,
    deliver: deliverFavourited,
    index: indexLocal,
    stream: streamReactions,
  },
};

export const statusUnfavourited: EventFlow<"status.unfavourited", Act> = {
  key,
  load,
  steps: { retract: retractFavourites, deliver: deliverUnfavourited, stream: streamReactions },
};

/** Indexes a bookmark for its owner's search; nobody is notified. */
export const onStatusBookmarked = (app: App, { id }: { id: string }): Promise<void> =>
  indexMarked(app, [id]);
