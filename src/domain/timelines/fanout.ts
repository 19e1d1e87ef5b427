// A new status into the home feeds of the author and the followers here, and onto their streams.

import type { App } from "../../platform/app.ts";
import type { StatusView } from "../statuses/tables.ts";
import { homeKey } from "./home.ts";
import { selectHomeReaders, selectLocalFollowers } from "./queries.ts";
import type { FanOut } from "./queries.ts";
import { publishToUsers, statusEvent } from "./streams.ts";
import type { StreamEvent } from "./streams.ts";

const CHUNK = 1000;

const audience = (view: StatusView): Omit<FanOut, "after" | "limit"> => ({
  authorId: view.account_id,
  isReblog: view.reblog_of_id !== null,
  language: view.language,
  replyToId: view.in_reply_to_account_id,
  onlyIds: view.visibility === "direct" ? view.mentions.map((mention) => mention.id) : null,
});

/** Account ids in chunks; every chunk is worked before the next is read. */
async function* inChunks(read: (after: string) => PromiseLike<string[]>): AsyncGenerator<string[]> {
  let after = "0";
  for (;;) {
    const ids = await read(after);
    if (ids.length > 0) yield ids;
    if (ids.length < CHUNK) return;
    after = ids.at(-1)!;
  }
}

const deliverHome = async (app: App, ids: string[], view: StatusView, event: StreamEvent) => {
  await app.feeds.push(ids.map(homeKey), view.id);
  await publishToUsers(app, ids, event);
};

/** Feed first, then stream, so that who hears of it finds it. Idempotent for the feeds. */
export const fanOut = async (app: App, view: StatusView, event: StreamEvent): Promise<void> => {
  if (view.account.domain === null) await deliverHome(app, [view.account_id], view, event);
  const wanted = audience(view);
  const readers = (after: string) => selectHomeReaders(app.sql, { ...wanted, after, limit: CHUNK });
  for await (const ids of inChunks(readers)) await deliverHome(app, ids, view, event);
};

/** Tells the same people of an edit; the feeds hold only ids and need nothing. */
export const fanOutEdit = async (app: App, view: StatusView): Promise<void> => {
  const event = statusEvent(app, view, "status.update");
  if (view.account.domain === null) await publishToUsers(app, [view.account_id], event);
  const wanted = audience(view);
  const readers = (after: string) => selectHomeReaders(app.sql, { ...wanted, after, limit: CHUNK });
  for await (const ids of inChunks(readers)) await publishToUsers(app, ids, event);
};

/** Takes deleted statuses out of every home that may have them, and tells. */
export const withdraw = async (
  app: App,
  authorId: string,
  statusIds: string[],
  mentionIds: string[],
): Promise<void> => {
  const remove = async (accountIds: string[]) => {
    await app.feeds.remove(accountIds.map(homeKey), statusIds);
    for (const id of statusIds) {
      await publishToUsers(app, accountIds, { event: "delete", payload: id });
    }
  };
  await remove([authorId, ...mentionIds]);
  const followers = (after: string) => selectLocalFollowers(app.sql, authorId, after, CHUNK);
  for await (const ids of inChunks(followers)) await remove(ids);
};
