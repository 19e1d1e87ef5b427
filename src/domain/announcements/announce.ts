// Making and removing announcements: what administrators do.

import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/db/index.ts";
import { parseId } from "../../platform/db/paging.ts";
import { NotFound, Unprocessable } from "../../platform/errors.ts";
import "./events.ts";
import { deleteAnnouncement, insertAnnouncement } from "./queries.ts";

export type AnnouncementInput = {
  /** Plain text with links, handles, tags and emojis. */
  text: string;
  startsAt?: Date | null;
  endsAt?: Date | null;
  allDay?: boolean;
  /** When it is published; not given: now. */
  publishAt?: Date | null;
};

const DAY_MS = 86_400_000;

const check = ({ text, startsAt, endsAt, allDay }: AnnouncementInput): void => {
  if (text.trim() === "") throw new Unprocessable("An announcement cannot be empty.");
  if (startsAt && endsAt && endsAt < startsAt) {
    throw new Unprocessable("An announcement cannot end before it starts.");
  }
  if (allDay && !startsAt) throw new Unprocessable("An all-day announcement needs a start date.");
};

/** Looks at it again when its time comes and when it is over. */
const planChanges = async (app: App, db: Db, id: string, input: AnnouncementInput) => {
  const { publishAt, endsAt, allDay } = input;
  await app.jobs.add(db, "announcement.changed", { id }, publishAt ? { runAt: publishAt } : {});
  if (!endsAt) return;
  const over = new Date(endsAt.getTime() + (allDay ? DAY_MS : 0));
  await app.jobs.add(db, "announcement.changed", { id }, { runAt: over });
};

/** Gives the id; open streams are told when it is published. */
export const createAnnouncement = (app: App, input: AnnouncementInput): Promise<string> => {
  check(input);
  const now = app.clock.now();
  const { text, startsAt = null, endsAt = null, allDay = false, publishAt = null } = input;
  const isLater = publishAt !== null && publishAt > now;
  return app.sql.begin(async (tx) => {
    const row = {
      text: text.trim(),
      starts_at: startsAt,
      ends_at: endsAt,
      all_day: allDay,
      scheduled_at: publishAt,
      published_at: isLater ? null : now,
    };
    const id = await insertAnnouncement(tx, row, now);
    await planChanges(app, tx, id, { ...input, publishAt: isLater ? publishAt : null });
    return id;
  });
};

/** NotFound when there is none. */
export const removeAnnouncement = async (app: App, given: string): Promise<void> => {
  const id = parseId(given);
  await app.sql.begin(async (tx) => {
    if (id === null || !(await deleteAnnouncement(tx, id))) {
      throw new NotFound(`There is no announcement ${given}.`);
    }
    await app.jobs.add(tx, "announcement.changed", { id });
  });
};
