// Returns the name of a signed-in person for pages.

import type { App } from "../../../../platform/app.ts";
import { findEmojis, shortcodesOf } from "../../../base/emojis/load.ts";
import { customEmojiEntity } from "../../../base/emojis/present.ts";
import type { SignedIn } from "../sign-in.ts";

/** Returns the display name, or the username, with its custom emojis. */
export const nameOf = async (app: App, who: SignedIn) => {
  const name = who.displayName.trim() || who.username;
  const rows = await findEmojis(app, shortcodesOf(name));
  return { name, emojis: [...rows.values()].map((row) => customEmojiEntity(row, app.config.site)) };
};
