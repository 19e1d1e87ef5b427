// Returns the name of a signed-in person for pages.

import type { App } from "../../../../platform/app.ts";
import type { Html } from "../../../../platform/text/html.ts";
import { findEmojis, shortcodesOf } from "../../../base/emojis/load.ts";
import { withEmojis } from "../../../base/emojis/pictures.ts";
import { ownEmoji } from "../../../base/emojis/present.ts";
import type { SignedIn } from "../sign-in.ts";

/** Returns the display name with its custom emojis, or the username. */
export const nameOf = async (app: App, who: SignedIn): Promise<Html> => {
  const name = who.displayName.trim() || who.username;
  const emojis = await findEmojis(app, shortcodesOf(name));
  return withEmojis(
    name,
    [...emojis.values()].map((row) => ownEmoji(row, app.config.site)),
  );
};
