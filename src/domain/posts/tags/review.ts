// Stores what moderators decide about a hashtag. Moderation checks who may do it.

import type { App } from "../../../platform/app.ts";
import type { Db } from "../../../platform/db/index.ts";
import { invalidField, orNotFound } from "../../../platform/errors.ts";
import { normaliseTag } from "../../../platform/text/tags.ts";
import { selectTagName, updateTag } from "./queries-review.ts";

export type TagChange = {
  /** The same name in another letter case or with other accents. */
  display_name?: string | undefined;
  listable?: boolean | undefined;
  trendable?: boolean | undefined;
  usable?: boolean | undefined;
};

/** Returns the tag's name; throws 404 for an unknown one, 422 for a name that is another tag's. */
export const changeTag = async (
  app: App,
  db: Db,
  id: string,
  change: TagChange,
): Promise<string> => {
  const name = orNotFound(await selectTagName(db, id));
  const { display_name: display } = change;
  if (display !== undefined && normaliseTag(display) !== name) {
    throw invalidField("display_name", "does not match the previous name");
  }
  const changes = Object.entries(change).filter(([, value]) => value !== undefined);
  await updateTag(db, id, { ...Object.fromEntries(changes), reviewed_at: app.clock.now() });
  return name;
};
