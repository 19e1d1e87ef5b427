// Announcements to everybody on the server: publishing now or later, changing, removing.

import { instantOf } from "../../platform/time.ts";
import type { App } from "../../platform/app.ts";
import { Unprocessable } from "../../platform/errors.ts";
import type { Server } from "../../platform/http/server.ts";
import { html } from "../../platform/text/html.ts";
import type { Html, HtmlValue } from "../../platform/text/html.ts";
import { says, sentence } from "../../platform/text/texts.ts";
import type { Say } from "../../platform/text/texts.ts";
import {
  createAnnouncement,
  removeAnnouncement,
  updateAnnouncement,
} from "../../domain/reading/announcements/announce.ts";
import type { AnnouncementInput } from "../../domain/reading/announcements/announce.ts";
import { everyAnnouncement } from "../../domain/reading/announcements/load.ts";
import type { AnnouncementRow } from "../../domain/reading/announcements/tables.ts";
import { inputField } from "../../domain/people/users/pages/components.ts";
import { dayText, whenText } from "../../domain/people/users/pages/when.ts";
import { formsOf } from "./forms.ts";
import { button, editPart, entered, enteredAt, form, idOf, sendAdmin, staffPage } from "./frame.ts";
import type { Staff } from "./frame.ts";
import { addPart, badge, checkbox, empty } from "./components.ts";

const PATH = "/admin/announcements";
const ACTS = ["announcements.write"] as const;
const SHOWN = 100;

const DONE = {
  added: "staff.announcements.added",
  saved: "staff.announcements.saved",
  removed: "staff.announcements.removed",
} as const;

/** Formats a time in UTC for an input field. */
const local = (at: Date | null): string => at?.toISOString().slice(0, 16) ?? "";

const time = (name: string, label: string, value: string, id: string): Html =>
  html`<div class="field">
    <label for="${id}">${label}</label>
    <input type="datetime-local" id="${id}" name="${name}" value="${value}" />
  </div>`;

type Shown = { text: string; starts: string; ends: string; publish: string; allDay: boolean };

const fields = ({ text, starts, ends, publish, allDay }: Shown, t: Say, of = "new"): Html =>
  html`${inputField({
      name: "text",
      id: `text-${of}`,
      label: t("staff.announcements.text"),
      type: "textarea",
      value: text,
      maxlength: 10_000,
      hint: t("staff.announcements.text_hint"),
    })}
    <div class="pair">
      ${time("starts", t("staff.announcements.starts"), starts, `starts-${of}`)}
      ${time("ends", t("staff.announcements.ends"), ends, `ends-${of}`)}
      ${time("publish", t("staff.announcements.publish_at"), publish, `publish-${of}`)}
    </div>
    <div class="choices">
      ${checkbox("all_day", t("staff.announcements.all_day"), allDay, `all-day-${of}`)}
    </div>`;

const shownOf = (row: AnnouncementRow): Shown => ({
  text: row.text,
  starts: local(row.starts_at),
  ends: local(row.ends_at),
  publish: row.published_at === null ? local(row.scheduled_at) : "",
  allDay: row.all_day,
});

/** Formats when the announced event begins and ends; whole days have no hour. */
const eventText = ({ t, language }: Staff, row: AnnouncementRow): HtmlValue => {
  const { starts_at: start, ends_at: end, all_day: allDay } = row;
  const text = (at: Date) =>
    allDay ? dayText(at.toISOString().slice(0, 10), language) : whenText(at, language);
  if (start && end) {
    return sentence(t, "staff.announcements.event", { from: text(start), to: text(end) });
  }
  if (start) return sentence(t, "staff.announcements.event_from", { from: text(start) });
  return end && sentence(t, "staff.announcements.event_until", { to: text(end) });
};

const item = (context: Staff, row: AnnouncementRow): Html => {
  const path = `${PATH}/${row.id}`;
  const of = row.text.slice(0, 40);
  const { t, language } = context;
  const isOver = row.ends_at !== null && row.ends_at < context.app.clock.now();
  return html`<li>
    <div class="what">
      <strong>${row.text.slice(0, 500)}</strong>
      <span>${eventText(context, row)}</span>
      <span>
        ${row.published_at ? sentence(t, "staff.announcements.published", { time: whenText(row.published_at, language) }) : html`${badge(t("staff.announcements.planned"))} ${row.scheduled_at && whenText(row.scheduled_at, language)}`}
        ${isOver && badge(t("staff.announcements.over"))}
      </span>
    </div>
    <div class="buttons">
      ${button(context, { action: `${path}/delete`, label: t("staff.remove"), of, kind: "bad" })}
    </div>
    ${editPart(context, `${path}/update`, fields(shownOf(row), t, row.id))}
  </li>`;
};

const show = async (context: Staff, problem?: string) => {
  const { t } = context;
  const rows = await everyAnnouncement(context.app);
  const draft = enteredAt(context, PATH);
  const shown = {
    text: draft["text"] ?? "",
    starts: draft["starts"] ?? "",
    ends: draft["ends"] ?? "",
    publish: draft["publish"] ?? "",
    allDay: draft["all_day"] === "1",
  };
  return sendAdmin(context, {
    title: t("staff.section.announcements"),
    problem,
    done: DONE,
    body: html`<p>${t("staff.announcements.about")}</p>
      ${addPart(
        t("staff.announcements.write"),
        problem !== undefined || rows.length === 0,
        form(
          context,
          PATH,
          html`${fields(shown, t)} <button class="button inline">${t("staff.publish")}</button>`,
        ),
      )}
      ${
        rows.length === 0
          ? empty(t("staff.announcements.none"))
          : html`<ul class="rows">
              ${rows.slice(0, SHOWN).map((row) => item(context, row))}
            </ul>`
      }`,
  });
};

const timeFrom = (text: string | undefined): Date | null => {
  if (!text) return null;
  const at = instantOf(text);
  if (at === null) throw new Unprocessable(says("staff.announcements.bad_time"));
  return at;
};

const inputFrom = (context: Staff): AnnouncementInput => {
  const fields = entered(context);
  return {
    text: fields["text"] ?? "",
    startsAt: timeFrom(fields["starts"]),
    endsAt: timeFrom(fields["ends"]),
    publishAt: timeFrom(fields["publish"]),
    allDay: fields["all_day"] === "1",
  };
};

export const announcementPages = (pages: Server, app: App): void => {
  const take = formsOf(pages, app, PATH, ACTS, show);
  pages.get(PATH, staffPage(app, ACTS, show));
  take(PATH, "added", (context) => createAnnouncement(app, context.actor, inputFrom(context)));
  take(`${PATH}/:id/update`, "saved", (context) =>
    updateAnnouncement(app, context.actor, idOf(context), inputFrom(context)),
  );
  take(`${PATH}/:id/delete`, "removed", (context) =>
    removeAnnouncement(app, context.actor, idOf(context)),
  );
};
