// A status was favourited, or no longer is: its author is told, here or elsewhere, and
// whoever did so here finds it from now on.

import type { App } from "../platform/app.ts";
import { indexMarked } from "../domain/search/index-statuses.ts";
import type { Favourited } from "../domain/statuses/events.ts";
import { deliverFavourited, deliverUnfavourited } from "./deliver-status.ts";
import { notifyFavourited, retractFavourited } from "./notify-status.ts";

export const onStatusFavourited = async (app: App, act: Favourited): Promise<void> => {
  await notifyFavourited(app, act);
  await deliverFavourited(app, act);
  // Our own Likes have addresses of ours: what people here marked is theirs to find.
  if (act.uri?.startsWith(`${app.config.site.origin}/`)) await indexMarked(app, [act.statusId]);
};

export const onStatusUnfavourited = async (app: App, act: Favourited): Promise<void> => {
  await retractFavourited(app, act);
  await deliverUnfavourited(app, act);
};
