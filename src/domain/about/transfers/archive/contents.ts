// Writes a person's archive: Mastodon's files (actor.json, outbox.json, likes.json, bookmarks.json and those of posts),
// the lists as CSV, and what no other server's archive has. docs/EXPORT.md explains each field.

import type { App } from "../../../../platform/app.ts";
import { jsonLines, jsonText } from "../../../../platform/archive-sinks.ts";
import type { Sink } from "../../../../platform/archive-sinks.ts";
import { orNotFound } from "../../../../platform/errors.ts";
import { isoTime } from "../../../../platform/ids/index.ts";
import { actorDocument, AS_CONTEXT } from "../../../people/accounts/activitypub.ts";
import { getAccount, getPublicKeys } from "../../../people/accounts/load.ts";
import type { AccountView } from "../../../people/accounts/tables.ts";
import { fieldsOf } from "../../../people/lists/fields.ts";
import { listsOf } from "../../../people/lists/load.ts";
import { ALL_NOTE_TERMS } from "../../../posts/statuses/activitypub-terms.ts";
import { EXPORT_KINDS, exportFile } from "../export.ts";
import { ownActivities, pathIn, receivedActivities, receivedFiles } from "./posts.ts";
import {
  PAGE,
  selectActors,
  selectCollections,
  selectEdits,
  selectFiles,
  selectGroups,
  selectMarked,
  selectSettings,
} from "./queries.ts";
import type { StoredFileRow } from "./queries.ts";
import { draftEntries, scheduledEntries } from "./waiting.ts";

const TOP = "9223372036854775807";

type Uris = { page_id: string; uri: string };

/** Yields addresses, newest first, a page at a time. */
const uris = async function* (
  select: (before: string) => PromiseLike<Uris[]>,
): AsyncGenerator<string> {
  for (let before = TOP; ;) {
    const page = await select(before);
    for (const { uri } of page) yield uri;
    if (page.length < PAGE) return;
    before = page.at(-1)!.page_id;
  }
};

/** Yields the text of an OrderedCollection, whose size is known at its end. */
const collection = async function* (id: string, items: AsyncIterable<unknown>) {
  const context = [AS_CONTEXT, ALL_NOTE_TERMS];
  yield `{"@context":${JSON.stringify(context)},"id":"${id}","type":"OrderedCollection","orderedItems":[`;
  let total = 0;
  for await (const item of items) {
    yield `${total === 0 ? "" : ","}\n${JSON.stringify(item)}`;
    total += 1;
  }
  yield `],"totalItems":${total}}`;
};

/** Returns false where it is missing in the storage, and left out. */
export const addStored = async (
  app: App,
  sink: Sink,
  path: string,
  key: string,
): Promise<boolean> => {
  const file = await app.storage.open(key);
  if (file) await sink.file(path, file.size, file.stream);
  else app.log.warn({ key }, "a file is missing in the storage");
  return file !== null;
};

const endingOf = (key: string): string => key.slice(key.lastIndexOf("."));

/**
 * File names as in Mastodon's archives. The address of followers is kept, since it says for whose followers a post is.
 */
const COLLECTIONS = { outbox: "outbox.json", likes: "likes.json", bookmarks: "bookmarks.json" };

const addActor = async (app: App, sink: Sink, view: AccountView): Promise<void> => {
  const document = actorDocument(view, await getPublicKeys(app, view.id), app.config.site);
  const { avatar_key: avatar, header_key: header } = view;
  const pictures = { ...(avatar && { avatar }), ...(header && { header }) };
  const names = { avatar: "icon", header: "image" } as const;
  const changed: Record<string, unknown> = { ...document };
  for (const [name, key] of Object.entries(pictures) as ["avatar" | "header", string][]) {
    const path = `${name}${endingOf(key)}`;
    await addStored(app, sink, path, key);
    changed[names[name]] = { ...(changed[names[name]] as object), url: path };
  }
  await sink.text("actor.json", jsonText({ ...changed, ...COLLECTIONS }));
};

const addCollections = async (app: App, sink: Sink, accountId: string): Promise<void> => {
  const { sql } = app;
  const add = (name: string, items: AsyncIterable<unknown>) =>
    sink.text(name, collection(name, items));
  const marked = (table: Parameters<typeof selectMarked>[1]) =>
    uris((before) => selectMarked(sql, table, accountId, before));
  const actors = (side: Parameters<typeof selectActors>[1]) =>
    uris((before) => selectActors(sql, side, accountId, before));
  await add(COLLECTIONS.outbox, ownActivities(app, accountId));
  await add("received.json", receivedActivities(app, accountId));
  await add(COLLECTIONS.likes, marked("favourites"));
  await add(COLLECTIONS.bookmarks, marked("bookmarks"));
  await add("featured.json", marked("status_pins"));
  await add("followers.json", actors("followers"));
  await add("following.json", actors("following"));
};

const addLists = async (app: App, sink: Sink, accountId: string): Promise<void> => {
  for (const kind of EXPORT_KINDS) {
    const { name, body } = await exportFile(app, kind, accountId);
    await sink.text(name, body);
  }
};

const edits = async function* (app: App, accountId: string) {
  for (let after = { status_id: "0", id: "0" }; ;) {
    const page = await selectEdits(app.sql, accountId, after);
    for (const { status_id: _status, id: _id, created_at: at, ...edit } of page) {
      yield { ...edit, created_at: isoTime(at) };
    }
    if (page.length < PAGE) return;
    after = page.at(-1)!;
  }
};

const files = async function* (app: App, accountId: string): AsyncGenerator<StoredFileRow> {
  for (let after = "0"; ;) {
    const page = [...(await selectFiles(app.sql, accountId, after))];
    yield* page;
    if (page.length < PAGE) return;
    after = page.at(-1)!.id;
  }
};

/** Yields what the person said of each file, also of one that is in no post. */
const fileEntries = async function* (app: App, accountId: string) {
  for await (const { file_key: key, created_at: at, ...row } of files(app, accountId)) {
    yield { ...row, path: pathIn(row.id, key), created_at: isoTime(at) };
  }
};

const addOwn = async (app: App, sink: Sink, accountId: string): Promise<void> => {
  const settings = orNotFound(await selectSettings(app.sql, accountId));
  await sink.text("settings.json", jsonText(settings));
  const scheduled = await scheduledEntries(app, accountId);
  await sink.text("scheduled_statuses.json", jsonLines(scheduled));
  await sink.text("drafts.json", jsonLines(await draftEntries(app, accountId)));
  const lists = await listsOf(app, accountId);
  await sink.text("lists.json", jsonLines(lists.map(fieldsOf)));
  await sink.text("collections.json", jsonLines(await selectCollections(app.sql, accountId)));
  await sink.text("groups.json", jsonLines(await selectGroups(app.sql, accountId)));
  await sink.text("edits.json", jsonLines(edits(app, accountId)));
  await sink.text("media_attachments.json", jsonLines(fileEntries(app, accountId)));
};

const addFiles = async (app: App, sink: Sink, accountId: string): Promise<void> => {
  for await (const { id, file_key: key } of files(app, accountId)) {
    await addStored(app, sink, pathIn(id, key), key);
  }
  for await (const { id, key } of receivedFiles(app, accountId)) {
    await addStored(app, sink, pathIn(id, key), key);
  }
};

/**
 * Writes the actor first, so that a reader knows whose the posts are. Throws NotFound for an account that is no local
 * person.
 */
export const writeContents = async (app: App, sink: Sink, accountId: string): Promise<void> => {
  await addActor(app, sink, await getAccount(app, accountId));
  await addCollections(app, sink, accountId);
  await addLists(app, sink, accountId);
  await addOwn(app, sink, accountId);
  await addFiles(app, sink, accountId);
};
