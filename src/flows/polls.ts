// Reacts to votes and to the end of a poll.

import type { App } from "../platform/app.ts";
import { loadAccounts } from "../domain/people/accounts/load.ts";
import { notify } from "../domain/reading/notifications/notify.ts";
import { voteActivity } from "../domain/posts/polls/activitypub.ts";
import type { Voted } from "../domain/posts/polls/events.ts";
import { localVoters } from "../domain/posts/polls/load.ts";
import { planEnds } from "../domain/posts/polls/vote.ts";
import { loadAsServer } from "../domain/posts/statuses/load.ts";
import type { StatusView } from "../domain/posts/statuses/tables.ts";
import { deliver, ownInboxOf } from "../federation/deliver.ts";
import { deliverEdited } from "./deliver-status.ts";

/** Sends a local account's vote in a remote poll: each choice is a note to the poll's author alone. */
export const onPollVoted = async (app: App, voted: Voted): Promise<void> => {
  const [view] = await loadAsServer(app, [voted.statusId]);
  const voter = (await loadAccounts(app, [voted.accountId])).get(voted.accountId);
  if (!view?.poll || view.local || !voter) return;
  const { poll, account: author } = view;
  const { ballot = voted.pollId } = voted;
  const inboxes = [ownInboxOf(author)];
  const votes = voted.choices.map((choice) => ({
    accountId: voter.id,
    activity: voteActivity(voter, poll, { uri: view.uri, author }, { ballot, choice }),
    inboxes,
  }));
  await deliver(app, app.sql, votes);
};

/** Sends new counts: remote servers show those that they last got. */
export const onPollCounted = async (app: App, { statusId }: { statusId: string }) => {
  const [view] = await loadAsServer(app, [statusId]);
  if (view?.poll && view.local) await deliverEdited(app, view, app.clock.now());
};

const notifyEnd = async (app: App, view: StatusView): Promise<void> => {
  const voters = await localVoters(app.sql, view.poll!.id);
  const people = [...new Set([view.account_id, ...voters])];
  const event = { fromId: view.account_id, type: "poll" as const, statusId: view.id };
  await notify(
    app,
    app.sql,
    people.map((accountId) => ({ accountId, ...event })),
  );
};

/** Plans the end again if it was moved. For a remote poll the final counts are fetched. */
export const onPollEnded = async (app: App, { statusId }: { statusId: string }) => {
  const [view] = await loadAsServer(app, [statusId]);
  if (!view?.poll) return;
  if (!view.poll.expired) {
    const end = view.poll.expires_at && new Date(view.poll.expires_at);
    return planEnds(app, app.sql, [{ status_id: statusId, expires_at: end || null }]);
  }
  if (!view.local) await app.remote.refreshStatus(view.uri);
  await notifyEnd(app, view);
  if (view.local) await deliverEdited(app, view, app.clock.now());
};
