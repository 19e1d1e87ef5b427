// Mutes hashtags: posts with them, and the threads of these, are left out of one's home, for a time or until that is
// undone. Filters do not know threads.

import type { App } from "../../../platform/app.ts";
import { listenedValue } from "../../../platform/caches/listened.ts";
import { Unprocessable } from "../../../platform/errors.ts";
import type { JobHandler } from "../../../platform/jobs/table.ts";
import { lockAccount } from "../../people/accounts/lock.ts";
import { relationsChanged } from "../../people/relationships/changed.ts";
import { muteEnd } from "../../people/relationships/mute.ts";
import "./events.ts";
import {
  countMuted,
  deleteEndedTagMute,
  deleteTagMute,
  MUTES_CHANGED,
  selectAnyMute,
  upsertTagMute,
} from "./queries-mutes.ts";
import { upsertTag } from "./queries.ts";
import type { TagName } from "./rules.ts";

const MAX_MUTED = 200;

/** Caches whether anybody here mutes a tag. */
export const anyTagMuted = listenedValue<boolean>({
  name: "whether tags are muted",
  channel: "tag_mutes",
  key: MUTES_CHANGED,
  read: selectAnyMute,
});

/** `duration` is in seconds; 0 means until it is undone. A muted tag gets the new end. Throws 422 over the limit. */
export const muteTag = async (
  app: App,
  accountId: string,
  tag: TagName,
  duration: number,
): Promise<void> => {
  const expiresAt = muteEnd(app, duration);
  await app.sql.begin(async (tx) => {
    await lockAccount(tx, accountId);
    const tagId = await upsertTag(tx, tag);
    await upsertTagMute(tx, accountId, tagId, expiresAt);
    if ((await countMuted(tx, accountId)) > MAX_MUTED) {
      throw new Unprocessable(`Validation failed: You can mute at most ${MAX_MUTED} hashtags`);
    }
    if (!expiresAt) return;
    const key = `tag_mute:${accountId}:${tagId}`;
    await app.jobs.add(tx, "tag_mute.expired", { accountId, tagId }, { runAt: expiresAt, key });
  });
  await relationsChanged(app, accountId);
};

/** Changes nothing where the tag is not muted. */
export const unmuteTag = async (app: App, accountId: string, { name }: TagName): Promise<void> => {
  await deleteTagMute(app.sql, accountId, name);
  await relationsChanged(app, accountId);
};

/**
 * Handles the job at the end of a mute, after which homes are read again. Nothing depends on its time, because reads
 * compare with the clock.
 */
export const onTagMuteExpired: JobHandler<"tag_mute.expired"> = async (
  app,
  { accountId, tagId },
) => {
  const gone = await deleteEndedTagMute(app.sql, accountId, tagId, app.clock.now());
  if (gone) await relationsChanged(app, accountId);
};
