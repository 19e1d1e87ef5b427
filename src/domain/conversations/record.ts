// Direct statuses, of here and of elsewhere, in the conversations of the people here who take part:
// one for each person, thread and set of others.

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

/** One for each of ours who wrote it or is addressed. */
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

/** Nothing is made for whom nobody listens. */
const heardBy = async (app: App, rows: ConversationRow[]): Promise<ConversationRow[]> => {
  if (rows.length === 0) return [];
  const channels = [...new Set(rows.map((row) => directChannel(row.account_id)))];
  const heard = new Set(await app.pubsub.heard(channels));
  return rows.filter((row) => heard.has(directChannel(row.account_id)));
};

const publish = async (
  app: App,
  rows: ConversationRow[],
  views: Map<string, StatusView>,
): Promise<void> => {
  const heard = await heardBy(app, rows);
  if (heard.length === 0) return;
  const accounts = await loadAccounts(app, [...new Set(heard.flatMap(shownIds))]);
  const events = new Map<string, StreamEvent>();
  const eventOf = (view: StatusView): StreamEvent => {
    const made = events.get(view.id) ?? statusEvent(app, view, "update");
    events.set(view.id, made);
    return made;
  };
  const tell = (row: ConversationRow): Promise<void> | undefined => {
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
  await Promise.all(heard.map(tell));
};

/** Others than direct statuses are passed over. One query; a second time changes and tells nothing. */
export const recordConversations = async (app: App, views: StatusView[]): Promise<void> => {
  const entries = views.flatMap(entriesOf);
  if (entries.length === 0) return;
  const rows = await upsertConversations(app.sql, entries, app.clock.now());
  await publish(app, [...rows], new Map(views.map((view) => [view.id, view])));
};
