// Muting and its reverse. The muted account is not notified.

import type { App } from "../../../platform/app.ts";
import { Forbidden } from "../../../platform/errors.ts";
import { emit } from "../../../platform/outbox/emit.ts";
import { relationsChanged } from "./changed.ts";
import "./events.ts";
import type { Pair } from "./events.ts";
import { deleteEndedMute, deleteMute, upsertMute } from "./queries-write.ts";

type MuteInput = Pair & {
  /** Their notifications too. */
  notifications: boolean;
  /** Seconds; 0: until it is undone. */
  duration: number;
};

/** A hundred years: more is as good as for ever, and timestamps have an end. */
const MAX_SECONDS = 100 * 365 * 24 * 3600;

/** When a mute of so many seconds ends; null: it does not. */
export const muteEnd = (app: App, seconds: number): Date | null =>
  seconds <= 0 || seconds > MAX_SECONDS
    ? null
    : new Date(app.clock.now().getTime() + seconds * 1000);

/** An existing mute gets the new options. Forbidden for oneself. */
export const mute = async (app: App, input: MuteInput): Promise<void> => {
  const { accountId, targetId, notifications, duration } = input;
  if (accountId === targetId) throw new Forbidden("You cannot mute your own account");
  const expiresAt = muteEnd(app, duration);
  const row = { accountId, targetId, hideNotifications: notifications, expiresAt };
  await app.sql.begin(async (tx) => {
    await upsertMute(tx, row, app.clock.now());
    const hidden = { accountId, targetId, domain: null, followed: [], listed: [] };
    await emit(app, tx, "account.hidden", [hidden]);
    if (!expiresAt) return;
    const key = `mute:${accountId}:${targetId}`;
    await app.jobs.add(tx, "mute.expired", { accountId, targetId }, { runAt: expiresAt, key });
  });
  await relationsChanged(app, accountId);
};

/** Nothing to undo is no error. */
export const unmute = async (app: App, { accountId, targetId }: Pair): Promise<void> => {
  await deleteMute(app.sql, accountId, targetId);
  await relationsChanged(app, accountId);
};

/**
 * The job at the end of a mute. Reads compare with the clock, so nothing waits for this: it deletes the
 * ended mute and invalidates streams and feeds.
 */
export const onMuteExpired = async (app: App, { accountId, targetId }: Pair): Promise<void> => {
  const gone = await deleteEndedMute(app.sql, accountId, targetId, app.clock.now());
  if (gone) await relationsChanged(app, accountId);
};
