// Announcements to everybody on the server: publishing now or later, changing, removing.

import type { Field, Inline, Row } from "../../../web/src/served/part-pages.ts";
import { instantOf } from "../../platform/time.ts";
import { checkAll, faultOf } from "../../platform/errors.ts";
import { says } from "../../platform/text/texts.ts";
import {
  createAnnouncement,
  removeAnnouncement,
  shownOf,
  updateAnnouncement,
} from "../../domain/reading/announcements/announce.ts";
import type { AnnouncementInput } from "../../domain/reading/announcements/announce.ts";
import { everyAnnouncement } from "../../domain/reading/announcements/load.ts";
import type { AnnouncementRow } from "../../domain/reading/announcements/tables.ts";
import { lines, removal } from "./page-parts.ts";
import { carryOut, drawnWith, onEntry, pageWithForms } from "./forms.ts";
import { entered, sendAdmin } from "./frame.ts";
import type { Staff } from "./frame.ts";

const PATH = "/admin/announcements";
const ACTS = ["announcements.write"] as const;
const SHOWN = 100;

/** Formats a time in UTC for an input field. */
const local = (at: Date | null): string => at?.toISOString().slice(0, 16) ?? "";

const time = { type: "datetime-local", optional: true } as const;

const FIELDS: readonly Field[] = [
  lines("text", "staff.announcements.text", 10_000, { hint: "staff.announcements.text_hint" }),
  {
    pair: [
      { ...time, name: "starts", label: "staff.announcements.starts" },
      { ...time, name: "ends", label: "staff.announcements.ends" },
      { ...time, name: "publish", label: "staff.announcements.publish_at" },
    ],
  },
  { boxes: [{ name: "all_day", label: "staff.announcements.all_day" }] },
];

/** Says when the announced event begins and ends; whole days have no hour. */
const eventText = ({
  starts_at: start,
  ends_at: end,
  all_day: allDay,
}: AnnouncementRow): Inline => {
  const text = (at: Date): Inline => (allDay ? { day: at } : at);
  if (start && end)
    return { say: "staff.announcements.event", with: { from: text(start), to: text(end) } };
  if (start) return { say: "staff.announcements.event_from", with: { from: text(start) } };
  return end && { say: "staff.announcements.event_until", with: { to: text(end) } };
};

const rowOf = (context: Staff, row: AnnouncementRow): Row => {
  const now = context.app.clock.now();
  const { id, published_at: published, ends_at: end } = row;
  const path = `${PATH}/${id}`;
  return {
    title: row.text.slice(0, 500),
    lines: [
      eventText(row),
      [
        published
          ? { say: "staff.announcements.published", with: { time: published } }
          : [{ badge: "staff.announcements.planned" }, row.scheduled_at],
        end !== null && end < now && { badge: "staff.announcements.over" },
      ],
    ],
    acts: [removal(path, row.text.slice(0, 40))],
    edit: {
      ...drawnWith(context, `${path}/update`, shownOf(row)),
      fields: FIELDS,
      values: {
        text: row.text,
        starts: local(row.starts_at),
        ends: local(end),
        publish: published ? "" : local(row.scheduled_at),
        all_day: row.all_day,
      },
      of: id,
    },
  };
};

const show = async (context: Staff) => {
  const { app, t } = context;
  const rows = await everyAnnouncement(app);
  const title = "staff.announcements.write";
  const open = rows.length === 0;
  return sendAdmin(context, {
    parts: [
      { text: t("staff.announcements.about") },
      { add: { action: PATH, title, fields: FIELDS, of: "new", submit: "staff.publish", open } },
      {
        rows: rows.slice(0, SHOWN).map((row) => rowOf(context, row)),
        none: "staff.announcements.none",
      },
    ],
  });
};

const timeFrom = (context: Staff, field: "starts" | "ends" | "publish"): Date | null => {
  const { [field]: text } = entered(context);
  if (!text) return null;
  const at = instantOf(text);
  if (at === null) throw faultOf(field, says("staff.announcements.bad_time"));
  return at;
};

const inputFrom = (context: Staff): AnnouncementInput => {
  const { text = "", all_day: allDay } = entered(context);
  const [startsAt, endsAt, publishAt] = checkAll(
    () => timeFrom(context, "starts"),
    () => timeFrom(context, "ends"),
    () => timeFrom(context, "publish"),
  );
  return { text, startsAt, endsAt, publishAt, allDay: allDay === "1" };
};

export const announcementPages = pageWithForms({ path: PATH, read: ACTS, show }, [
  ["", "staff.announcements.added", carryOut(createAnnouncement, inputFrom)],
  ["/:id/update", "staff.announcements.saved", onEntry(updateAnnouncement, inputFrom)],
  ["/:id/delete", "staff.announcements.removed", onEntry(removeAnnouncement)],
]);
