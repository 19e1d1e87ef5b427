// The acts of many people elsewhere in one transaction: notes, reblogs, favourites, and what is taken
// back. The same rows, counts and tombstones as the commands for one act (create, reblog, favourite,
// remove) write; what follows from them is the caller's to plan, from what this gives.

import { invalidate } from "../../platform/db/invalidate.ts";
import type { Tx } from "../../platform/db/index.ts";
import { addManyWritten } from "../accounts/counts-many.ts";
import type { Written } from "../accounts/counts-many.ts";
import { attachManyRemoteMedia } from "../media/attach-many.ts";
import { tagStatuses } from "../tags/use.ts";
import { tagRows } from "./create.ts";
import type { NewStatus } from "./create.ts";
import type { Favourited, RemovedStatus } from "./events.ts";
import { storeLinks } from "./links.ts";
import {
  addManyStatusCounts,
  deleteFavourites,
  deleteStatuses,
  insertFavourites,
  insertManyMentions,
  insertStatuses,
  selectLeaving,
  selectReblogsOf,
} from "./queries-many.ts";
import type { Favour, Leaving, ManyInsert, StatusDelta } from "./queries-many.ts";
import type { Visibility } from "./tables.ts";

/** A note that came from elsewhere: NewStatus, without what only our own have. */
export type ManyNote = Omit<
  NewStatus,
  "username" | "local" | "uri" | "text" | "appId" | "idempotencyKey" | "createdAt" | "quote"
> & { uri: string; createdAt: Date };

export type ManyReblog = {
  accountId: string;
  targetId: string;
  visibility: Visibility;
  uri: string;
  createdAt: Date;
};

export type Many = {
  notes: ManyNote[];
  reblogs: ManyReblog[];
  favourites: (Favour & { uri: string })[];
  unfavourites: Favour[];
  /** Ids; who may remove what has been judged. */
  removals: string[];
};

/** What came of it; what was there, or gone, already is left out. */
export type Applied = {
  created: string[];
  favourited: Favourited[];
  unfavourited: Favourited[];
  removed: RemovedStatus[];
};

const noteRow = (note: ManyNote): ManyInsert => ({
  account_id: note.accountId,
  uri: note.uri,
  url: note.url,
  content: note.content,
  spoiler_text: note.spoilerText,
  visibility: note.visibility,
  sensitive: note.sensitive,
  language: note.language,
  in_reply_to_id: note.inReplyTo?.id ?? null,
  in_reply_to_account_id: note.inReplyTo?.accountId ?? null,
  reblog_of_id: null,
  conversation_id: note.inReplyTo?.conversationId ?? null,
  conversation_uri: note.conversationUri,
  has_media: note.media.length > 0,
  emojis: note.emojis,
  quote_policy: note.quotePolicy,
  created_at: note.createdAt,
});

const reblogRow = (reblog: ManyReblog): ManyInsert => ({
  account_id: reblog.accountId,
  uri: reblog.uri,
  url: null,
  content: "",
  spoiler_text: "",
  visibility: reblog.visibility,
  sensitive: false,
  language: null,
  in_reply_to_id: null,
  in_reply_to_account_id: null,
  reblog_of_id: reblog.targetId,
  conversation_id: null,
  conversation_uri: null,
  has_media: false,
  emojis: [],
  quote_policy: 0,
  created_at: reblog.createdAt,
});

/** Adds up what changes, so that each row of counts is written once. */
class Tally {
  private statuses = new Map<string, StatusDelta>();
  private accounts = new Map<string, Written>();

  status(id: string | null, field: keyof Omit<StatusDelta, "id">, by: number): void {
    if (id === null) return;
    const delta = this.statuses.get(id) ?? { id, replies: 0, reblogs: 0, favourites: 0, quotes: 0 };
    delta[field] += by;
    this.statuses.set(id, delta);
  }

  account(id: string, by: number, at: Date | null): void {
    const written = this.accounts.get(id) ?? { id, statuses: 0, at: null };
    written.statuses += by;
    if (at && (!written.at || at > written.at)) written.at = at;
    this.accounts.set(id, written);
  }

  /** Nothing is counted for statuses that are gone. */
  async write(tx: Tx, goneIds: Set<string>): Promise<void> {
    const deltas = [...this.statuses.values()].filter(({ id }) => !goneIds.has(id));
    await Promise.all([
      addManyStatusCounts(tx, deltas),
      addManyWritten(tx, [...this.accounts.values()]),
    ]);
  }
}

/** What hangs on new notes; sent together, so that it takes one round trip. */
const insertParts = async (tx: Tx, notes: { id: string; note: ManyNote }[]): Promise<void> => {
  await Promise.all([
    insertManyMentions(
      tx,
      notes.flatMap(({ id, note }) => note.mentions.map((one) => ({ statusId: id, ...one }))),
    ),
    tagStatuses(
      tx,
      notes.map(({ id: statusId, note }) => {
        const { accountId, visibility, createdAt: at } = note;
        return { statusId, accountId, visibility, at, tags: tagRows(note.tags) };
      }),
    ),
    storeLinks(
      tx,
      notes.map(({ id: statusId, note: { visibility, content } }) => ({
        statusId,
        visibility,
        content,
      })),
    ),
    attachManyRemoteMedia(
      tx,
      notes.map(({ id, note }) => ({ statusId: id, accountId: note.accountId, media: note.media })),
    ),
  ]);
};

const create = async (tx: Tx, many: Many, tally: Tally): Promise<string[]> => {
  const rows = [...many.notes.map(noteRow), ...many.reblogs.map(reblogRow)];
  const inserted = await insertStatuses(tx, rows);
  const ids = new Map(inserted.map(({ id, uri }) => [uri, id]));
  const fresh = many.notes.flatMap((note) => {
    const id = ids.get(note.uri);
    return id === undefined ? [] : [{ id, note }];
  });
  for (const { uri, account_id, in_reply_to_id, reblog_of_id, visibility, created_at } of rows) {
    if (!ids.has(uri)) continue;
    // Kept pages and threads are those of before, also where nothing is counted (decision 0005).
    const above = in_reply_to_id ?? reblog_of_id;
    invalidate(tx, `account:${account_id}`, ...(above ? [`status:${above}` as const] : []));
    // A direct status is nobody's business: neither that it is there nor when it was written.
    if (visibility === "direct") continue;
    tally.account(account_id, 1, created_at);
    tally.status(in_reply_to_id, "replies", 1);
    tally.status(reblog_of_id, "reblogs", 1);
  }
  await insertParts(tx, fresh);
  return inserted.map(({ id }) => id);
};

const farewell = (row: Leaving, reblogIds: string[]): RemovedStatus => ({
  id: row.id,
  uri: row.uri,
  accountId: row.account_id,
  visibility: row.visibility,
  local: row.local,
  reblogOfId: row.reblog_of_id,
  reblogOfUri: row.reblog_of_uri,
  createdAt: row.created_at.toISOString(),
  inReplyToAccountId: row.in_reply_to_account_id,
  tags: row.tags,
  mentionIds: row.mention_ids,
  reblogIds,
});

const remove = async (tx: Tx, ids: string[], tally: Tally): Promise<RemovedStatus[]> => {
  const rows = await selectLeaving(tx, ids);
  if (rows.length === 0) return [];
  const gone = rows.map((row) => row.id);
  const reblogs = await selectReblogsOf(tx, gone);
  const uncounted = reblogs.filter((reblog) => !gone.includes(reblog.id));
  for (const { account_id } of uncounted) tally.account(account_id, -1, null);
  for (const row of rows) {
    tally.status(row.reblog_of_id, "reblogs", -1);
    tally.status(row.quoted_status_id, "quotes", -1);
    if (row.visibility === "direct") continue;
    tally.account(row.account_id, -1, null);
    tally.status(row.in_reply_to_id, "replies", -1);
  }
  await deleteStatuses(
    tx,
    gone,
    rows.map((row) => row.uri),
  );
  return rows.map((row) =>
    farewell(
      row,
      reblogs.filter((reblog) => reblog.reblog_of_id === row.id).map((reblog) => reblog.id),
    ),
  );
};

/** Does all of it within `tx`, in a fixed number of queries. Of one kind each keeps its order. */
export const applyMany = async (tx: Tx, many: Many): Promise<Applied> => {
  const tally = new Tally();
  const created = await create(tx, many, tally);
  const favourited = await insertFavourites(tx, many.favourites);
  for (const { statusId } of favourited) tally.status(statusId, "favourites", 1);
  const unfavourited = await deleteFavourites(tx, many.unfavourites);
  for (const { statusId } of unfavourited) tally.status(statusId, "favourites", -1);
  const removed = many.removals.length > 0 ? await remove(tx, many.removals, tally) : [];
  const gone = new Set(removed.flatMap(({ id, reblogIds }) => [id, ...reblogIds]));
  await tally.write(tx, gone);
  return { created, favourited: [...favourited], unfavourited: [...unfavourited], removed };
};
