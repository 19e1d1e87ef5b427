// The counts of a remote poll, as its server gives them now.

import type { App } from "../../platform/app.ts";
import "./events.ts";
import { lockPoll, replacePoll, updatePoll } from "./queries.ts";
import { isSamePoll } from "./rules.ts";
import type { NewPoll } from "./tables.ts";
import { planEnds } from "./vote.ts";

const isSameTime = (one: Date | null, other: Date | null): boolean =>
  one?.getTime() === other?.getTime();

/** A poll with other options starts again, without votes. */
export const recountPoll = async (app: App, statusId: string, fresh: NewPoll): Promise<void> =>
  app.sql.begin(async (tx) => {
    const poll = await lockPoll(tx, { statusId });
    if (!poll || poll.local) return;
    const same = isSamePoll(poll, fresh);
    if (!same || !isSameTime(poll.expires_at, fresh.expiresAt)) {
      await replacePoll(tx, poll, fresh, same);
      await planEnds(app, tx, [{ status_id: statusId, expires_at: fresh.expiresAt }]);
    }
    if (same) await updatePoll(tx, poll, fresh);
  });
