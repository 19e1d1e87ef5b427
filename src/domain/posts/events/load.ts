// Loads the viewer's answers for views of calendar events.

import type { Db } from "../../../platform/db/index.ts";
import type { Page } from "../../../platform/db/paging.ts";
import { selectAnswerers, selectAnswers } from "./queries.ts";
import type { Answerer } from "./queries.ts";
import type { Answer } from "./tables.ts";

/** Maps status ids to the viewer's answers. */
export type Answers = Map<string, Answer>;

/** Takes one query for any number of events. */
export const loadAnswers = async (
  db: Db,
  viewerId: string,
  statusIds: string[],
): Promise<Answers> => {
  const rows = await selectAnswers(db, viewerId, statusIds);
  return new Map(rows.map(({ status_id, answer }) => [status_id, answer]));
};

export type { Answerer };

/** Returns a page of the accounts with this answer, the newest first. */
export const loadAnswerers = async (db: Db, statusId: string, answer: Answer, page: Page) => [
  ...(await selectAnswerers(db, statusId, answer, page)),
];
