// Reads an archive once: its posts become lines of the import, its files lie in a folder until they are attached.

import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { App } from "../../../platform/app.ts";
import { archiveFiles } from "../../../platform/archives.ts";
import type { ArchiveFile } from "../../../platform/archives.ts";
import { Unprocessable } from "../../../platform/errors.ts";
import { httpUrl, hostIn, isRecord, textOf } from "../../../platform/json/read.ts";
import { openUpload, uploadFolder, UploadGone } from "../../../platform/storage/uploads.ts";
import type { NoteContext } from "../../statuses/parse-note.ts";
import { deleteEntries, insertEntries, updateUnpacked } from "../queries.ts";
import {
  ACTOR_BYTES,
  ARCHIVE_LIMITS,
  FILE_BYTES,
  ITEM_BYTES,
  OUTBOX_BYTES,
  POSTS,
} from "./limits.ts";
import { outboxItems } from "./outbox-items.ts";
import { readPost, storedName } from "./read-post.ts";
import type { ArchivedPost } from "./read-post.ts";

/** Of one import, in the folder of uploads. */
export const folderOf = (app: App, id: string): string =>
  join(uploadFolder(app.config.dataDir), `import-${id}`);

export const removeUnpacked = (app: App, id: string): Promise<void> =>
  rm(folderOf(app, id), { recursive: true, force: true });

/** Old folders of uploads are removed (media/retention.ts); this one is in use. */
export const touchUnpacked = async (app: App, id: string): Promise<void> => {
  const now = new Date();
  await utimes(folderOf(app, id), now, now).catch(() => {});
};

const NO_ARCHIVE =
  "This is no archive that can be read: choose the .zip or .tar.gz file of an export of your posts.";

const write = async (file: ArchiveFile, path: string): Promise<void> =>
  pipeline(await file.open(), createWriteStream(path));

/** The three kinds of files that are of use; everything else is passed over. */
const placeOf = ({ path, size }: ArchiveFile): string | null => {
  const name = path.replace(/^\.\//, "");
  if (name === "actor.json") return size <= ACTOR_BYTES ? name : null;
  if (name === "outbox.json") return size <= OUTBOX_BYTES ? name : null;
  return size <= FILE_BYTES ? storedName(path) : null;
};

const unpackInto = async (archive: string, folder: string): Promise<void> => {
  for await (const file of archiveFiles(archive, ARCHIVE_LIMITS)) {
    const place = placeOf(file);
    if (place !== null) await write(file, join(folder, place));
  }
};

/** The folder is there when all of it is. */
const unpackFiles = async (archive: string, folder: string): Promise<void> => {
  const unfinished = `${folder}.new`;
  for (const path of [folder, unfinished]) await rm(path, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  try {
    await unpackInto(archive, unfinished);
    await rename(unfinished, folder);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
};

const readContext = async (app: App, folder: string): Promise<NoteContext> => {
  const actor: unknown = JSON.parse(await readFile(join(folder, "actor.json"), "utf8"));
  const uri = isRecord(actor) ? httpUrl(actor["id"]) : null;
  if (!isRecord(actor) || uri === null) throw new Error("no actor");
  const followersUrl = httpUrl(textOf(actor["followers"]));
  return { actorUri: uri, followersUrl, domain: hostIn(uri), now: app.clock.now() };
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

const posts = async function* (folder: string, context: NoteContext): AsyncGenerator<ArchivedPost> {
  const outbox = createReadStream(join(folder, "outbox.json"));
  for await (const text of outboxItems(outbox, ITEM_BYTES)) {
    const read = readPost(parsed(text), context);
    if ("post" in read) yield read.post;
  }
};

const BATCH = 200;

const storePosts = async (app: App, id: string, folder: string): Promise<number> => {
  const context = await readContext(app, folder);
  let total = 0;
  let batch: ArchivedPost[] = [];
  const flush = async () => {
    if (batch.length === 0) return;
    await insertEntries(app.sql, id, batch, context.now, total);
    total += batch.length;
    batch = [];
  };
  for await (const post of posts(folder, context)) {
    batch.push(post);
    if (batch.length === BATCH) await flush();
    if (total >= POSTS) break;
  }
  await flush();
  return total;
};

/** The files, on a machine that has not unpacked them itself; nothing where the archive is not there any more. */
export const unpackHere = async (app: App, id: string, source: string | null): Promise<void> => {
  const folder = folderOf(app, id);
  if (source === null || !app.uploads || existsSync(folder)) return;
  const archive = await openUpload(app, source).catch((error: unknown) => {
    if (error instanceof UploadGone) return null;
    throw error;
  });
  if (!archive) return;
  await unpackFiles(archive.path, folder).finally(archive.leave);
};

/** Throws Unprocessable with the reason where nothing can be imported. Again after a restart it begins anew. */
export const unpack = async (app: App, id: string, archive: string): Promise<void> => {
  const folder = folderOf(app, id);
  await deleteEntries(app.sql, id);
  let total: number;
  try {
    await unpackFiles(archive, folder);
    total = await storePosts(app, id, folder);
  } catch (error) {
    if (error instanceof Unprocessable) throw error;
    if ((error as NodeJS.ErrnoException).code === "ENOSPC") throw error;
    app.log.info({ err: error, import: id }, "an archive could not be read");
    throw new Unprocessable(NO_ARCHIVE);
  }
  if (total === 0) throw new Unprocessable("There are no posts of its owner in the archive.");
  await updateUnpacked(app.sql, id, total);
};
