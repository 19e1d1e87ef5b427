// Stores a moderator's decision whether something may trend; throws NotFound for unknown subjects.

import type { App } from "../../../platform/app.ts";
import type { Db } from "../../../platform/db/index.ts";
import { orNotFound } from "../../../platform/errors.ts";
import { recorded } from "../../base/audit/recorded.ts";
import type { Actor } from "../../base/roles/permissions.ts";
import { changeTag } from "../../posts/tags/review.ts";
import type { TagChange } from "../../posts/tags/review.ts";
import { reviewLinkRow, reviewPublisherRow, reviewStatusRow, reviewTagRow } from "./queries.ts";
import type { Review } from "./queries.ts";

/** The commands below return the name of what was reviewed. */
const by =
  (write: (db: Db, review: Review) => Promise<string | null>) =>
  async (app: App, id: string, trendable: boolean, db: Db = app.sql): Promise<string> =>
    orNotFound(await write(db, { id, trendable, at: app.clock.now() }));

export const reviewTag = by(reviewTagRow);
/** Decides about one post, whatever the decision about its author. */
export const reviewStatus = by(reviewStatusRow);
/** Decides about one URL, whatever the decision about its site. */
export const reviewLink = by(reviewLinkRow);
/** Decides about all links to one site. */
export const reviewPublisher = by(reviewPublisherRow);

const SUBJECTS = {
  tag: reviewTag,
  status: reviewStatus,
  link: reviewLink,
  publisher: reviewPublisher,
};

export type Subject = keyof typeof SUBJECTS;

export const reviewAs = (
  app: App,
  actor: Actor,
  type: Subject,
  { id, trendable }: { id: string; trendable: boolean },
): Promise<void> =>
  recorded(app, actor, "trends.review", async (tx) => {
    const label = await SUBJECTS[type](app, id, trendable, tx);
    const action = trendable ? "trend.approve" : "trend.reject";
    return { entry: { action, target: { type, id, label } } };
  });

export const changeTagAs = (app: App, actor: Actor, id: string, change: TagChange): Promise<void> =>
  recorded(app, actor, "tags.write", async (tx) => {
    const label = await changeTag(app, tx, id, change);
    const { listable, trendable, usable } = change;
    const details = { listable, trendable, usable };
    return { entry: { action: "tag.update", target: { type: "tag", id, label }, details } };
  });
