// Reads lists by the guarded client and applies them, a slice of blocks in each job.

import type { App } from "../../../platform/app.ts";
import { isOwnDomain } from "../../../platform/config/names.ts";
import type { Db } from "../../../platform/db/index.ts";
import {
  DomainError,
  isRefusal,
  NotFound,
  Unprocessable,
  faultOf,
} from "../../../platform/errors.ts";
import { decodeText } from "../../../platform/text/decode.ts";
import { says } from "../../../platform/text/texts.ts";
import { FetchFailed, FetchRefused } from "../../../platform/fetch/errors.ts";
import type { JobHandler } from "../../../platform/jobs/table.ts";
import { readDomainCsv } from "../../base/blocklists/csv.ts";
import type { DomainEntry } from "../../base/blocklists/csv.ts";
import { allDomainBlocks } from "../../base/blocklists/lists.ts";
import { createDomainBlock, deleteDomainBlock, updateDomainBlock } from "../moderation/blocks.ts";
import { COMMAND_LINE } from "../../base/roles/permissions.ts";
import { appliedOf, planLists, wantedBlocks } from "./plan.ts";
import type { ListPlan, PlannedBlock } from "./plan.ts";
import {
  insertChange,
  replaceEntries,
  selectDueLists,
  selectEntries,
  selectExceptions,
  selectList,
  selectLists,
  selectOwn,
  updateList,
  upsertOwn,
} from "./queries.ts";
import type { ChangeRow, DomainListRow, ListedEntry } from "./tables.ts";

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** Read lists that are due. */
    "domain_lists.due": Record<string, never>;
    /** Read this list; with `force` also where it became suspiciously short. */
    "domain_list.fetch": { id: string; force?: boolean };
    /** Apply a slice of what the lists want. */
    "domain_lists.apply": Record<string, never>;
  }
}

const MAX_BYTES = 8 * 1024 * 1024;
const MAX_ENTRIES = 50_000;
const TIMEOUT_MS = 30_000;
const HOUR = 3_600_000;
const EVERY_MS = 12 * HOUR;
const AGAIN_MS = HOUR;
/** The share of entries that a list has to keep, unless it is small: otherwise the new version is not trusted. */
const MIN_LEFT = 0.5;
const SMALL = 20;
/** Lines for each of which one may be invalid, where a list may end blocks. */
const LINES_FOR_A_FAULT = 10;

const SLICE = 50;

export type ReadList = { entries: DomainEntry[]; etag: string | null; refused: number };

const fault = (error: unknown): string => {
  if (
    error instanceof DomainError ||
    error instanceof FetchRefused ||
    error instanceof FetchFailed
  ) {
    return error.message;
  }
  throw error;
};

/** Throws 422 where it cannot be read; returns null where it has not changed. */
export const readList = async (
  app: App,
  url: string,
  etag: string | null = null,
): Promise<ReadList | null> => {
  const answer = await app.fetch.request(url, {
    headers: { accept: "text/csv, text/plain", ...(etag && { "if-none-match": etag }) },
    maxBytes: MAX_BYTES,
    timeoutMs: TIMEOUT_MS,
  });
  if (answer.status === 304) return null;
  if (answer.status !== 200)
    throw faultOf("url", says("network.refused.list_status", { status: String(answer.status) }));
  if (/html|json/i.test(answer.headers["content-type"] ?? "")) {
    throw faultOf("url", says("network.refused.list_page"));
  }
  const { entries, refused } = readDomainCsv(decodeText(answer.body));
  if (entries.length === 0) throw faultOf("url", says("network.refused.list_empty"));
  if (entries.length > MAX_ENTRIES) {
    throw faultOf("url", says("network.refused.list_long", { count: MAX_ENTRIES }));
  }
  return { entries, etag: answer.headers["etag"]?.slice(0, 200) ?? null, refused: refused.length };
};

/** Plans by all lists, with `more` in place of what is stored of a list. */
export const currentPlan = async (
  app: App,
  db: Db = app.sql,
  more?: { list: DomainListRow; entries: ListedEntry[] },
): Promise<ListPlan> => {
  const lists = [...(await selectLists(db))];
  const entries = [...(await selectEntries(db))];
  const others = more ? entries.filter(({ list_id: id }) => id !== more.list.id) : entries;
  const all = more ? [...lists.filter(({ id }) => id !== more.list.id), more.list] : lists;
  const plannedBlocks = wantedBlocks(
    all,
    [...others, ...(more?.entries ?? [])],
    await selectExceptions(db),
  );
  const own = new Map([...(await selectOwn(db))].map((ownBlock) => [ownBlock.block_id, ownBlock]));
  return planLists(plannedBlocks, { blocks: await allDomainBlocks(app), own });
};

export const enqueueApply = (app: App, db: Db): Promise<void> =>
  app.jobs.add(db, "domain_lists.apply", {}, { key: "domain_lists.apply", priority: 5 });

const isSuspicious = (list: DomainListRow, entries: DomainEntry[]): boolean =>
  list.entries > SMALL && entries.length < list.entries * MIN_LEFT;

/** Returns whether too many lines of a list that retracts could not be read: the blocks of their domains would end. */
const isHalfRead = (list: DomainListRow, { entries, refused }: ReadList): boolean =>
  list.retract && list.entries > 0 && refused * LINES_FOR_A_FAULT > refused + entries.length;

const store = (app: App, list: DomainListRow, read: ReadList | null): Promise<void> =>
  app.sql.begin(async (tx) => {
    const now = app.clock.now();
    const dueAt = new Date(now.getTime() + EVERY_MS);
    const times = { fetched_at: now, due_at: dueAt, fault: null };
    if (!read) return void (await updateList(tx, list.id, times));
    await replaceEntries(tx, list.id, read.entries);
    await updateList(tx, list.id, { ...times, etag: read.etag, entries: read.entries.length });
    await enqueueApply(app, tx);
  });

/** Handles the job `domain_list.fetch`. A fault is shown at the list, which is read again in an hour. */
export const onListDue: JobHandler<"domain_list.fetch"> = async (app, { id, force = false }) => {
  const list = await selectList(app.sql, id);
  if (!list) return;
  try {
    const read = await readList(app, list.url, force ? null : list.etag);
    if (read && !force && isSuspicious(list, read.entries)) {
      throw new Unprocessable(
        `The list had ${list.entries} domains and has ${read.entries.length} now: nothing was changed. Synchronise it by hand if that is right.`,
      );
    }
    if (read && !force && isHalfRead(list, read)) {
      throw new Unprocessable(
        `${read.refused} lines of the list are no domains: nothing was changed. Synchronise it by hand if that is right.`,
      );
    }
    await store(app, list, read);
  } catch (error) {
    const why = fault(error);
    const dueAt = new Date(app.clock.now().getTime() + AGAIN_MS);
    await updateList(app.sql, id, { fault: why.slice(0, 500), due_at: dueAt });
  }
};

/** Handles the job `domain_lists.due`. */
export const fetchDueLists = async (app: App): Promise<void> => {
  const due = await selectDueLists(app.sql, app.clock.now());
  const jobs = due.map(({ id }) => ({ payload: { id }, key: `domain_list:${id}` }));
  await app.jobs.addMany(app.sql, "domain_list.fetch", jobs);
};

type Change = Pick<ChangeRow, "domain" | "change" | "severity" | "before" | "lists">;

const record = (app: App, change: Change) =>
  insertChange(app.sql, { ...change, created_at: app.clock.now() });

const inputOf = (planned: PlannedBlock) => ({
  ...appliedOf(planned),
  private_comment: `From the list ${planned.lists.join(", ")}`.slice(0, 1000),
});

const own = (app: App, id: string, planned: PlannedBlock) =>
  upsertOwn(app.sql, { block_id: id, applied: appliedOf(planned), retract: planned.retract });

const addOne = async (app: App, planned: PlannedBlock): Promise<void> => {
  try {
    const { id } = await createDomainBlock(app, COMMAND_LINE, planned.domain, inputOf(planned));
    await own(app, id, planned);
    const { domain, severity, lists } = planned;
    await record(app, { domain, change: "added", severity, before: null, lists });
  } catch (error) {
    // The domain was covered or added meanwhile, or is this server's own.
    if (!isRefusal(error)) throw error;
    app.log.info(
      { domain: planned.domain, why: (error as Error).message },
      "a domain of a list is not blocked",
    );
  }
};

const changeOne = async (app: App, { block, planned }: ListPlan["change"][number]) => {
  await updateDomainBlock(app, COMMAND_LINE, block.id, inputOf(planned));
  await own(app, block.id, planned);
  const { domain, severity, lists } = planned;
  await record(app, { domain, change: "changed", severity, before: block.severity, lists });
};

const removeOne = async (app: App, { id, domain, severity }: ListPlan["remove"][number]) => {
  await deleteDomainBlock(app, COMMAND_LINE, id);
  await record(app, { domain, change: "removed", severity: null, before: severity, lists: [] });
};

/**
 * Ignores that a moderator, or a run at the same time, deleted the block meanwhile, so that the others are still done.
 */
const unlessGone = (work: Promise<void>): Promise<void> =>
  work.catch((error: unknown) => {
    if (!(error instanceof NotFound)) throw error;
  });

/** Handles the job `domain_lists.apply`; what was refused in a slice is not tried again in this run. */
export const applyLists = async (app: App): Promise<void> => {
  const plan = await currentPlan(app);
  const add = plan.add.filter(({ domain }) => !isOwnDomain(app.config.site, domain));
  for (const planned of add.slice(0, SLICE)) await addOne(app, planned);
  for (const change of plan.change.slice(0, SLICE)) await unlessGone(changeOne(app, change));
  for (const block of plan.remove.slice(0, SLICE)) await unlessGone(removeOne(app, block));
  const isMore = [add, plan.change, plan.remove].some((list) => list.length > SLICE);
  if (isMore) await enqueueApply(app, app.sql);
};
