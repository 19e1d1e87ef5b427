// Reads an archive once: its posts become lines of the import, its lists imports of their own, and its files stay in a
// folder until they are attached.

import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { copyFile, mkdir, readFile, rename, rm, stat, utimes } from "node:fs/promises";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { pipeline } from "node:stream/promises";
import type { App } from "../../../../platform/app.ts";
import { archiveFiles } from "../../../../platform/archives.ts";
import type { ArchiveFile } from "../../../../platform/archives.ts";
import { Unprocessable } from "../../../../platform/errors.ts";
import { httpUrl, hostIn, isRecord, parseRecord, textOf } from "../../../../platform/json/read.ts";
import { openUpload, uploadFolder, UploadGone } from "../../../../platform/storage/uploads.ts";
import { says } from "../../../../platform/text/texts.ts";
import type { NoteContext } from "../../../posts/statuses/parse-note.ts";
import { MAX_FILE_BYTES } from "../../../../platform/http/line-files.ts";
import { deleteEntries, insertEntries, updateUnpacked } from "../queries.ts";
import type { Besides } from "../queries.ts";
import { enqueueImport } from "../enqueue.ts";
import type { ImportRow, LeftOut } from "../tables.ts";
import { itemsIn, jsonItems } from "./json-items.ts";
import {
  ACTOR_BYTES,
  ARCHIVE_LIMITS,
  CIRCLE_PEOPLE,
  DOCUMENTS,
  FETCHED_FILES,
  FILE_BYTES,
  ITEM_BYTES,
  LISTS,
  OUTBOX_BYTES,
  POSTS,
} from "./limits.ts";
import { insertLists, readList, readOwn, readRelations } from "./lists.ts";
import type { ArchivedList } from "./lists.ts";
import { fromMisskey, fromStatus } from "./notes.ts";
import { boundFetched, boundPeople, readNote, readPost, storedName } from "./read-post.ts";
import type { ArchivedPost, ReadPost } from "./read-post.ts";
import { applySettings, pictureName } from "./own-settings.ts";
import { readDrafts, readPins, readScheduled, readUploads } from "./read-own.ts";
import type { OwnLine } from "./read-own.ts";
import { isDocument, recognise } from "./recognise.ts";
import type { Document, Recognised } from "./recognise.ts";

/** Returns the folder of one import, in the folder of uploads. */
export const folderOf = (app: App, id: string): string =>
  join(uploadFolder(app.config.dataDir), `import-${id}`);

export const removeUnpacked = (app: App, id: string): Promise<void> =>
  rm(folderOf(app, id), { recursive: true, force: true });

/** Keeps the folder in use: old folders of uploads are removed (media/retention.ts). */
export const touchUnpacked = async (app: App, id: string): Promise<void> => {
  const now = new Date();
  await utimes(folderOf(app, id), now, now).catch(() => {});
};

/** Kinds of documents that become imports of their own. */
const LISTED: ReadonlySet<Recognised["what"]> = new Set(["list", "relations", "own"]);
const TAKEN: ReadonlySet<Recognised["what"]> = new Set([
  ...LISTED,
  "posts",
  "settings",
  "drafts",
  "scheduled",
]);

const NO_ARCHIVE =
  "This is no archive that can be read: choose the .zip or .tar.gz file of an export of your posts.";

const write = async (file: ArchiveFile, path: string): Promise<void> =>
  pipeline(await file.open(), createWriteStream(path));

const isDocumentOf = (path: string, size: number): boolean =>
  /\.csv$/i.test(path) ? size <= MAX_FILE_BYTES : /\.json$/i.test(path) && size <= OUTBOX_BYTES;

/**
 * Unpacks under names made here: files of posts get names made of their paths, documents are numbered. No path of the
 * archive is written to.
 */
const unpackInto = async (archive: string, folder: string): Promise<Document[]> => {
  const documents: Document[] = [];
  for await (const file of archiveFiles(archive, ARCHIVE_LIMITS)) {
    const { path, size } = file;
    const stored = storedName(path) ?? pictureName(path);
    if (stored !== null) {
      if (size <= FILE_BYTES) await write(file, join(folder, stored));
    } else if (isDocumentOf(path, size) && documents.length < DOCUMENTS) {
      const place = join(folder, `document-${documents.length}`);
      await write(file, place);
      documents.push({ name: basename(path).slice(0, 100), path: place });
    }
  }
  return documents;
};

const copyInto = async (document: Document, folder: string): Promise<Document[]> => {
  const { size } = await stat(document.path);
  if (!isDocumentOf(document.name, size)) {
    throw new Unprocessable(says("import.too_large", { size: MAX_FILE_BYTES / 1024 / 1024 }));
  }
  const path = join(folder, "document-0");
  await copyFile(document.path, path);
  return [{ ...document, path }];
};

/** The folder exists when all of it is unpacked. `name` is that of the uploaded file. */
const unpackFiles = async (archive: string, name: string, folder: string): Promise<Document[]> => {
  const unfinished = `${folder}.new`;
  for (const path of [folder, unfinished]) await rm(path, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  const uploaded = { name, path: archive };
  try {
    const documents = (await isDocument(uploaded))
      ? await copyInto(uploaded, unfinished)
      : await unpackInto(archive, unfinished);
    await rename(unfinished, folder);
    return documents.map((document) => ({
      ...document,
      path: join(folder, basename(document.path)),
    }));
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
};

type Contents = { document: Document; holds: Recognised }[];

const readContext = async (app: App, contents: Contents): Promise<NoteContext> => {
  const actor = contents.find(({ holds }) => holds.what === "actor");
  if (!actor) throw new Error("no actor");
  const { path } = actor.document;
  if ((await stat(path)).size > ACTOR_BYTES) throw new Error("a large actor");
  const value = parseRecord(await readFile(path, "utf8"));
  const uri = httpUrl(value?.["id"]);
  if (!value || uri === null) throw new Error("no actor");
  const followersUrl = httpUrl(textOf(value["followers"]));
  return { actorUri: uri, followersUrl, domain: hostIn(uri), now: app.clock.now() };
};

type Read = (item: unknown) => ReadPost;

/** Returns how the items of a document are read. */
const readerOf = async (app: App, contents: Contents, form: string): Promise<Read> => {
  if (form === "activities") {
    const context = await readContext(app, contents);
    return (item) => readPost(item, context);
  }
  const { site, now } = { site: app.config.site, now: app.clock.now() };
  return form === "notes"
    ? (item) => readNote(isRecord(item) ? fromMisskey(item, site) : null, now)
    : (item) => readNote(isRecord(item) ? fromStatus(item) : null, now);
};

const add = (leftOut: LeftOut, name: keyof LeftOut, count = 1): void => {
  if (count > 0) leftOut[name] = (leftOut[name] ?? 0) + count;
};

const posts = async function* (
  app: App,
  contents: Contents,
  leftOut: LeftOut,
): AsyncGenerator<ArchivedPost> {
  const bound = boundFetched(FETCHED_FILES);
  const boundCircle = boundPeople(CIRCLE_PEOPLE);
  for (const { document, holds } of contents) {
    if (holds.what !== "posts") continue;
    const read = await readerOf(app, contents, holds.form);
    for await (const item of itemsIn(document.path)) {
      const result = read(item);
      if ("skipped" in result) {
        add(leftOut, result.skipped);
        continue;
      }
      add(leftOut, "files", result.lostFiles + bound(result.post));
      boundCircle(result.post);
      yield result.post;
    }
  }
};

const documentOf = (contents: Contents, what: Recognised["what"]): Document | null =>
  contents.find(({ holds }) => holds.what === what)?.document ?? null;

/** Yields drafts, scheduled posts and pins after the posts, which they name. */
const ownLines = async function* (contents: Contents): AsyncGenerator<OwnLine> {
  const [uploads, drafts, scheduled, pins] = (
    ["uploads", "drafts", "scheduled", "pins"] as const
  ).map((what) => documentOf(contents, what));
  const files = uploads && (drafts || scheduled) ? await readUploads(uploads) : new Map();
  if (drafts) yield* readDrafts(drafts, files);
  if (scheduled) yield* readScheduled(scheduled, files);
  if (pins) yield* await readPins(pins);
};

const BATCH = 200;

const storePosts = async (
  app: App,
  id: string,
  contents: Contents,
  leftOut: LeftOut,
): Promise<number> => {
  const now = app.clock.now();
  let total = 0;
  let batch: object[] = [];
  const flush = async () => {
    if (batch.length === 0) return;
    await insertEntries(app.sql, id, batch, now, total);
    total += batch.length;
    batch = [];
  };
  for await (const post of posts(app, contents, leftOut)) {
    if (total + batch.length >= POSTS) {
      add(leftOut, "more");
      continue;
    }
    batch.push(post);
    if (batch.length === BATCH) await flush();
  }
  for await (const line of ownLines(contents)) {
    batch.push(line);
    if (batch.length === BATCH) await flush();
  }
  await flush();
  return total;
};

const countItems = async ({ path }: Document): Promise<number> => {
  let count = 0;
  for await (const _item of jsonItems(createReadStream(path), ITEM_BYTES)) count += 1;
  return count;
};

/** Counts the lines with an address of a list of followers. */
const countLines = async ({ path }: Document): Promise<number> => {
  let count = 0;
  for await (const line of createInterface({ input: createReadStream(path) })) {
    if (line.includes("@")) count += 1;
  }
  return count;
};

/** Returns whether a list is empty, as some are in our own archives, which have all files. */
const isEmpty = async (document: Document): Promise<boolean> => {
  try {
    return (await countItems(document)) === 0;
  } catch {
    return false;
  }
};

const countLeft = async (contents: Contents, leftOut: LeftOut): Promise<void> => {
  const counted = new Set<keyof LeftOut>();
  for (const { document, holds } of contents) {
    if (holds.what === "unknown" && !(await isEmpty(document))) add(leftOut, "documents");
    // The same followers are listed as addresses, too.
    if (holds.what !== "left_out" || counted.has(holds.as)) continue;
    counted.add(holds.as);
    const isLines = /\.csv$/i.test(document.name);
    add(leftOut, holds.as, await (isLines ? countLines : countItems)(document));
  }
};

/** Returns the lists; where there are several of a kind, the file of lines has more information than addresses. */
const listsOf = async (contents: Contents, leftOut: LeftOut): Promise<ArchivedList[]> => {
  const lists: ArchivedList[] = [];
  const files = new Set(
    contents.flatMap(({ holds }) =>
      holds.what === "list" && holds.form === "file" ? [holds.kind] : [],
    ),
  );
  for (const { document, holds } of contents) {
    if (!LISTED.has(holds.what)) continue;
    if (lists.length >= LISTS) {
      add(leftOut, "documents");
      continue;
    }
    if (holds.what === "relations") lists.push(...(await readRelations(document)));
    if (holds.what === "own") lists.push(await readOwn(document, holds.kind));
    if (holds.what !== "list" || (holds.form !== "file" && files.has(holds.kind))) continue;
    const { list, lost } = await readList(document, holds.kind, holds.form);
    add(leftOut, "bookmarks", lost);
    lists.push(list);
  }
  return lists;
};

const recogniseAll = async (documents: Document[]): Promise<Contents> => {
  const contents: Contents = [];
  for (const document of documents) contents.push({ document, holds: await recognise(document) });
  return contents;
};

/**
 * Unpacks the files on a machine that has not done so itself; does nothing where the archive does not exist any more.
 */
export const unpackHere = async (
  app: App,
  { id, file_name: name }: ImportRow,
  source: string | null,
): Promise<void> => {
  const folder = folderOf(app, id);
  if (source === null || !app.uploads || existsSync(folder)) return;
  const archive = await openUpload(app, source).catch((error: unknown) => {
    if (error instanceof UploadGone) return null;
    throw error;
  });
  if (!archive) return;
  await unpackFiles(archive.path, name, folder).finally(archive.leave);
};

/** `settings` says whether they are to be imported. */
const takeSettings = async (
  app: App,
  { id, account_id: accountId }: ImportRow,
  contents: Contents,
  leftOut: LeftOut,
  isTaken: boolean,
): Promise<boolean> => {
  const settings = documentOf(contents, "settings")?.path;
  if (!settings) return false;
  const actor = documentOf(contents, "actor")?.path ?? null;
  const files = { folder: folderOf(app, id), settings, actor };
  const isDone = isTaken && (await applySettings(app, accountId, files));
  if (!isDone) add(leftOut, "settings");
  return isDone;
};

type Stored = { total: number; lists: ArchivedList[]; hasSettings: boolean; leftOut: LeftOut };

const store = async (
  app: App,
  row: ImportRow,
  archive: string,
  besides: Besides,
): Promise<Stored> => {
  const { id, file_name: name } = row;
  const leftOut: LeftOut = {};
  const contents = await recogniseAll(await unpackFiles(archive, name, folderOf(app, id)));
  const isKnown = contents.some(({ holds }) => TAKEN.has(holds.what));
  if (!isKnown) throw new Error("nothing that is known");
  const total = await storePosts(app, id, contents, leftOut);
  const lists = besides.lists ? await listsOf(contents, leftOut) : [];
  const hasSettings = await takeSettings(app, row, contents, leftOut, besides.settings);
  await countLeft(contents, leftOut);
  return { total, lists, hasSettings, leftOut };
};

/** Throws Unprocessable with the reason where nothing can be imported. After a restart it begins anew. */
export const unpack = async (
  app: App,
  row: ImportRow,
  archive: string,
  besides: Besides,
): Promise<void> => {
  const { id } = row;
  await deleteEntries(app.sql, id);
  let stored: Stored;
  try {
    stored = await store(app, row, archive, besides);
  } catch (error) {
    if (error instanceof Unprocessable) throw error;
    if ((error as NodeJS.ErrnoException).code === "ENOSPC") throw error;
    app.log.info({ err: error, import: id }, "an archive could not be read");
    throw new Unprocessable(NO_ARCHIVE);
  }
  const { total, lists, hasSettings, leftOut } = stored;
  if (total === 0 && lists.length === 0 && !hasSettings) {
    throw new Unprocessable("There are no posts of its owner in the archive.");
  }
  await app.sql.begin(async (tx) => {
    if (!(await updateUnpacked(tx, id, total, leftOut))) return;
    for (const started of await insertLists(app, tx, row.account_id, lists)) {
      await enqueueImport(app, tx, started);
    }
  });
};
