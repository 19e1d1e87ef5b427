// The notes of moderators about an account: a part of its page, and of those of reports about it.

import type { Inline, Part, Row } from "../../../web/src/served/part-pages.ts";
import type { App } from "../../platform/app.ts";
import type { Server } from "../../platform/http/server.ts";
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
import { goTo } from "../../domain/people/users/pages/components.ts";
import { lines, removal } from "./page-parts.ts";
import { accountLink } from "./people.ts";
import { onEntry } from "./forms.ts";
import { entered, idOf, staffPage } from "./frame.ts";
import type { Staff } from "./frame.ts";

const ACCOUNTS = "/admin/accounts";
const REPORTS = "/admin/reports";
const READ = ["accounts.read"] as const;

/**
 * Returns a note, which can be removed on the page where it was written: that of the account, or of the report
 * (`reportId`).
 */
const noteRow = (staff: Staff, note: ModerationNote, reportId: string | null): Row => {
  const { t } = staff;
  const { id, author, text, created_at: at, report_id: on } = note;
  const isOther = on !== null && on !== reportId;
  const report: Inline = { link: `${REPORTS}/${on}`, text: t("moderation.report") };
  const of = t("moderation.notes.this");
  return {
    title: author ? accountLink(staff, author) : t("moderation.notes.gone"),
    lines: [{ said: text }, { joined: [at, isOther && report] }],
    acts: [
      note.mayRemove &&
        on === reportId &&
        removal(`/admin/notes/${id}`, of, "moderation.notes.remove"),
    ],
  };
};

const noteForm = ({ actor }: Staff, target: AccountView, page: string): Part | false =>
  may(actor, "accounts.remark", target) && {
    add: {
      action: `${page}/notes`,
      title: "moderation.notes.write",
      fields: [lines("note", "moderation.notes.note", 5000, { hint: "moderation.notes.hint" })],
      submit: "staff.save",
    },
  };

export const noteParts = async (staff: Staff, target: AccountView): Promise<(Part | false)[]> => {
  const notes = await listModerationNotes(staff.app, staff.actor, target);
  return [
    { heading: "moderation.notes" },
    { rows: notes.map((note) => noteRow(staff, note, null)) },
    noteForm(staff, target, `${ACCOUNTS}/${target.id}`),
  ];
};

/** Returns the notes on the report, and the others about its account as read-only. */
export const reportNoteParts = async (
  staff: Staff,
  target: AccountView,
  reportId: string,
): Promise<(Part | false)[]> => {
  const { app, actor } = staff;
  if (!may(actor, "accounts.read")) return [];
  const [notes, all] = await Promise.all([
    listNotesOnReport(app, actor, target, reportId),
    listModerationNotes(app, actor, target),
  ]);
  const rowsOf = (list: ModerationNote[]) => list.map((note) => noteRow(staff, note, reportId));
  const others = all.filter((note) => note.report_id !== reportId);
  return [
    { heading: "moderation.notes.on_report" },
    { rows: rowsOf(notes) },
    noteForm(staff, target, `${REPORTS}/${reportId}`),
    others.length > 0 && { heading: "moderation.notes.about" },
    { rows: rowsOf(others) },
  ];
};

const noteFrom = (staff: Staff): string => entered(staff)["note"] ?? "";

const SAVED = "moderation.notes.saved";

export const ACCOUNT_NOTE_FORMS = {
  notes: [SAVED, onEntry(addModerationNote, noteFrom)],
} as const;
export const REPORT_NOTE_FORM = [
  `${REPORTS}/:id/notes`,
  SAVED,
  onEntry(addNoteOnReport, noteFrom),
] as const;

export const NOTES_DONE = { unsaid: "moderation.notes.removed" } as const;

/** Registers the form that removes a note, and leads to where it was written. */
export const moderationNoteForms = (pages: Server, app: App): void => {
  const remove = async (context: Staff) => {
    const { targetId, reportId } = await removeModerationNote(app, context.actor, idOf(context));
    const page = reportId === null ? `${ACCOUNTS}/${targetId}` : `${REPORTS}/${reportId}`;
    return goTo(context.reply, `${page}?done=unsaid`);
  };
  pages.post("/admin/notes/:id/delete", staffPage(app, READ, remove));
};
