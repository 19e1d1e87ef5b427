// Runs an import in jobs of a slice of lines each, so that other jobs run in between, a process can stop at any time,
// and a large import delays nobody. Servers that do not answer are asked again later.

import type { App } from "../../../platform/app.ts";
import { perApp } from "../../../platform/caches/index.ts";
import { Unprocessable, isRefusal } from "../../../platform/errors.ts";
import {
  openUpload,
  removeUpload,
  renewUpload,
  UploadGone,
} from "../../../platform/storage/uploads.ts";
import { says } from "../../../platform/text/texts.ts";
import { actsOf, undoEntry } from "./apply.ts";
import { enqueueImport } from "./enqueue.ts";
import { NotFoundYet, storedFault, storedSaid } from "./faults.ts";
import { isOwnKind, ownKind } from "./own-kinds.ts";
import { applyLine, isOwnLine } from "./posts/apply-own.ts";
import { applyPost } from "./posts/apply-post.ts";
import type { ArchivedPost } from "./posts/read-post.ts";
import { tooManyFailed } from "./plausible.ts";
import { removeUnpacked, touchUnpacked, unpack, unpackHere } from "./posts/unpack.ts";
import {
  addRemoved,
  deleteDoneEntries,
  selectDue,
  selectImport,
  selectNextDue,
  selectSource,
  selectUnwanted,
  selectBesides,
  updateEntries,
  updateFault,
  updateNote,
  updateSource,
  updateState,
} from "./queries.ts";
import type {
  AnyEntry,
  ImportEntryRow,
  ImportKind,
  ImportRow,
  Kind,
  Outcome,
  OwnEntry,
  OwnKind,
} from "./tables.ts";

const SLICE = 20;
/** Milliseconds after which a slice ends. */
const SLICE_MS = 30_000;
/** Lines at the same time; most of the time they wait for other servers. */
const AT_ONCE = 5;

const MINUTE = 60_000;
/** Milliseconds until a line is tried again whose object could not be found; afterwards it has failed. */
const AGAIN_MS = [MINUTE, 15 * MINUTE, 120 * MINUTE];

/** Slices at the same time in this process, so that other jobs of the lane have places. */
const MAX_RUNNING = 2;
const BUSY_MS = 2000;
const runningOf = perApp("imports that run", () => {
  const running = { count: 0 };
  return { running, entries: () => running.count };
});

const outcomeOf = (app: App, { n, tries }: ImportEntryRow, error: unknown): Outcome => {
  if (isRefusal(error)) {
    return { n, state: "failed", fault: storedFault(error) };
  }
  const isMissing = error instanceof NotFoundYet;
  if (!isMissing) app.log.warn({ err: error }, "a line of an import failed");
  const wait = AGAIN_MS[tries];
  if (wait !== undefined) {
    return { n, state: "waiting", dueAt: new Date(app.clock.now().getTime() + wait) };
  }
  const fault = isMissing ? storedFault(error) : storedSaid(says("import.line_failed"));
  return { n, state: "failed", fault };
};

const apply = (app: App, { id, kind, account_id: accountId }: ImportRow, data: object) => {
  if (isOwnLine(data)) return applyLine(app, id, accountId, data);
  if (kind === "posts") return applyPost(app, id, accountId, data as ArchivedPost);
  return isOwnKind(kind)
    ? ownKind(kind).apply(app, accountId, data as OwnEntry[OwnKind])
    : actsOf(kind).apply(app, accountId, data as AnyEntry);
};

const isListed = (kind: ImportKind): kind is Kind => kind !== "posts" && !isOwnKind(kind);

/** Posts reply to earlier ones, and collections and groups might be made twice. */
const runsOneByOne = (kind: ImportKind): boolean =>
  isListed(kind) ? actsOf(kind).oneByOne === true : kind !== "list_options";

const keyOf = async (app: App, kind: ImportKind, data: object): Promise<string | null> =>
  (isListed(kind) && (await actsOf(kind).keyOf?.(app, data))) || null;

const runEntry = async (app: App, row: ImportRow, entry: ImportEntryRow): Promise<Outcome> => {
  try {
    const target = await apply(app, row, entry.data);
    return { n: entry.n, state: "done", target };
  } catch (error) {
    const outcome = outcomeOf(app, entry, error);
    return outcome.state === "failed"
      ? { ...outcome, target: await keyOf(app, row.kind, entry.data) }
      : outcome;
  }
};

/** Runs at least some of them; a server that sends files slowly keeps no other import waiting for long. */
const runEntries = async (app: App, row: ImportRow, entries: ImportEntryRow[]) => {
  const atOnce = runsOneByOne(row.kind) ? 1 : AT_ONCE;
  const until = performance.now() + SLICE_MS;
  const outcomes: Outcome[] = [];
  for (let at = 0; at < entries.length && performance.now() < until; at += atOnce) {
    const some = entries.slice(at, at + atOnce);
    outcomes.push(...(await Promise.all(some.map((entry) => runEntry(app, row, entry)))));
  }
  return outcomes;
};

/** Removes the files of an archive, and the archive itself. */
const removeArchive = async (app: App, id: string): Promise<void> => {
  const source = await selectSource(app.sql, id);
  if (source !== null) await removeUpload(app, source);
  await removeUnpacked(app, id);
};

const finish = async (app: App, { id, state, kind }: ImportRow): Promise<void> => {
  await app.sql.begin(async (tx) => {
    await updateState(tx, id, state, "done", app.clock.now());
    await deleteDoneEntries(tx, id);
  });
  if (kind === "posts") await removeArchive(app, id);
};

/** Continues when no line is due: waits, removes what the file has not, or ends. */
const goOn = async (app: App, row: ImportRow): Promise<void> => {
  const next = await selectNextDue(app.sql, row.id);
  if (next) return enqueueImport(app, app.sql, row.id, next);
  if (!row.overwrite) return finish(app, row);
  // Where many named entries could not be imported, the others are not removed.
  if (tooManyFailed(row.failed, row.total)) {
    await updateNote(app.sql, row.id, storedSaid(says("import.not_removed")));
    return finish(app, row);
  }
  await app.sql.begin(async (tx) => {
    await updateState(tx, row.id, "running", "removing");
    await enqueueImport(app, tx, row.id);
  });
};

const read = async (app: App, row: ImportRow): Promise<void> => {
  const entries = [...(await selectDue(app.sql, row.id, app.clock.now(), SLICE))];
  if (entries.length === 0) return goOn(app, row);
  const outcomes = await runEntries(app, row, entries);
  await app.sql.begin(async (tx) => {
    await updateEntries(tx, row.id, outcomes);
    await enqueueImport(app, tx, row.id);
  });
};

const remove = async (app: App, row: ImportRow): Promise<void> => {
  const { kind } = row;
  if (!isListed(kind)) return finish(app, row);
  const keys = await selectUnwanted(app.sql, { ...row, kind }, SLICE);
  if (keys.length === 0) return finish(app, row);
  for (const key of keys) await undoEntry(app, kind, row.account_id, key);
  await app.sql.begin(async (tx) => {
    await addRemoved(tx, row.id, keys.length);
    await enqueueImport(app, tx, row.id);
  });
};

/** In a bucket the archive stays for the workers of other machines; on this one its files are enough. */
const unpackArchive = async (app: App, row: ImportRow): Promise<void> => {
  const { id } = row;
  const source = await selectSource(app.sql, id);
  if (source === null) return;
  try {
    const archive = await openUpload(app, source);
    const besides = await selectBesides(app.sql, id);
    await unpack(app, row, archive.path, besides).finally(archive.leave);
    await enqueueImport(app, app.sql, id);
    if (!app.uploads) await removeUpload(app, source);
  } catch (error) {
    const isGone = error instanceof UploadGone;
    if (!(error instanceof Unprocessable) && !isGone) throw error;
    const fault = isGone ? storedSaid(says("import.archive_gone")) : storedFault(error);
    await updateFault(app.sql, id, fault, app.clock.now());
    await removeArchive(app, id);
  }
};

const readyArchive = async (app: App, row: ImportRow): Promise<void> => {
  const { id, state } = row;
  if (state === "done") return;
  const source = await selectSource(app.sql, id);
  const renewed = source && (await renewUpload(app, source).catch(() => source));
  if (source && renewed && renewed !== source) {
    await updateSource(app.sql, id, renewed);
    await removeUpload(app, source);
  }
  if (state === "running") await unpackHere(app, row, renewed);
  await touchUnpacked(app, id);
};

const runSlice = async (app: App, id: string): Promise<void> => {
  const row = await selectImport(app.sql, id);
  if (row?.kind === "posts") await readyArchive(app, row);
  if (row?.state === "unpacking") await unpackArchive(app, row);
  if (row?.state === "running") await read(app, row);
  if (row?.state === "removing") await remove(app, row);
};

/** Handles the job `import.due`. */
export const onImportDue = async (app: App, { id }: { id: string }): Promise<void> => {
  const { running } = runningOf(app);
  if (running.count >= MAX_RUNNING) {
    return enqueueImport(app, app.sql, id, new Date(Date.now() + BUSY_MS));
  }
  running.count += 1;
  try {
    await runSlice(app, id);
  } finally {
    running.count -= 1;
  }
};
