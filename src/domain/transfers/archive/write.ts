// The job that makes an archive in the form of Mastodon's: actor.json, outbox.json, likes.json, bookmarks.json, and
// the files in media_attachments/. It is packed while it is stored: only the lists lie on the disk before, as a tar
// says how long a file is before it begins.

import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough, Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { pack } from "tar-stream";
import type { Pack } from "tar-stream";
import type { App } from "../../../platform/app.ts";
import { perApp } from "../../../platform/caches/index.ts";
import { newKey } from "../../../platform/storage/index.ts";
import { uploadFolder } from "../../../platform/storage/uploads.ts";
import { actorDocument, AS_CONTEXT } from "../../accounts/activitypub.ts";
import { getAccount, getPublicKeys } from "../../accounts/load.ts";
import type { AccountView } from "../../accounts/tables.ts";
import { ALL_NOTE_TERMS, announceObject, createObject } from "../../statuses/activitypub.ts";
import type { Activity } from "../../statuses/activitypub.ts";
import { loadAsServer } from "../../statuses/load.ts";
import { isInArchive } from "../../statuses/rules.ts";
import {
  PAGE,
  finishArchive,
  selectArchive,
  selectFiles,
  selectMarked,
  selectPostIds,
} from "./queries.ts";

const TOP = "9223372036854775807";

/** Where the file of an attachment is in the archive. */
const pathIn = (id: string, key: string): string =>
  `media_attachments/files/${id}/original/${key.slice(key.lastIndexOf("/") + 1)}`;

/** Attachments point into the archive. */
const withPaths = (
  activity: Activity,
  media: { id: string; file_key: string | null }[],
): Activity => {
  const object = activity["object"] as Activity;
  const attachment = object["attachment"] as Activity[];
  const inside = attachment.map((attached, at) => {
    const { id, file_key: key } = media[at]!;
    return key === null ? attached : { ...attached, url: pathIn(id, key) };
  });
  return { ...activity, object: { ...object, attachment: inside } };
};

const activities = async function* (app: App, accountId: string): AsyncGenerator<Activity> {
  const { site } = app.config;
  for (let after = "0"; ;) {
    const ids = await selectPostIds(app.sql, accountId, after);
    for (const view of (await loadAsServer(app, ids)).filter(isInArchive)) {
      yield view.reblog
        ? announceObject(view, site)
        : withPaths(createObject(view, site), view.media);
    }
    if (ids.length < PAGE) return;
    after = ids.at(-1)!;
  }
};

const marked = async function* (
  app: App,
  table: "favourites" | "bookmarks",
  accountId: string,
): AsyncGenerator<string> {
  for (let before = TOP; ;) {
    const page = await selectMarked(app.sql, table, accountId, before);
    for (const { uri } of page) yield uri;
    if (page.length < 1000) return;
    before = page.at(-1)!.page_id;
  }
};

/** The text of an OrderedCollection; how many there are is known at its end. */
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

/** Waits until all of it is in the archive. */
const addStream = async (archive: Pack, name: string, size: number, stream: Readable) => {
  const entry = archive.entry({ name, size, mode: 0o444 });
  await pipeline(stream, entry as unknown as NodeJS.WritableStream);
};

const addCollection = async (
  archive: Pack,
  folder: string,
  name: string,
  items: AsyncIterable<unknown>,
) => {
  const path = join(folder, name);
  await pipeline(Readable.from(collection(name, items)), createWriteStream(path));
  await addStream(archive, name, (await stat(path)).size, createReadStream(path));
  await rm(path);
};

/** A file that is missing is left out. */
const addStored = async (app: App, archive: Pack, name: string, key: string) => {
  const file = await app.storage.open(key);
  if (!file) return app.log.warn({ key }, "a file is missing in the storage");
  await addStream(archive, name, file.size, file.stream);
};

const addFiles = async (app: App, archive: Pack, accountId: string): Promise<void> => {
  for (let after = "0"; ;) {
    const page = [...(await selectFiles(app.sql, accountId, after))];
    for (const { id, file_key: key } of page) await addStored(app, archive, pathIn(id, key), key);
    if (page.length < PAGE) return;
    after = page.at(-1)!.id;
  }
};

const endingOf = (key: string): string => key.slice(key.lastIndexOf("."));

const addActor = async (app: App, archive: Pack, view: AccountView): Promise<void> => {
  const document = actorDocument(view, await getPublicKeys(app, view.id), app.config.site);
  const { avatar_key: avatar, header_key: header } = view;
  const pictures = { ...(avatar && { avatar }), ...(header && { header }) };
  const names = { avatar: "icon", header: "image" } as const;
  const changed: Record<string, unknown> = { ...document };
  for (const [name, key] of Object.entries(pictures) as ["avatar" | "header", string][]) {
    const path = `${name}${endingOf(key)}`;
    await addStored(app, archive, path, key);
    changed[names[name]] = { ...(changed[names[name]] as object), url: path };
  }
  const lists = { outbox: "outbox.json", likes: "likes.json", bookmarks: "bookmarks.json" };
  const text = Buffer.from(JSON.stringify({ ...changed, ...lists }, null, 2));
  await addStream(archive, "actor.json", text.length, Readable.from([text]));
};

/** The actor first: whoever reads it knows whose the posts are. */
const fill = async (app: App, archive: Pack, accountId: string, folder: string): Promise<void> => {
  const view = await getAccount(app, accountId);
  await addActor(app, archive, view);
  await addCollection(archive, folder, "outbox.json", activities(app, accountId));
  await addCollection(archive, folder, "likes.json", marked(app, "favourites", accountId));
  await addCollection(archive, folder, "bookmarks.json", marked(app, "bookmarks", accountId));
  await addFiles(app, archive, accountId);
  archive.finalize();
};

/** Packs, and counts what it wrote. */
const store = async (app: App, key: string, accountId: string, folder: string): Promise<number> => {
  const archive = pack();
  let bytes = 0;
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  const out = new PassThrough();
  // Most of it is pictures and videos, which do not get smaller.
  const packing = pipeline(archive as unknown as Readable, createGzip({ level: 1 }), counting, out);
  const filling = fill(app, archive, accountId, folder).catch((error: unknown) => {
    archive.destroy(error as Error);
    throw error;
  });
  const results = await Promise.allSettled([filling, packing, app.storage.put(key, out)]);
  const failed = results.find((result) => result.status === "rejected");
  if (failed) throw failed.reason;
  return bytes;
};

const makeArchive = async (app: App, id: string, accountId: string): Promise<void> => {
  const folder = join(uploadFolder(app.config.dataDir), `archive-${id}`);
  const key = newKey("archives", "tgz");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    const bytes = await store(app, key, accountId, folder);
    const archive = { key, bytes, at: app.clock.now() };
    const isWanted = await app.sql.begin(async (tx) => {
      const isThere = await finishArchive(tx, id, archive);
      if (isThere) await app.jobs.add(tx, "archive.ready", { id });
      return isThere;
    });
    if (!isWanted) await app.storage.delete([key]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** One at a time in this process. */
const runningOf = perApp("archives being made", () => {
  const running = { count: 0 };
  return { running, entries: () => running.count };
});
const BUSY_MS = 5000;

/** The job `archive.wanted`. */
export const onArchiveWanted = async (app: App, { id }: { id: string }): Promise<void> => {
  const row = await selectArchive(app.sql, id);
  if (row?.state !== "waiting") return;
  const { running } = runningOf(app);
  if (running.count > 0) {
    const runAt = new Date(Date.now() + BUSY_MS);
    return app.jobs.add(app.sql, "archive.wanted", { id }, { key: `archive:${id}`, runAt });
  }
  running.count += 1;
  try {
    await makeArchive(app, id, row.account_id);
  } finally {
    running.count -= 1;
  }
};
