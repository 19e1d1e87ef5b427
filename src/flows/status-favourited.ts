// Statuses were favourited, or no longer are: their authors are notified, here or elsewhere, and
// whoever did so here finds them from now on.

import type { App } from "../platform/app.ts";
import type { EventFlow } from "../platform/outbox/worker.ts";
import { notify, retract } from "../domain/notifications/notify.ts";
import { indexMarked } from "../domain/search/index-statuses.ts";
import type { Favourited } from "../domain/statuses/events.ts";
import { loadAsServer } from "../domain/statuses/load.ts";
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

/** Who favourites and takes it back keeps the order. */
const key = ({ accountId, statusId }: Favourited): string => `${accountId} ${statusId}`;

const notifyAuthors = (app: App, acts: Act[]): Promise<void> =>
  notify(
    app,
    app.sql,
    acts.map(({ accountId: fromId, statusId, status }) => ({
      accountId: status.account_id,
      fromId,
      type: "favourite" as const,
      statusId,
    })),
  );

const retractFavourites = (app: App, acts: Favourited[]): Promise<void> =>
  retract(
    app.sql,
    acts.map(({ accountId: fromId, statusId }) => ({ fromId, type: "favourite", statusId })),
  );

/** Our own Likes have addresses of ours: what people here marked is theirs to find. */
const indexOurs = (app: App, acts: Favourited[]): Promise<void> =>
  indexMarked(
    app,
    acts
      .filter(({ uri }) => uri?.startsWith(`${app.config.site.origin}/`))
      .map(({ statusId }) => statusId),
  );

export const statusFavourited: EventFlow<"status.favourited", Act> = {
  key,
  load,
  steps: { notify: notifyAuthors, deliver: deliverFavourited, index: indexOurs },
};

export const statusUnfavourited: EventFlow<"status.unfavourited", Act> = {
  key,
  load,
  steps: { retract: retractFavourites, deliver: deliverUnfavourited },
};
