// Creates, publishes and removes announcements.

import type { VerbOf } from "../../base/audit/actions.ts";
import type { App } from "../../../platform/app.ts";
import type { Db } from "../../../platform/db/index.ts";
import { parseId } from "../../../platform/ids/index.ts";
import { requireAsDrawn } from "../../../platform/drawn.ts";
import { NotFound, checkAll, faultIf, faultOf } from "../../../platform/errors.ts";
import { says } from "../../../platform/text/texts.ts";
import type { JobHandler } from "../../../platform/jobs/table.ts";
import { recorded } from "../../base/audit/recorded.ts";
import type { Actor } from "../../base/roles/permissions.ts";
import {
  changeAnnouncement,
  deleteAnnouncement,
  insertAnnouncement,
  lockAnnouncement,
  publishDue,
  selectCurrentOne,
} from "./queries.ts";
import type { AnnouncementRow } from "./tables.ts";
import { publishToAll } from "../timelines/streams.ts";
import { viewAnnouncement } from "./load.ts";
import { announcementEntity } from "./present.ts";

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** An announcement was created, begins or ends: open streams get an event. */
    "announcement.changed": { id: string };
  }
}

export type AnnouncementInput = {
  /** Plain text with links, handles, tags and emojis. */
  text: string;
  startsAt?: Date | null;
  endsAt?: Date | null;
  allDay?: boolean;
  /** When it is published; by default now. */
  publishAt?: Date | null;
};

const DAY_MS = 86_400_000;
const MAX_TEXT = 10_000;

const check = (input: AnnouncementInput, now: Date): void => {
  const { text, startsAt, endsAt, allDay, publishAt } = input;
  const isReversed = Boolean(startsAt && endsAt && endsAt < startsAt);
  const isPast = Boolean(publishAt && publishAt < now);
  checkAll(
    faultIf(text.trim() === "", "text", says("staff.announcements.empty")),
    faultIf(text.length > MAX_TEXT, "text", says("staff.announcements.long", { count: MAX_TEXT })),
    faultIf(isReversed, "ends", says("staff.announcements.order")),
    faultIf(isPast, "publish", says("staff.announcements.past")),
    faultIf(Boolean(allDay && !startsAt), "starts", says("staff.announcements.no_start")),
  );
};

/** Returns when the event is over; one of whole days at the end of the last. */
const endOf = ({ endsAt, allDay }: AnnouncementInput): Date | null =>
  endsAt ? new Date(endsAt.getTime() + (allDay ? DAY_MS : 0)) : null;

/** Enqueues the jobs at its start and at its end. */
const planChanges = async (app: App, db: Db, id: string, input: AnnouncementInput) => {
  const { publishAt } = input;
  await app.jobs.add(db, "announcement.changed", { id }, publishAt ? { runAt: publishAt } : {});
  const over = endOf(input);
  if (over) await app.jobs.add(db, "announcement.changed", { id }, { runAt: over });
};

const columnsOf = (app: App, input: AnnouncementInput) => {
  const { text, startsAt = null, endsAt = null, allDay = false, publishAt = null } = input;
  const isLater = publishAt !== null && publishAt > app.clock.now();
  return {
    row: {
      text: text.trim(),
      starts_at: startsAt,
      ends_at: endsAt,
      all_day: allDay,
      scheduled_at: publishAt,
    },
    isLater,
    planned: { ...input, publishAt: isLater ? publishAt : null },
  };
};

const entry = (verb: VerbOf<"announcement">, id: string, text: string) => ({
  action: `announcement.${verb}` as const,
  target: { type: "announcement", id, label: text.trim().slice(0, 100) },
});

/** Announces within the transaction of another act, which is in the audit log. */
export const announce = async (app: App, tx: Db, text: string): Promise<void> => {
  const input = { text };
  const now = app.clock.now();
  check(input, now);
  const { row, planned } = columnsOf(app, input);
  const id = await insertAnnouncement(tx, { ...row, published_at: now }, now);
  await planChanges(app, tx, id, planned);
};

/** Returns the id; open streams get it when it is published. */
export const createAnnouncement = (
  app: App,
  actor: Actor,
  input: AnnouncementInput,
): Promise<string> => {
  const now = app.clock.now();
  check(input, now);
  const over = endOf(input);
  if (over && over < now) throw faultOf("ends", says("staff.announcements.ended"));
  const { row, isLater, planned } = columnsOf(app, input);
  return recorded(app, actor, "announcements.write", async (tx) => {
    const id = await insertAnnouncement(tx, { ...row, published_at: isLater ? null : now }, now);
    await planChanges(app, tx, id, planned);
    return { result: id, entry: entry("create", id, input.text) };
  });
};

const missing = (id: string) => new NotFound(`There is no announcement ${id}.`);

/** Returns what the form of an announcement shows. */
export const shownOf = (row: AnnouncementRow) => ({ ...row, published_at: null, updated_at: null });

/** Leaves a published one published; throws NotFound when there is none. `mark`: that of the form. */
export const updateAnnouncement = async (
  app: App,
  actor: Actor,
  rawId: string,
  input: AnnouncementInput,
  mark?: string,
): Promise<void> => {
  check(input, app.clock.now());
  const id = parseId(rawId);
  const { row, planned } = columnsOf(app, input);
  await recorded(app, actor, "announcements.write", async (tx) => {
    const before = id && (await lockAnnouncement(tx, id));
    if (!before) throw missing(rawId);
    requireAsDrawn(shownOf(before), mark, row);
    await changeAnnouncement(tx, before.id, row, app.clock.now());
    await planChanges(app, tx, before.id, planned);
    return { entry: entry("update", before.id, input.text) };
  });
};

/** Throws NotFound when there is none. */
export const removeAnnouncement = async (app: App, actor: Actor, rawId: string): Promise<void> => {
  const id = parseId(rawId);
  await recorded(app, actor, "announcements.write", async (tx) => {
    const text = id === null ? null : await deleteAnnouncement(tx, id);
    if (id === null || text === null) throw missing(rawId);
    await app.jobs.add(tx, "announcement.changed", { id });
    return { entry: entry("delete", id, text) };
  });
};

/** Publishes announcements that are due, and sends the current state to every open stream. */
export const onAnnouncementChanged: JobHandler<"announcement.changed"> = async (app, { id }) => {
  const now = app.clock.now();
  await publishDue(app.sql, id, now);
  const row = await selectCurrentOne(app.sql, id, now);
  if (!row) return publishToAll(app, { event: "announcement.delete", payload: id });
  const entity = announcementEntity(await viewAnnouncement(app, row), app.config.site);
  await publishToAll(app, { event: "announcement", payload: JSON.stringify(entity) });
};
