// Records direct statuses, local and remote, in the conversations of the local accounts in them: one for each person,
// thread and set of other participants.

import type { App } from "../../../platform/app.ts";
import type { JobHandler } from "../../../platform/jobs/table.ts";
import { loadAccounts } from "../../people/accounts/load.ts";
import "../notifications/events.ts";
import { loadAsServer } from "../../posts/statuses/load.ts";
import { loadForViewers } from "../../posts/statuses/load-for-viewers.ts";
import type { Showing } from "../../posts/statuses/load-for-viewers.ts";
import { canSee } from "../../posts/statuses/rules.ts";
import type { StatusView } from "../../posts/statuses/tables.ts";
import { isDirect } from "../../posts/statuses/visibility.ts";
import { withListeners, directChannel, personalEvent } from "../timelines/streams.ts";
import { shownIds } from "./load.ts";
import { conversationText } from "./present.ts";
import { upsertConversations } from "./queries.ts";
import type { Entry } from "./queries.ts";
import type { ConversationRow } from "./tables.ts";

export { deleteSlice as deleteConversationsOf } from "./queries.ts";

const byNumber = (a: string, b: string): number => (BigInt(a) < BigInt(b) ? -1 : 1);

/** Makes an entry for each local account that wrote it or is addressed. */
const entriesOf = (view: StatusView): Entry[] => {
  if (!isDirect(view) || view.reblog_of_id || !view.conversation_id) return [];
  const { id: statusId, account_id: authorId, conversation_id: conversationId } = view;
  const ids = [...new Set([authorId, ...view.mentions.map((mention) => mention.id)])].sort(
    byNumber,
  );
  const here = new Set([
    ...(view.account.domain === null ? [authorId] : []),
    ...view.mentions.filter((mention) => mention.domain === null).map((mention) => mention.id),
  ]);
  return [...here].map((accountId) => {
    const participants = `{${ids.filter((id) => id !== accountId).join()}}`;
    return { accountId, conversationId, participants, statusId, authorId };
  });
};

type Recipient = { row: ConversationRow; channel: string; showing: Showing };

/** Returns people with an open stream, each with the status to show to them. */
const recipientsOf = async (
  app: App,
  rows: ConversationRow[],
  views: Map<string, StatusView>,
): Promise<Recipient[]> => {
  const streams = rows.map((row) => ({ row, channel: directChannel(row.account_id) }));
  return (await withListeners(app, streams)).flatMap(({ row, channel }) => {
    const view = views.get(row.last_status_id);
    const viewerIds = [row.account_id];
    return view ? [{ row, channel, showing: { view, viewerIds, isNew: false } }] : [];
  });
};

const publish = async (app: App, rows: ConversationRow[], views: Map<string, StatusView>) => {
  const recipients = await recipientsOf(app, rows, views);
  if (recipients.length === 0) return;
  const viewFor = await loadForViewers(
    app,
    recipients.map(({ showing }) => showing),
  );
  const accounts = await loadAccounts(app, [
    ...new Set(recipients.flatMap(({ row }) => shownIds(row))),
  ]);
  for (const { row, channel, showing } of recipients) {
    const own = viewFor(showing, row.account_id);
    if (!own || !canSee(own)) continue;
    const { payload: status = "null", ...event } = personalEvent(app, own, "update");
    const shown = shownIds(row).flatMap((id) => accounts.get(id) ?? []);
    const payload = conversationText(row, shown, status, app.config.site);
    await app.pubsub.publish(channel, { ...event, event: "conversation", payload });
  }
};

const record = async (app: App, views: StatusView[], entries: Entry[]): Promise<void> => {
  if (entries.length === 0) return;
  const rows = await upsertConversations(app.sql, entries, app.clock.now());
  await publish(app, [...rows], new Map(views.map((view) => [view.id, view])));
};

/** Skips statuses that are not direct. Takes one query; a repeated call changes nothing and publishes nothing. */
export const recordConversations = (app: App, views: StatusView[]): Promise<void> =>
  record(app, views, views.flatMap(entriesOf));

/** Handles the job `mentions.accepted`: records only in the conversations of the person who accepted them. */
export const onMentionsAccepted: JobHandler<"mentions.accepted"> = async (
  app,
  { accountId, statusIds },
) => {
  const views = await loadAsServer(app, statusIds);
  const entries = views.flatMap(entriesOf).filter((entry) => entry.accountId === accountId);
  await record(app, views, entries);
};
