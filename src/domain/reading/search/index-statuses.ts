// Indexes statuses for search: chooses them and their words. The flows that follow from a status call it for many at
// once.

import type { App } from "../../../platform/app.ts";
import { decodeEscapes, tokenise } from "../../../platform/text/tidy.ts";
import { inTurns } from "../../../platform/event-loop-turns.ts";
import { linksOf } from "../../posts/statuses/links.ts";
import { loadAsServer } from "../../posts/statuses/load.ts";
import { openlyAddressed } from "../../posts/statuses/rules.ts";
import type { StatusView } from "../../posts/statuses/tables.ts";
import { listedPublicly } from "../../posts/statuses/visibility.ts";
import {
  advanceBacklog,
  insertBacklog,
  selectBacklog,
  selectNotSearchable,
  updateSearchable,
  upsertSearchable,
} from "./queries.ts";
import type { Searchable } from "./queries.ts";
import { linkMarks } from "./link-marks.ts";
import { stemmable, stemmerOf, vectorText, wordsOf } from "./words.ts";
import type { Word } from "./words.ts";

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** Index older posts of accounts that have just become indexable. */
    "search.catch_up": Record<string, never>;
  }
}

/** Positions left between parts, so that phrases do not match across them. */
const GAP = 10;

/** Elements that do not separate words. */
const INLINE = new Set(["span", "a", "b", "strong", "i", "em", "u", "del"]);

/** Reads HTML that was sanitised when it was stored: doing so again takes ten times as long. */
const textOf = (content: string): string =>
  tokenise(content)
    .map(({ tag, text }) => (tag === null ? decodeEscapes(text) : INLINE.has(tag) ? "" : " "))
    .join("");

const textsOf = (view: StatusView): string[] => [
  view.spoiler_text,
  textOf(view.content),
  ...(view.poll?.options ?? []),
  ...(view.event ? [view.event.name, view.event.place ?? ""] : []),
  ...view.media.map((attachment) => attachment.description ?? ""),
  ...view.tags.map((tag) => tag.name),
];

const words = (texts: string[]): Word[] => {
  const all: Word[] = [];
  for (const text of texts) all.push(...wordsOf(text, (all.at(-1)?.at ?? -GAP) + GAP + 1));
  return all;
};

/** Returns whether everybody may find the status: a public post of an indexable account. */
export const isOpen = (view: StatusView): boolean => listedPublicly(view) && view.account.indexable;

/**
 * Marks who finds it (=for) and to whom it is addressed (=to); silent members of a circle find it, but `to:` does not
 * reveal them.
 */
const marksOf = (view: StatusView): string[] => {
  const named = new Set(openlyAddressed(view).map(({ id }) => id));
  const links = linksOf(view.content);
  const media = new Set<string>(view.media.map(({ type }) => (type === "gifv" ? "video" : type)));
  return [
    ...(isOpen(view) ? ["=open"] : []),
    `=from:${view.account_id}`,
    ...view.mentions.map(({ id }) => `${named.has(id) ? "=to" : "=for"}:${id}`),
    ...(view.language ? [`=lang:${view.language.toLowerCase()}`] : []),
    ...(view.media.length > 0 ? ["=has:media"] : []),
    ...["image", "video", "audio"].filter((type) => media.has(type)).map((type) => `=has:${type}`),
    ...(view.poll ? ["=has:poll"] : []),
    ...(view.event ? ["=has:event"] : []),
    ...(links.length > 0 ? ["=has:link", ...linkMarks(links)] : []),
    ...(view.in_reply_to_id ? ["=is:reply"] : []),
    ...(view.quote ? ["=is:quote"] : []),
    ...(view.sensitive ? ["=is:sensitive"] : []),
  ];
};

const searchable = (view: StatusView): Searchable => {
  const texts = textsOf(view);
  const stemmer = stemmerOf(view.language);
  return {
    statusId: view.id,
    open: isOpen(view),
    words: vectorText(words(texts), marksOf(view)),
    stemmer,
    plain: stemmer === null ? [] : stemmable(texts),
  };
};

/** Handles hundreds of posts, which may be long, in several turns of the event loop. */
const searchables = (views: StatusView[]): Promise<Searchable[]> =>
  inTurns(views, ({ content }) => content.length, searchable);

/** Returns whether anybody could find the status: its author, the mentioned, or everybody. */
const isFindable = (view: StatusView): boolean =>
  view.reblog_of_id === null &&
  (view.local || isOpen(view) || view.mentions.some((mention) => mention.domain === null));

/** Indexes those of new statuses that somebody may find, with one statement, or none for none. */
export const indexStatuses = async (app: App, views: StatusView[]): Promise<void> => {
  const rows = await searchables(views.filter(isFindable));
  if (rows.length > 0) await upsertSearchable(app.sql, rows);
};

/** Indexes a changed status; also where it is indexed only because somebody favourited or bookmarked it. */
export const reindexStatus = async (app: App, view: StatusView): Promise<void> => {
  if (isFindable(view)) await upsertSearchable(app.sql, [searchable(view)]);
  else if (view.reblog_of_id === null) await updateSearchable(app.sql, searchable(view));
};

/** Indexes statuses that local accounts favourited or bookmarked, who may find them from now on. */
export const indexMarked = async (app: App, statusIds: string[]): Promise<void> => {
  const missing = await selectNotSearchable(app.sql, [...new Set(statusIds)]);
  if (missing.length === 0) return;
  const views = await loadAsServer(app, missing);
  const rows = await searchables(views.filter((view) => view.reblog_of_id === null));
  if (rows.length > 0) await upsertSearchable(app.sql, rows);
};

/** Statuses of one step, when an account becomes indexable. */
const STEP = 500;

/**
 * Indexes one step of older posts of accounts that have just become indexable; returns true when there is more to do.
 */
export const catchUp = async (app: App): Promise<boolean> => {
  const todo = await selectBacklog(app.sql, STEP);
  if (!todo) return false;
  await indexStatuses(app, await loadAsServer(app, todo.ids));
  const last = todo.ids.length < STEP ? null : todo.ids.at(-1)!;
  await advanceBacklog(app.sql, todo.accountId, last);
  return true;
};

/** Enqueues everything that is not indexed; returns the number of accounts. */
export const queueAll = ({ sql }: App): Promise<number> => insertBacklog(sql, false);

/** Enqueues also the posts of all local people, who find their own posts, where the index is empty. */
export const queueEverybody = ({ sql }: App): Promise<number> => insertBacklog(sql, true);

/** Handles the job `search.catch_up`, and enqueues it again as long as there is more. */
export const onCatchUpDue = async (app: App): Promise<void> => {
  if (await catchUp(app))
    await app.jobs.add(app.sql, "search.catch_up", {}, { key: "search.catch_up" });
};
