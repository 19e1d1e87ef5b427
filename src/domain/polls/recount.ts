// The figures of a poll elsewhere, as its origin tells them now.

import type { App } from "../../platform/app.ts";
import "./events.ts";
import { lockPoll, replacePoll, updatePoll } from "./queries.ts";
import { isSamePoll } from "./rules.ts";
import type { NewPoll } from "./tables.ts";
import { planEnds } from "./vote.ts";

const isSameTime = (one: Date | null, other: Date | null): boolean =>
  one?.getTime() === other?.getTime();

/** Another poll in the place of the one that is known begins anew, without votes. */
export const recountPoll = async (app: App, statusId: string, told: NewPoll): Promise<void> =>
  app.sql.begin(async (tx) => {
    const poll = await lockPoll(tx, { statusId });
    if (!poll || poll.local) return;
    const same = isSamePoll(poll, told);
    if (!same || !isSameTime(poll.expires_at, told.expiresAt)) {
      await replacePoll(tx, poll, told, same);
      await planEnds(app, tx, [{ status_id: statusId, expires_at: told.expiresAt }]);
    }
    if (same) await updatePoll(tx, poll, told);
  });
