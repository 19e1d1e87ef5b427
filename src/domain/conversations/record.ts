// Direct statuses, of here and of elsewhere, in the conversations of the people here who take part:
// one for each person, thread and set of others.

import type { App } from "../../platform/app.ts";
import { loadAccounts } from "../accounts/load.ts";
import { loadForViewers } from "../statuses/load-for-viewers.ts";
import type { Showing } from "../statuses/load-for-viewers.ts";
import type { StatusView } from "../statuses/tables.ts";
import { listenedTo } from "../timelines/own-streams.ts";
import { directChannel, personalEvent } from "../timelines/streams.ts";
import { shownIds } from "./load.ts";
import { conversationText } from "./present.ts";
import { upsertConversations } from "./queries.ts";
import type { Entry } from "./queries.ts";
import type { ConversationRow } from "./tables.ts";

const byNumber = (a: string, b: string): number => (BigInt(a) < BigInt(b) ? -1 : 1);

/** One for each of ours who wrote it or is addressed. */
const entriesOf = (view: StatusView): Entry[] => {
  if (view.visibility !== "direct" || view.reblog_of_id || !view.conversation_id) return [];
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

type Told = { row: ConversationRow; channel: string; showing: Showing };

/** Those whose person listens, each with the status as it is to be shown to them. */
const toTell = async (
  app: App,
  rows: ConversationRow[],
  views: Map<string, StatusView>,
): Promise<Told[]> => {
  const streams = rows.map((row) => ({ row, channel: directChannel(row.account_id) }));
  return (await listenedTo(app, streams)).flatMap(({ row, channel }) => {
    const view = views.get(row.last_status_id);
    const viewerIds = [row.account_id];
    return view ? [{ row, channel, showing: { view, viewerIds, isNew: false } }] : [];
  });
};

const publish = async (
  app: App,
  rows: ConversationRow[],
  views: Map<string, StatusView>,
): Promise<void> => {
  const told = await toTell(app, rows, views);
  if (told.length === 0) return;
  const shownTo = await loadForViewers(
    app,
    told.map(({ showing }) => showing),
  );
  const accounts = await loadAccounts(app, [...new Set(told.flatMap(({ row }) => shownIds(row)))]);
  for (const { row, channel, showing } of told) {
    const own = shownTo(showing, row.account_id);
    if (!own) continue;
    const { payload: status = "null", ...event } = personalEvent(app, own, "update");
    const shown = shownIds(row).flatMap((id) => accounts.get(id) ?? []);
    const payload = conversationText(row, shown, status, app.config.site);
    await app.pubsub.publish(channel, { ...event, event: "conversation", payload });
  }
};

/** Others than direct statuses are passed over. One query; a second time changes and tells nothing. */
export const recordConversations = async (app: App, views: StatusView[]): Promise<void> => {
  const entries = views.flatMap(entriesOf);
  if (entries.length === 0) return;
  const rows = await upsertConversations(app.sql, entries, app.clock.now());
  await publish(app, [...rows], new Map(views.map((view) => [view.id, view])));
};
