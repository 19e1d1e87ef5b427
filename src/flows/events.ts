// Reacts to answers to calendar events: streams get the counts, and the author's server gets the answers of local
// people in the form that its software reads (docs/design/events.md).

import type { App } from "../platform/app.ts";
import type { EventFlow } from "../platform/outbox/worker.ts";
import { loadAccounts } from "../domain/people/accounts/load.ts";
import { answerActivity, endActivity } from "../domain/posts/events/activitypub.ts";
import type { Reader } from "../domain/posts/events/activitypub.ts";
import type { Answered } from "../domain/posts/events/events.ts";
import { softwareOf } from "../domain/base/peers/peers.ts";
import { loadAsServer } from "../domain/posts/statuses/load.ts";
import type { StatusView } from "../domain/posts/statuses/tables.ts";
import { fanOutEdit } from "../domain/reading/timelines/fanout.ts";
import { publishStatus } from "../domain/reading/timelines/streams.ts";
import { deliver, ownInboxOf } from "../federation/deliver.ts";
import type { OutgoingActivity } from "../federation/deliver.ts";

/** Streams the changed counts to those who see the event. */
export const onEventCounted = async (app: App, { statusId }: { statusId: string }) => {
  const [view] = await loadAsServer(app, [statusId]);
  if (!view?.event) return;
  await fanOutEdit(app, view);
  await publishStatus(app, view, "status.update");
};

/** Software that knows Accept, TentativeAccept and Reject of an event, but no Join. */
const RSVPS = new Set(["friendica", "hubzilla", "streams", "gathio"]);

/**
 * Returns which forms a server reads. Where the software is unknown it gets both, since unknown activities have no
 * effect.
 */
const readerOf = (software: string | null | undefined): Reader => {
  if (!software || software === "rookery") return "both";
  return RSVPS.has(software) ? "rsvps" : "joins";
};

type RemoteAnswer = Answered & { view: StatusView };

const loadRemoteAnswers = async (app: App, answers: Answered[]): Promise<RemoteAnswer[]> => {
  const ids = [...new Set(answers.map(({ statusId }) => statusId))];
  const views = new Map((await loadAsServer(app, ids)).map((view) => [view.id, view]));
  return answers.flatMap((answered) => {
    const view = views.get(answered.statusId);
    return view && !view.local ? [{ ...answered, view }] : [];
  });
};

const deliverAnswers = async (app: App, answers: RemoteAnswer[]): Promise<void> => {
  const hosts = [...new Set(answers.map(({ view }) => view.account.domain!))];
  const software = await softwareOf(app, hosts);
  const accounts = await loadAccounts(app, [...new Set(answers.map(({ accountId }) => accountId))]);
  const outgoing = answers.flatMap(({ accountId, view, before, now }): OutgoingActivity[] => {
    const account = accounts.get(accountId);
    if (account?.domain !== null) return [];
    const { uri: eventUri, account: author } = view;
    const reader = readerOf(software.get(author.domain!)?.software);
    const parties = { actorUri: account.uri, eventUri, authorUri: author.uri };
    const ended = before && endActivity(before, reader, parties);
    const said = now && answerActivity(now, reader, parties);
    const inboxes = [ownInboxOf(author)];
    return [ended, said].flatMap((activity) =>
      activity ? [{ accountId, activity, inboxes }] : [],
    );
  });
  await deliver(app, app.sql, outgoing);
};

export const eventAnswered: EventFlow<"event.answered", RemoteAnswer> = {
  /** Answers of one account stay in order. */
  key: ({ accountId, statusId }) => `${accountId} ${statusId}`,
  load: loadRemoteAnswers,
  steps: { deliver: deliverAnswers },
};
