// Muting a hashtag: posts with it, and what answers them, are left out of one's home, for a time or until that is
// undone. What filters do not know is the thread.

import type { App } from "../../../platform/app.ts";
import { listenedValue } from "../../../platform/caches/listened.ts";
import { Unprocessable } from "../../../platform/errors.ts";
import { lockAccount } from "../../people/accounts/lock.ts";
import { relationsChanged } from "../../people/relationships/changed.ts";
import { muteEnd } from "../../people/relationships/mute.ts";
import "./events.ts";
import type { TagMuteEnded } from "./events.ts";
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

/** Whether anybody here mutes any. */
export const anyTagMuted = listenedValue<boolean>({
  name: "whether tags are muted",
  channel: "tag_mutes",
  key: MUTES_CHANGED,
  read: selectAnyMute,
});

/** `duration` in seconds; 0: until it is undone. A tag that is muted already gets the new end. 422 over the limit. */
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

/** Nothing to undo is no error. */
export const unmuteTag = async (app: App, accountId: string, { name }: TagName): Promise<void> => {
  await deleteTagMute(app.sql, accountId, name);
  await relationsChanged(app, accountId);
};

/** The job at the end of a mute. Reads compare with the time, so nothing waits for this: homes are read again. */
export const onTagMuteExpired = async (
  app: App,
  { accountId, tagId }: TagMuteEnded,
): Promise<void> => {
  const gone = await deleteEndedTagMute(app.sql, accountId, tagId, app.clock.now());
  if (gone) await relationsChanged(app, accountId);
};
