// Event rows → views: with the viewer's answer.

import type { Db } from "../../../platform/db/index.ts";
import type { Page } from "../../../platform/db/paging.ts";
import { selectAnswerers, selectAnswers } from "./queries.ts";
import type { Answerer } from "./queries.ts";
import type { Answer } from "./tables.ts";

/** Status id → the viewer's answer. */
export type Answers = Map<string, Answer>;

/** One query, however many events. */
export const loadAnswers = async (
  db: Db,
  viewerId: string,
  statusIds: string[],
): Promise<Answers> => {
  const rows = await selectAnswers(db, viewerId, statusIds);
  return new Map(rows.map(({ status_id, answer }) => [status_id, answer]));
};

export type { Answerer };

/** A page of the accounts that answered so, the newest answer first. */
export const loadAnswerers = async (
  db: Db,
  statusId: string,
  answer: Answer,
  page: Page,
): Promise<Answerer[]> => [...(await selectAnswerers(db, statusId, answer, page))];
