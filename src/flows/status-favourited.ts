// A status was favourited, or no longer is: its author is told, here or elsewhere.

import type { App } from "../platform/app.ts";
import type { Favourited } from "../domain/statuses/events.ts";
import { deliverFavourited, deliverUnfavourited } from "./deliver-status.ts";
import { notifyFavourited, retractFavourited } from "./notify-status.ts";

export const onStatusFavourited = async (app: App, act: Favourited): Promise<void> => {
  await notifyFavourited(app, act);
  await deliverFavourited(app, act);
};

export const onStatusUnfavourited = async (app: App, act: Favourited): Promise<void> => {
  await retractFavourited(app, act);
  await deliverUnfavourited(app, act);
};
