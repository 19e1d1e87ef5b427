// Reacts to a post with an emoji, which is a favourite with that emoji: each person has one, which another emoji
// replaces.

import type { App } from "../../../platform/app.ts";
import type { KnownViewer } from "../../../platform/viewer.ts";
import { reactionText } from "../../base/emojis/reaction-name.ts";
import { actTarget, afterAct, undoAct } from "./acts.ts";
import { favouriteStatuses, unfavouriteStatuses } from "./favourite.ts";
import { lockFavourite } from "./queries-acts.ts";
import { checkInteraction } from "./rules.ts";
import type { SeenStatus } from "./tables.ts";

/**
 * `name` is a character, or the shortcode of one of the server's own emojis. Throws NotFound for a status that the
 * viewer may not see, Forbidden where its author's policy forbids a favourite, Unprocessable for other text.
 */
export const react = async (
  app: App,
  viewer: KnownViewer,
  id: string,
  name: string,
): Promise<SeenStatus> => {
  const view = await actTarget(app, viewer, id);
  checkInteraction(view, "like");
  const reaction = await reactionText(app, name);
  const favourite = { accountId: viewer.id, statusId: view.id };
  await app.sql.begin(async (tx) => {
    const before = await lockFavourite(tx, favourite);
    if (before?.reaction === reaction) return;
    // Other servers know a reaction by its activity, so that one ends and another begins.
    if (before) await unfavouriteStatuses(app, tx, [favourite]);
    await favouriteStatuses(app, tx, [{ ...favourite, reaction }]);
  });
  return afterAct(app, viewer, view);
};

/** Returns whether a stored reaction is what `name` means. The emoji may have been deleted meanwhile. */
export const isNamed = (reaction: string, name: string): boolean =>
  reaction === name || reaction === `:${name}:`;

/** Changes nothing where the viewer reacted with another emoji, or none. */
export const unreact = (app: App, viewer: KnownViewer, id: string, name: string) =>
  undoAct(app, viewer, id, ({ id: statusId }) =>
    app.sql.begin(async (tx) => {
      const favourite = { accountId: viewer.id, statusId };
      const before = await lockFavourite(tx, favourite);
      if (!isNamed(before?.reaction ?? "", name)) return false;
      return (await unfavouriteStatuses(app, tx, [favourite])) > 0;
    }),
  );
