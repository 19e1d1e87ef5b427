// Direct statuses, local and remote, in the conversations of the local accounts in them: one for each
// person, thread and set of other participants.

import type { App } from "../../platform/app.ts";
import { loadAccounts } from "../accounts/load.ts";
import type { StatusView } from "../statuses/tables.ts";
import { openToFollowers } from "../statuses/visibility.ts";
import { directChannel, statusEvent } from "../timelines/streams.ts";
import type { StreamEvent } from "../timelines/streams.ts";
import { shownIds } from "./load.ts";
import { conversationText } from "./present.ts";
import { upsertConversations } from "./queries.ts";
import type { Entry } from "./queries.ts";
import type { ConversationRow } from "./tables.ts";

const byNumber = (a: string, b: string): number => (BigInt(a) < BigInt(b) ? -1 : 1);

/** One for each local account that wrote it or is addressed. */
const entriesOf = (view: StatusView): Entry[] => {
  if (openToFollowers(view) || view.reblog_of_id || !view.conversation_id) return [];
  const { id: statusId, account_id: authorId, conversation_id: conversationId } = view;
  const ids = [...new Set([authorId, ...view.mentions.map((one) => one.id)])].sort(byNumber);
  const here = new Set([
    ...(view.account.domain === null ? [authorId] : []),
    ...view.mentions.filter((one) => one.domain === null).map((one) => one.id),
  ]);
  return [...here].map((accountId) => {
    const participants = `{${ids.filter((id) => id !== accountId).join()}}`;
    return { accountId, conversationId, participants, statusId, authorId };
  });
};

/** Only rows whose owners have an open stream. */
const withListeners = async (app: App, rows: ConversationRow[]): Promise<ConversationRow[]> => {
  if (rows.length === 0) return [];
  const channels = [...new Set(rows.map((row) => directChannel(row.account_id)))];
  const listening = new Set(await app.pubsub.withListeners(channels));
  return rows.filter((row) => listening.has(directChannel(row.account_id)));
};

const publish = async (
  app: App,
  rows: ConversationRow[],
  views: Map<string, StatusView>,
): Promise<void> => {
  const listening = await withListeners(app, rows);
  if (listening.length === 0) return;
  const accounts = await loadAccounts(app, [...new Set(listening.flatMap(shownIds))]);
  const events = new Map<string, StreamEvent>();
  const eventOf = (view: StatusView): StreamEvent => {
    const made = events.get(view.id) ?? statusEvent(app, view, "update");
    events.set(view.id, made);
    return made;
  };
  const publishTo = (row: ConversationRow): Promise<void> | undefined => {
    const view = views.get(row.last_status_id);
    if (!view) return undefined;
    const { payload: status = "null", facts } = eventOf(view);
    const shown = shownIds(row).flatMap((id) => accounts.get(id) ?? []);
    const payload = conversationText(row, shown, status, app.config.site);
    return app.pubsub.publish(directChannel(row.account_id), {
      event: "conversation",
      payload,
      ...(facts && { facts }),
    });
  };
  await Promise.all(listening.map(publishTo));
};

/** Skips statuses that are not direct. One query; a repeated call changes nothing and publishes nothing. */
export const recordConversations = async (app: App, views: StatusView[]): Promise<void> => {
  const entries = views.flatMap(entriesOf);
  if (entries.length === 0) return;
  const rows = await upsertConversations(app.sql, entries, app.clock.now());
  await publish(app, [...rows], new Map(views.map((view) => [view.id, view])));
};
