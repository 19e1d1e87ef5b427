// Mutes accounts, and undoes it. The muted account is not notified.

import type { App } from "../../../platform/app.ts";
import { Forbidden } from "../../../platform/errors.ts";
import { emit } from "../../../platform/outbox/emit.ts";
import { relationsChanged } from "./changed.ts";
import "./events.ts";
import type { Pair } from "./events.ts";
import { deleteEndedMute, deleteMute, upsertMute } from "./queries-write.ts";
import { tellRelation } from "./tell.ts";

type MuteInput = Pair & {
  /** Whether their notifications are muted too. */
  notifications: boolean;
  /** Seconds; 0 means until it is undone. */
  duration: number;
};

/** Seconds of the longest mute, a hundred years: timestamps have an end. */
const MAX_SECONDS = 100 * 365 * 24 * 3600;

/** Returns when a mute of this duration ends; null where it does not. */
export const muteEnd = (app: App, seconds: number): Date | null =>
  seconds <= 0 || seconds > MAX_SECONDS
    ? null
    : new Date(app.clock.now().getTime() + seconds * 1000);

/** Mutes an account, or gives an existing mute the new options; throws Forbidden for oneself. */
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

/** Changes nothing where the account is not muted. */
export const unmute = async (app: App, { accountId, targetId }: Pair): Promise<void> => {
  await deleteMute(app.sql, accountId, targetId);
  await relationsChanged(app, accountId);
  await tellRelation(app, accountId, targetId);
};

/**
 * Handles the job at the end of a mute: deletes the ended mute, which brings notifications back, and invalidates
 * streams and feeds. Nothing else depends on its time, because reads compare with the clock.
 */
export const onMuteExpired = async (app: App, { accountId, targetId }: Pair): Promise<void> => {
  const gone = await deleteEndedMute(app.sql, accountId, targetId, app.clock.now());
  if (!gone) return;
  await relationsChanged(app, accountId);
  await tellRelation(app, accountId, targetId);
};
