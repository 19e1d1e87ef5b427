// Creates, changes and deletes filters, their keywords and their statuses.

import type { App } from "../../../platform/app.ts";
import type { Tx } from "../../../platform/db/index.ts";
import {
  checkAll,
  invalidFields,
  NotFound,
  Unprocessable,
  orNotFound,
  taken,
} from "../../../platform/errors.ts";
import { checkFilter, checkKeyword, checkKeywords } from "./check.ts";
import type { FilterDraft, KeywordDraft } from "./check.ts";
import { isOver, MAX_FILTERS } from "./limits.ts";
import {
  countFilters,
  deleteFilter,
  deleteFilterStatus,
  deleteKeywords,
  insertFilter,
  insertFilterStatus,
  insertKeywords,
  lockFilter,
  selectFilter,
  selectFilterOfPart,
  updateFilter,
  updateKeywords,
  selectFilters,
} from "./queries.ts";
import type { FilterRow } from "./tables.ts";
import { isoTime } from "../../../platform/ids/index.ts";
import { lockAccount } from "../../people/accounts/lock.ts";
import { tellOwn } from "../../people/accounts/own-stream.ts";
import { relationsChannel } from "../../people/relationships/changed.ts";

const missingKeywords = ({ keywords }: FilterRow, drafts: KeywordDraft[]): KeywordDraft[] => {
  const present = new Set(keywords.map(({ keyword }) => keyword));
  return drafts.filter(({ keyword }) => !present.has((keyword ?? "").trim()));
};

/** Adds a filter, or what is missing in that of the same title; returns its id. Throws 422 for an invalid one. */
export const keepFilter = async (
  app: App,
  accountId: string,
  draft: FilterDraft,
  keywords: KeywordDraft[],
  statusIds: string[],
): Promise<string> => {
  const { title } = checkFilter(app, draft);
  const find = async () =>
    (await selectFilters(app.sql, accountId)).find((filter) => filter.title === title);
  const before = await find();
  if (before) {
    await changeFilter(app, accountId, before, draft, missingKeywords(before, keywords));
  } else await addFilter(app, accountId, draft, keywords);
  const filter = (await find())!;
  const present = new Set(filter.statuses.map(({ status_id }) => status_id));
  for (const id of statusIds) {
    if (!present.has(id)) await addFilterStatus(app, accountId, filter, id);
  }
  return filter.id;
};

/** Throws when there are too many, which rolls the transaction back. */
const checkNumber = async (tx: Tx, accountId: string): Promise<void> => {
  await lockAccount(tx, accountId);
  const { filters, ...count } = await countFilters(tx, accountId);
  if (filters > MAX_FILTERS || isOver(count)) {
    throw new Unprocessable(
      "Validation failed: You have reached the maximum number of filters or keywords",
    );
  }
};

/** Returns one's own filter; throws NotFound for others. */
export const getFilter = async (app: App, accountId: string, id: string): Promise<FilterRow> =>
  orNotFound(await selectFilter(app.sql, accountId, id));

/** Locks the filter until the transaction ends, since values that are left out stay as they are. */
const getLocked = async (tx: Tx, accountId: string, id: string): Promise<FilterRow> =>
  orNotFound((await lockFilter(tx, accountId, id)) ? await selectFilter(tx, accountId, id) : null);

type Parts = "filter_keywords" | "filter_statuses";

/** Returns the filter of one's own keyword or filtered status; throws NotFound for others. */
export const getFilterOfPart = async (
  app: App,
  table: Parts,
  accountId: string,
  id: string,
): Promise<FilterRow> => orNotFound(await selectFilterOfPart(app.sql, table, accountId, id));

/** Returns the new filter's id. */
export const addFilter = async (
  app: App,
  accountId: string,
  draft: FilterDraft,
  keywords: KeywordDraft[],
): Promise<string> => {
  const [values, { added }] = checkAll(
    () => checkFilter(app, draft),
    () => checkKeywords(keywords, null),
  );
  const id = await app.sql.begin(async (tx) => {
    const filterId = await insertFilter(tx, accountId, values);
    await insertKeywords(tx, accountId, filterId, added);
    await checkNumber(tx, accountId);
    return filterId;
  });
  await filtersChanged(app, accountId);
  return id;
};

export const changeFilter = async (
  app: App,
  accountId: string,
  { id }: FilterRow,
  draft: FilterDraft,
  keywords: KeywordDraft[],
): Promise<void> => {
  await app.sql.begin(async (tx) => {
    const before = await getLocked(tx, accountId, id);
    const [values, { added, changed, removed }] = checkAll(
      () => checkFilter(app, draft, before),
      () => checkKeywords(keywords, before),
    );
    await updateFilter(tx, accountId, id, values);
    await deleteKeywords(tx, accountId, id, removed);
    await updateKeywords(tx, accountId, id, changed);
    await insertKeywords(tx, accountId, id, added);
    await checkNumber(tx, accountId);
  });
  await filtersChanged(app, accountId);
};

/** Throws NotFound unless it is one's own. */
export const removeFilter = async (app: App, accountId: string, id: string): Promise<void> => {
  if (!(await deleteFilter(app.sql, accountId, id))) throw new NotFound();
  await filtersChanged(app, accountId);
};

/** Returns the new keyword's id. */
export const addKeyword = async (
  app: App,
  accountId: string,
  filter: FilterRow,
  draft: KeywordDraft,
): Promise<string> => {
  const values = checkKeyword(draft);
  const id = await app.sql.begin(async (tx) => {
    const [keywordId] = await insertKeywords(tx, accountId, filter.id, [values]);
    await checkNumber(tx, accountId);
    return keywordId!;
  });
  await filtersChanged(app, accountId);
  return id;
};

export const changeKeyword = async (
  app: App,
  accountId: string,
  filter: FilterRow,
  id: string,
  draft: KeywordDraft,
): Promise<void> => {
  await app.sql.begin(async (tx) => {
    const { keywords } = await getLocked(tx, accountId, filter.id);
    const before = keywords.find((row) => row.id === id) ?? null;
    const values = { ...checkKeyword(draft, before), id };
    await updateKeywords(tx, accountId, filter.id, [values]);
    await checkNumber(tx, accountId);
  });
  await filtersChanged(app, accountId);
};

export const removeKeyword = async (
  app: App,
  accountId: string,
  filter: FilterRow,
  id: string,
): Promise<void> => {
  await deleteKeywords(app.sql, accountId, filter.id, [id]);
  await filtersChanged(app, accountId);
};

/** Returns the entry's id; throws 422 the second time. The caller has checked that the person may see the status. */
export const addFilterStatus = async (
  app: App,
  accountId: string,
  filter: FilterRow,
  statusId: string,
): Promise<string> => {
  const id = await insertFilterStatus(app.sql, accountId, filter.id, statusId);
  if (id === null) throw invalidFields([taken("status")]);
  await filtersChanged(app, accountId);
  return id;
};

export const removeFilterStatus = async (
  app: App,
  accountId: string,
  id: string,
): Promise<void> => {
  await deleteFilterStatus(app.sql, accountId, id);
  await filtersChanged(app, accountId);
};

/** Makes caches and streams read the filters again; must be called after the commit. */
const filtersChanged = async (app: App, accountId: string): Promise<void> => {
  await app.pubsub.publish(relationsChannel(accountId), { at: isoTime(app.clock.now()) });
  await tellOwn(app, accountId, "filters_changed");
};
