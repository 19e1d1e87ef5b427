// Lets people dismiss announcements and react to them.

import type { App } from "../../../platform/app.ts";
import { parseId } from "../../../platform/ids/index.ts";
import { NotFound, invalidField } from "../../../platform/errors.ts";
import { checkReactionName } from "../../base/emojis/reaction-name.ts";
import { publishToAll } from "../timelines/streams.ts";
import {
  countOtherNames,
  countReactions,
  deleteReaction,
  insertDismissal,
  insertReaction,
  lockAnnouncement,
  selectCurrentOne,
} from "./queries.ts";

/** Different reactions to one announcement. */
const MAX_NAMES = 8;

const currentId = async (app: App, pathId: string): Promise<string> => {
  const id = parseId(pathId);
  if (id === null || !(await selectCurrentOne(app.sql, id, app.clock.now()))) throw new NotFound();
  return id;
};

const publishReaction = async (app: App, id: string, name: string): Promise<void> => {
  const count = await countReactions(app.sql, id, name);
  const payload = JSON.stringify({ name, count, announcement_id: id });
  await publishToAll(app, { event: "announcement.reaction", payload });
};

/** Marks it as read; throws NotFound unless it is current. */
export const dismissAnnouncement = async (app: App, pathId: string, accountId: string) => {
  await insertDismissal(app.sql, accountId, await currentId(app, pathId));
};

/**
 * Adds a reaction; idempotent. `name` is an emoji or the shortcode of a custom emoji. Throws NotFound for an unknown
 * announcement, Unprocessable for other text and for a ninth different reaction.
 */
export const addReaction = async (app: App, pathId: string, accountId: string, name: string) => {
  const id = await currentId(app, pathId);
  await checkReactionName(app, name);
  const isNew = await app.sql.begin(async (tx) => {
    await lockAnnouncement(tx, id);
    if ((await countOtherNames(tx, id, name)) >= MAX_NAMES) {
      throw invalidField("name", "exceeds the maximum number of different reactions");
    }
    return insertReaction(tx, id, accountId, name);
  });
  if (isNew) await publishReaction(app, id, name);
};

/** Throws NotFound also for a missing reaction. */
export const removeReaction = async (app: App, pathId: string, accountId: string, name: string) => {
  const id = await currentId(app, pathId);
  if (name.includes("\0") || !(await deleteReaction(app.sql, id, accountId, name))) {
    throw new NotFound();
  }
  await publishReaction(app, id, name);
};
