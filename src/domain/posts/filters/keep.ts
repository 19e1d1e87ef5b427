// Imports a filter: adds a new one, or what is missing in the person's filter of the same title.

import type { App } from "../../../platform/app.ts";
import type { FilterDraft, KeywordDraft } from "./check.ts";
import { checkFilter } from "./check.ts";
import { selectFilters } from "./queries.ts";
import type { FilterRow } from "./tables.ts";
import { addFilter, addFilterStatus, changeFilter } from "./write.ts";

const missingKeywords = ({ keywords }: FilterRow, drafts: KeywordDraft[]): KeywordDraft[] => {
  const present = new Set(keywords.map(({ keyword }) => keyword));
  return drafts.filter(({ keyword }) => !present.has((keyword ?? "").trim()));
};

/** Returns the filter's id; throws 422 for an invalid filter. */
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
