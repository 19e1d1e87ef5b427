// Lets moderators subscribe to lists after a preview of the changes, change, synchronise and unsubscribe them.

import type { VerbOf } from "../../base/audit/actions.ts";
import type { App } from "../../../platform/app.ts";
import { lockNamed } from "../../../platform/db/lock-named.ts";
import { requireAsDrawn } from "../../../platform/drawn.ts";
import { isUniqueViolation } from "../../../platform/db/index.ts";
import { parseId } from "../../../platform/ids/index.ts";
import {
  NotFound,
  Unprocessable,
  blank,
  checkAll,
  faultOf,
  invalidField,
  invalidFields,
  orNotFound,
  taken,
  tooLong,
} from "../../../platform/errors.ts";
import { says } from "../../../platform/text/texts.ts";
import { FetchFailed, FetchRefused } from "../../../platform/fetch/errors.ts";
import { httpUrl } from "../../../platform/json/read.ts";
import { audit } from "../../base/audit/audit.ts";
import { readDomain } from "../../base/blocklists/domains.ts";
import { DOMAIN_SEVERITIES } from "../../base/blocklists/tables.ts";
import { requireMay } from "../../base/roles/acts.ts";
import type { Actor } from "../../base/roles/permissions.ts";
import type { ListPlan } from "./plan.ts";
import {
  deleteException,
  deleteList,
  insertException,
  insertList,
  selectChanges,
  selectExceptions,
  selectList,
  selectLists,
  lockList,
  updateList,
  updateRetract,
  updateSeverities,
} from "./queries.ts";
import { currentPlan, enqueueApply, readList } from "./sync.ts";
import type { ChangeRow, DomainListRow, Mapped, Severities } from "./tables.ts";

const MAX_LISTS = 20;
const MAX_EXCEPTIONS = 10_000;

export const MAPPED = [...DOMAIN_SEVERITIES, "skip"] as const;
const DEFAULT: Severities = { suspend: "suspend", silence: "silence", noop: "skip" };

export type ListInput = {
  url?: string | undefined;
  title?: string | undefined;
  severities?: Partial<Record<string, string>> | undefined;
  retract?: boolean | undefined;
};

const checkUrl = (text = ""): string => {
  const url = httpUrl(text.trim());
  if (url === null || url.length > 2000) throw invalidField("url", "is not a web address");
  return url;
};

const MAX_TITLE = 200;

const checkTitle = (text: string): string => {
  const title = text.trim();
  if (title === "") throw invalidFields([blank("title")]);
  if (title.length <= MAX_TITLE) return title;
  throw invalidFields([tooLong("title", MAX_TITLE)]);
};

const checkSeverities = (input: ListInput["severities"], before: Severities): Severities => {
  const severities = { ...before };
  for (const [name, value] of Object.entries(input ?? {})) {
    const from = DOMAIN_SEVERITIES.find((severity) => severity === name);
    const to = MAPPED.find((mapped) => mapped === value);
    if (!from || !to)
      throw invalidField(
        "severities",
        `can be ${MAPPED.join(", ")} for each of ${DOMAIN_SEVERITIES.join(", ")}`,
      );
    severities[from] = to satisfies Mapped;
  }
  return severities;
};

const READ = "domain_blocks.read";
const WRITE = "domain_blocks.write";

export const listDomainLists = async (app: App, actor: Actor): Promise<DomainListRow[]> => {
  requireMay(actor, READ);
  return [...(await selectLists(app.sql))];
};

/** Throws NotFound for an unknown one. */
export const getDomainList = async (
  app: App,
  actor: Actor,
  rawId: string,
): Promise<DomainListRow> => {
  requireMay(actor, READ);
  const id = parseId(rawId);
  return orNotFound(id === null ? null : await selectList(app.sql, id));
};

const newRow = (app: App, input: ListInput): DomainListRow => {
  const [url, title, severities] = checkAll(
    () => checkUrl(input.url),
    () => (input.title ? checkTitle(input.title) : null),
    () => checkSeverities(input.severities, DEFAULT),
  );
  const now = app.clock.now();
  return {
    id: "0",
    url,
    title: title ?? new URL(url).host.slice(0, MAX_TITLE),
    severities,
    retract: input.retract ?? true,
    etag: null,
    entries: 0,
    fault: null,
    fetched_at: null,
    due_at: now,
    created_at: now,
  };
};

const explained = (error: unknown): never => {
  if (error instanceof FetchFailed || error instanceof FetchRefused) {
    throw faultOf("url", says("network.refused.list_unread", { why: error.message }));
  }
  throw error;
};

/** Reads the list and returns what a subscription would change; stores nothing. Throws 422 where it cannot be read. */
export const previewDomainList = async (
  app: App,
  actor: Actor,
  input: ListInput,
): Promise<ListPlan> => {
  requireMay(actor, WRITE);
  const list = newRow(app, input);
  const read = (await readList(app, list.url).catch(explained))!;
  const entries = read.entries.map((entry) => ({ ...entry, list_id: list.id }));
  return currentPlan(app, app.sql, { list, entries });
};

const log = (
  app: App,
  db: Parameters<typeof audit>[1],
  actor: Actor,
  verb: VerbOf<"domain_list">,
  row: { id: string; title: string },
) =>
  audit(app, db, actor, {
    action: `domain_list.${verb}` as const,
    target: { type: "domain_list", id: row.id, label: row.title },
    details: {},
  });

/** Stores the list; a job applies it. Returns the id; throws 422 for an existing one, or where it cannot be read. */
export const addDomainList = async (app: App, actor: Actor, input: ListInput): Promise<string> => {
  await previewDomainList(app, actor, input);
  const { url, title, severities, retract, due_at, created_at } = newRow(app, input);
  try {
    return await app.sql.begin(async (tx) => {
      await lockNamed(tx, "domain_lists");
      if ((await selectLists(tx)).length >= MAX_LISTS) {
        throw new Unprocessable(says("network.refused.lists", { count: MAX_LISTS }));
      }
      const id = await insertList(tx, { url, title, severities, retract, due_at, created_at });
      await log(app, tx, actor, "create", { id, title });
      await app.jobs.add(tx, "domain_list.fetch", { id }, { key: `domain_list:${id}` });
      return id;
    });
  } catch (error) {
    throw isUniqueViolation(error) ? invalidFields([taken("url")]) : error;
  }
};

/** `mark`: that of the form (platform/drawn.ts). */
export const changeDomainList = async (
  app: App,
  actor: Actor,
  id: string,
  input: Omit<ListInput, "url">,
  mark?: string,
): Promise<void> => {
  requireMay(actor, WRITE);
  const { title, retract, severities } = input;
  const change = {
    ...(title !== undefined && { title: checkTitle(title) }),
    ...(retract !== undefined && { retract }),
  };
  await app.sql.begin(async (tx) => {
    const list = orNotFound(await lockList(tx, id));
    const mapped = checkSeverities(severities, list.severities);
    const now = { title: list.title, retract: list.retract, severities: list.severities };
    requireAsDrawn(now, mark, { ...change, severities: mapped });
    if (Object.keys(change).length > 0) await updateList(tx, list.id, change);
    if (retract !== undefined) await updateRetract(tx, list.id, retract);
    if (severities) await updateSeverities(tx, list.id, mapped);
    await log(app, tx, actor, "update", list);
    await enqueueApply(app, tx);
  });
};

/** Reads it now, also where it became suspiciously short. */
export const syncDomainList = (app: App, actor: Actor, { id }: DomainListRow): Promise<void> => {
  requireMay(actor, WRITE);
  return app.jobs.add(
    app.sql,
    "domain_list.fetch",
    { id, force: true },
    { key: `domain_list:${id}` },
  );
};

/** Ends its blocks that no other list has, unless the list does not retract. */
export const removeDomainList = (app: App, actor: Actor, list: DomainListRow): Promise<void> => {
  requireMay(actor, WRITE);
  return app.sql.begin(async (tx) => {
    await deleteList(tx, list.id);
    await log(app, tx, actor, "delete", list);
    await enqueueApply(app, tx);
  });
};

export const listExceptions = (app: App, actor: Actor): Promise<string[]> => {
  requireMay(actor, READ);
  return selectExceptions(app.sql);
};

const domainFrom = (text: string): string => {
  const domain = readDomain(text);
  if (domain === null) throw invalidField("domain", "is not a valid domain name");
  return domain;
};

/** Excepts a domain: no list blocks it any more, nor a domain above it. */
export const addException = async (app: App, actor: Actor, text: string): Promise<void> => {
  requireMay(actor, WRITE);
  const domain = domainFrom(text);
  await app.sql.begin(async (tx) => {
    await lockNamed(tx, "domain_list_exceptions");
    if ((await selectExceptions(tx)).length >= MAX_EXCEPTIONS) {
      throw new Unprocessable(says("network.refused.exceptions", { count: MAX_EXCEPTIONS }));
    }
    await insertException(tx, domain, app.clock.now());
    await log(app, tx, actor, "except", { id: "0", title: domain });
    await enqueueApply(app, tx);
  });
};

/** Throws NotFound where it is no exception. */
export const removeException = async (app: App, actor: Actor, text: string): Promise<void> => {
  requireMay(actor, WRITE);
  const domain = domainFrom(text);
  await app.sql.begin(async (tx) => {
    if (!(await deleteException(tx, domain))) throw new NotFound();
    await log(app, tx, actor, "unexcept", { id: "0", title: domain });
    await enqueueApply(app, tx);
  });
};

/** Returns what the lists changed since then, newest first. */
export const listChanges = async (app: App, actor: Actor, since: Date): Promise<ChangeRow[]> => {
  requireMay(actor, READ);
  return [...(await selectChanges(app.sql, since, 1000))];
};
