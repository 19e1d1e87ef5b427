// Handles a person's import: uploads a file, shows its contents, starts it, shows its progress, and cancels it.

import { readFile } from "node:fs/promises";
import type { App } from "../../../platform/app.ts";
import { parseId, addDays } from "../../../platform/ids/index.ts";
import { NotFound, TooLarge, Unprocessable } from "../../../platform/errors.ts";
import { decodeText } from "../../../platform/text/decode.ts";
import { says } from "../../../platform/text/texts.ts";
import type { Say } from "../../../platform/text/texts.ts";
import { UploadedFile } from "../../../platform/http/uploaded-file.ts";
import { countAttempt } from "../../../platform/http/rate-limit.ts";
import type { Limit } from "../../../platform/http/rate-limit.ts";
import { removeUpload, storeUpload } from "../../../platform/storage/uploads.ts";
import type { DeleteSlice } from "../../../platform/jobs/retention.ts";
import { lockAccount } from "../../people/accounts/lock.ts";
import { faultText } from "./faults.ts";
import { MAX_FILE_BYTES } from "../../../platform/http/line-files.ts";
import { filtersFile, headingsOf, linesOf, readFileOf } from "./formats.ts";
import {
  countUnfinished,
  deleteImport,
  deleteImportsBefore,
  insertEntries,
  insertImport,
  selectFailed,
  selectImport,
  selectImports,
  selectSource,
  updateState,
} from "./queries.ts";
import type { Besides } from "./queries.ts";
import type { FailedEntry } from "./queries.ts";
import { enqueueImport } from "./enqueue.ts";
import { isOwnKind } from "./own-kinds.ts";
import { removeUnpacked } from "./posts/unpack.ts";
import { checkPlausible } from "./plausible.ts";
import type { AnyEntry, FilterEntry, ImportRow, Kind } from "./tables.ts";

const ATTEMPTS: Limit = { name: "imports", by: "person", count: 30, seconds: 3600 };
const MAX_UNFINISHED = 10;
const MAX_SHOWN = 20;
const MAX_NAME = 100;
const KEPT_DAYS = 7;

type ImportInput = {
  kind: Kind;
  file: unknown;
  overwrite: boolean;
  /** False where it waits for `startImport`. */
  start: boolean;
};

const nameOf = ({ filename }: UploadedFile): string =>
  filename.replaceAll("\0", "").toWellFormed().slice(0, MAX_NAME) || "file";

const readUpload = async (file: unknown): Promise<{ name: string; text: string }> => {
  if (!(file instanceof UploadedFile)) throw new Unprocessable(says("import.choose"));
  if (file.size > MAX_FILE_BYTES) {
    throw new TooLarge(says("import.too_large", { size: MAX_FILE_BYTES / 1024 / 1024 }));
  }
  return { name: nameOf(file), text: decodeText(await readFile(file.path)) };
};

/** Stores the lines of a file; returns the import's id. Throws 422 where the file cannot be read. */
export const createImport = async (
  app: App,
  who: { accountId: string; userId: string },
  input: ImportInput,
): Promise<string> => {
  const { accountId } = who;
  await countAttempt(app, ATTEMPTS, who.userId);
  const { name, text } = await readUpload(input.file);
  const { entries, unread } = readFileOf(input.kind, text);
  checkPlausible(input.kind, entries, unread, input.overwrite);
  const now = app.clock.now();
  return app.sql.begin(async (tx) => {
    await lockAccount(tx, accountId);
    if ((await countUnfinished(tx, accountId)) >= MAX_UNFINISHED) {
      throw new Unprocessable(says("import.unfinished", { count: MAX_UNFINISHED }));
    }
    const id = await insertImport(tx, {
      account_id: accountId,
      kind: input.kind,
      file_name: name,
      overwrite: input.overwrite,
      state: input.start ? "running" : "new",
      total: entries.length,
      created_at: now,
    });
    await insertEntries(tx, id, entries, now);
    if (input.start) await enqueueImport(app, tx, id);
    return id;
  });
};

/** Takes the archive of an import of posts, which the job reads. */
const archiveSource = (file: unknown): { name: string; file: UploadedFile } => {
  if (!(file instanceof UploadedFile)) throw new Unprocessable(says("import.choose"));
  return { name: nameOf(file), file };
};

const insertArchiveImport = (
  app: App,
  accountId: string,
  name: string,
  source: { file: string } & Besides,
): Promise<string> =>
  app.sql.begin(async (tx) => {
    await lockAccount(tx, accountId);
    const others = await selectImports(tx, accountId, MAX_SHOWN);
    if (others.some(({ kind, state }) => kind === "posts" && state !== "done")) {
      throw new Unprocessable(says("import.one_archive"));
    }
    const id = await insertImport(tx, {
      account_id: accountId,
      kind: "posts",
      file_name: name,
      overwrite: false,
      state: "unpacking",
      total: 0,
      created_at: app.clock.now(),
      source,
    });
    await enqueueImport(app, tx, id);
    return id;
  });

/**
 * Stores an archive, which must be in the folder of uploads; it stays there, or in the bucket, until all of it is
 * imported. Its lists become imports of their own, and profile and settings are imported too.
 */
export const createArchiveImport = async (
  app: App,
  who: { accountId: string; userId: string },
  input: { file: unknown; besides: Besides },
): Promise<string> => {
  const { accountId } = who;
  await countAttempt(app, ATTEMPTS, who.userId);
  const { name, file } = archiveSource(input.file);
  // Stores it where the worker of any machine finds it.
  const stored = await storeUpload(app, file.path);
  const source = { file: stored, ...input.besides };
  const id = await insertArchiveImport(app, accountId, name, source).catch(async (error) => {
    if (app.uploads) await removeUpload(app, stored);
    throw error;
  });
  file.isKept = app.uploads === null;
  return id;
};

export const listImports = (app: App, accountId: string): Promise<ImportRow[]> =>
  selectImports(app.sql, accountId, MAX_SHOWN).then((rows) => [...rows]);

/** Returns one's own; throws NotFound for others. */
export const getImport = async (app: App, accountId: string, rawId: string): Promise<ImportRow> => {
  const id = parseId(rawId);
  const row = id === null ? null : await selectImport(app.sql, id);
  if (row?.account_id !== accountId) throw new NotFound();
  return row;
};

/** Accepts one that runs already. */
export const startImport = async (app: App, { id }: ImportRow): Promise<void> => {
  await app.sql.begin(async (tx) => {
    if (await updateState(tx, id, "new", "running")) await enqueueImport(app, tx, id);
  });
};

/** Keeps what was imported until now. */
export const cancelImport = async (app: App, { id }: ImportRow): Promise<void> => {
  const source = await selectSource(app.sql, id);
  await deleteImport(app.sql, id);
  if (source !== null) await removeUpload(app, source);
  await removeUnpacked(app, id);
};

/** Returns what a line names, or the text of a post that failed. */
const lineName = (data: object): string => {
  const { acct, domain, uri, title, name, boost, pin, draft } = data as Record<string, unknown>;
  const [first] = (draft ?? []) as { status?: string }[];
  const known = [acct, domain, uri, title, name, boost, pin, first?.status];
  return String(known.find((text) => text) ?? "");
};

const FAILED_PAGE = 1000;

const allFailed = async (app: App, id: string): Promise<FailedEntry[]> => {
  const all: FailedEntry[] = [];
  for (let after = -1; ;) {
    const page = await selectFailed(app.sql, id, after, FAILED_PAGE);
    all.push(...page);
    if (page.length < FAILED_PAGE) return all;
    after = page.at(-1)!.n;
  }
};

/**
 * Returns what could not be imported, in a form that can be imported again, each line with the reason as its last
 * column.
 */
export const failuresFile = async (app: App, row: ImportRow, t: Say): Promise<string> => {
  const failed = await allFailed(app, row.id);
  const entries = failed.map(({ data }) => data);
  if (row.kind === "filters") return filtersFile(entries as FilterEntry[]);
  if (isOwnKind(row.kind)) return JSON.stringify(entries);
  const reasons = failed.map(({ fault }) => faultText(t, fault));
  if (row.kind !== "posts")
    return headingsOf(row.kind, ["Reason"]) + linesOf(row.kind, entries as AnyEntry[], reasons);
  // The address of a post is enough.
  const addresses = entries.map((data) => ({ uri: lineName(data) }));
  return headingsOf("bookmarks", ["Reason"]) + linesOf("bookmarks", addresses, reasons);
};

const SHOWN_FAILURES = 20;
const SHOWN_NAME = 200;

/** Returns what the first failed lines name, and why. */
export const firstFailed = async (app: App, { id }: ImportRow) => {
  const failed = await selectFailed(app.sql, id, -1, SHOWN_FAILURES);
  return failed.map(({ data, fault }) => ({ name: lineName(data).slice(0, SHOWN_NAME), fault }));
};

export const deleteOldImports: DeleteSlice = (app, now) =>
  deleteImportsBefore(app.sql, addDays(now, -KEPT_DAYS));
