// Draws the notes of moderators about an account: a part of its page, and of those of reports about it.

import type { App } from "../../platform/app.ts";
import type { Server } from "../../platform/http/server.ts";
import { html } from "../../platform/text/html.ts";
import type { Html, HtmlValue } from "../../platform/text/html.ts";
import type { AccountView } from "../../domain/people/accounts/tables.ts";
import { may } from "../../domain/base/roles/acts.ts";
import {
  addModerationNote,
  addNoteOnReport,
  listModerationNotes,
  listNotesOnReport,
  removeModerationNote,
} from "../../domain/staff/moderation/moderation-notes.ts";
import type { ModerationNote } from "../../domain/staff/moderation/moderation-notes.ts";
import { goTo, inputField } from "../../domain/people/users/pages/components.ts";
import { whenText } from "../../domain/people/users/pages/when.ts";
import { staffForm } from "./forms.ts";
import { button, entered, enteredAt, form, idOf, staffPage } from "./frame.ts";
import type { Show, Staff } from "./frame.ts";
import { accountLink, addPart } from "./components.ts";

const ACCOUNTS = "/admin/accounts";
const REPORTS = "/admin/reports";
const READ = ["accounts.read"] as const;

/**
 * Draws a note, which can be removed on the page where it was written: that of the account, or of the report
 * (`reportId`).
 */
const noteLine = (staff: Staff, note: ModerationNote, reportId: string | null): Html => {
  const { app, t, language } = staff;
  const { id, author, text, created_at: at, report_id: on } = note;
  return html`<li>
    <div class="what">
      <strong>${author ? accountLink(app.config.site, author) : t("moderation.notes.gone")}</strong>
      <span class="said">${text}</span>
      <span
        >${whenText(at, language)}
        ${on !== null && on !== reportId && html`· <a href="${REPORTS}/${on}">${t("moderation.report")}</a>`}</span
      >
    </div>
    ${
      note.mayRemove &&
      on === reportId &&
      button(staff, {
        action: `/admin/notes/${id}/delete`,
        label: t("moderation.notes.remove"),
        of: t("moderation.notes.this"),
        kind: "bad",
      })
    }
  </li>`;
};

const noteForm = (staff: Staff, target: AccountView, page: string): HtmlValue => {
  const { actor, t } = staff;
  if (!may(actor, "accounts.remark", target)) return null;
  const path = `${page}/notes`;
  const text = enteredAt(staff, path)["note"] ?? "";
  const field = inputField({
    name: "note",
    label: t("moderation.notes.note"),
    type: "textarea",
    value: text,
    maxlength: 5000,
    hint: t("moderation.notes.hint"),
  });
  return addPart(
    t("moderation.notes.write"),
    text !== "",
    form(staff, path, html`${field} <button class="button inline">${t("staff.save")}</button>`),
  );
};

const noteList = (staff: Staff, notes: ModerationNote[], reportId: string | null): HtmlValue =>
  notes.length > 0 &&
  html`<ul class="rows">
    ${notes.map((note) => noteLine(staff, note, reportId))}
  </ul>`;

export const moderationNotesPart = async (
  staff: Staff,
  target: AccountView,
): Promise<HtmlValue> => {
  const { app, actor, t } = staff;
  const notes = await listModerationNotes(app, actor, target);
  return html`<h2>${t("moderation.notes")}</h2>
    ${noteList(staff, notes, null)} ${noteForm(staff, target, `${ACCOUNTS}/${target.id}`)}`;
};

/** Draws the notes on the report, and the others about its account as read-only. */
export const notesOnReportPart = async (
  staff: Staff,
  target: AccountView,
  reportId: string,
): Promise<HtmlValue> => {
  const { app, actor, t } = staff;
  if (!may(actor, "accounts.read")) return null;
  const [notes, all] = await Promise.all([
    listNotesOnReport(app, actor, target, reportId),
    listModerationNotes(app, actor, target),
  ]);
  const others = noteList(
    staff,
    all.filter((note) => note.report_id !== reportId),
    reportId,
  );
  return html`<h2>${t("moderation.notes.on_report")}</h2>
    ${noteList(staff, notes, reportId)} ${noteForm(staff, target, `${REPORTS}/${reportId}`)}
    ${
      others &&
      html`<h2>${t("moderation.notes.about")}</h2>
        ${others}`
    }`;
};

export const addNoteToReport = async (staff: Staff): Promise<string> => {
  const id = idOf(staff);
  await addNoteOnReport(staff.app, staff.actor, id, entered(staff)["note"] ?? "");
  return `${REPORTS}/${id}?done=note`;
};

export const NOTES_DONE = {
  note: "moderation.notes.saved",
  unsaid: "moderation.notes.removed",
} as const;

export const moderationNoteForms = (pages: Server, app: App, show: Show): void => {
  const add = async (context: Staff): Promise<string> => {
    const id = idOf(context);
    await addModerationNote(app, context.actor, id, entered(context)["note"] ?? "");
    return `${ACCOUNTS}/${id}?done=note`;
  };
  const remove = async (context: Staff) => {
    const { targetId, reportId } = await removeModerationNote(app, context.actor, idOf(context));
    const page = reportId === null ? `${ACCOUNTS}/${targetId}` : `${REPORTS}/${reportId}`;
    return goTo(context.reply, `${page}?done=unsaid`);
  };
  pages.post(`${ACCOUNTS}/:id/notes`, staffForm(app, READ, add, show));
  pages.post("/admin/notes/:id/delete", staffPage(app, READ, remove));
};
