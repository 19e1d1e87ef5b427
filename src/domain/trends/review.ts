// A moderator's decision whether something may trend; NotFound for unknown subjects.

import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/db/index.ts";
import { NotFound } from "../../platform/errors.ts";
import {
  reviewAccountRow,
  reviewLinkRow,
  reviewPublisherRow,
  reviewStatusRow,
  reviewTagRow,
} from "./queries.ts";
import type { Review } from "./queries.ts";

const by =
  (write: (db: Db, review: Review) => Promise<boolean>) =>
  async (app: App, id: string, trendable: boolean, db: Db = app.sql): Promise<void> => {
    if (!(await write(db, { id, trendable, at: app.clock.now() }))) throw new NotFound();
  };

export const reviewTag = by(reviewTagRow);
/** All posts of an account. */
export const reviewAccount = by(reviewAccountRow);
/** One post, whatever the decision about its author. */
export const reviewStatus = by(reviewStatusRow);
/** One URL, whatever the decision about its site. */
export const reviewLink = by(reviewLinkRow);
/** All links to one site. */
export const reviewPublisher = by(reviewPublisherRow);
