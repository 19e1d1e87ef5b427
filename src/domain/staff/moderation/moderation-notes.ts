// Manages notes that moderators write for each other about an account, or about a report on it. Nobody else ever reads
// them.

import type { App } from "../../../platform/app.ts";
import { Unprocessable, faultOf, orNotFound } from "../../../platform/errors.ts";
import { says } from "../../../platform/text/texts.ts";
import { getAccount, loadAccounts } from "../../people/accounts/load.ts";
import { lockAccount } from "../../people/accounts/lock.ts";
import type { AccountView } from "../../people/accounts/tables.ts";
import { getReport } from "../../reading/reports/moderate.ts";
import type { Actor } from "../../base/roles/permissions.ts";
import { accountTarget } from "./accounts.ts";
import { may, requireMay } from "../../base/roles/acts.ts";
import {
  countModerationNotes,
  deleteModerationNote,
  insertModerationNote,
  selectModerationNote,
  selectModerationNotesOf,
  selectNotesOnReport,
} from "./queries.ts";
import type { ModerationNoteRow, NoteSubject } from "./queries.ts";
import { recorded } from "../../base/audit/recorded.ts";

const MAX_TEXT = 5000;
const MAX_NOTES = 200;

export type ModerationNote = ModerationNoteRow & {
  /** Null where the account was deleted. */
  author: AccountView | null;
  mayRemove: boolean;
};

const mayRemove = (actor: Actor, target: AccountView, author: AccountView | null): boolean =>
  may(actor, "accounts.remark", target) &&
  (author === null || author.id === actor.accountId || may(actor, "accounts.remark", author));

const withAuthors = async (
  app: App,
  actor: Actor,
  target: AccountView,
  rows: ModerationNoteRow[],
): Promise<ModerationNote[]> => {
  const ids = rows.flatMap(({ account_id: id }) => (id === null ? [] : [id]));
  const authors = await loadAccounts(app, [...new Set(ids)]);
  return rows.map((row) => {
    const author = authors.get(row.account_id ?? "") ?? null;
    return { ...row, author, mayRemove: mayRemove(actor, target, author) };
  });
};

/** Returns all of one account, also those on reports about it, the newest first. */
export const listModerationNotes = async (
  app: App,
  actor: Actor,
  target: AccountView,
): Promise<ModerationNote[]> => {
  requireMay(actor, "accounts.read");
  const rows = await selectModerationNotesOf(app.sql, target.id, MAX_NOTES);
  return withAuthors(app, actor, target, rows);
};

/** Returns those of one report about the account, the newest first. */
export const listNotesOnReport = async (
  app: App,
  actor: Actor,
  target: AccountView,
  reportId: string,
): Promise<ModerationNote[]> => {
  requireMay(actor, "accounts.read");
  const rows = await selectNotesOnReport(app.sql, reportId, MAX_NOTES);
  return withAuthors(app, actor, target, rows);
};

const addNote = async (app: App, actor: Actor, subject: NoteSubject, typed: string) => {
  const target = await getAccount(app, subject.targetId);
  requireMay(actor, "accounts.remark", target);
  const text = typed.trim();
  if (text === "") throw faultOf("note", says("moderation.notes.empty"));
  if (text.length > MAX_TEXT) {
    throw faultOf("note", says("moderation.notes.long", { count: MAX_TEXT }));
  }
  await recorded(app, actor, "accounts.remark", async (tx) => {
    await lockAccount(tx, subject.targetId);
    if ((await countModerationNotes(tx, subject)) >= MAX_NOTES) {
      const key = subject.reportId === null ? "too_many" : "too_many_on_report";
      throw new Unprocessable(says(`moderation.notes.${key}`, { count: MAX_NOTES }));
    }
    await insertModerationNote(tx, {
      ...subject,
      accountId: actor.accountId,
      text,
      at: app.clock.now(),
    });
    return { entry: { action: "account.remark", target: accountTarget(target) } };
  });
};

export const addModerationNote = (app: App, actor: Actor, targetId: string, text: string) =>
  addNote(app, actor, { targetId, reportId: null }, text);

export const addNoteOnReport = async (
  app: App,
  actor: Actor,
  reportId: string,
  text: string,
): Promise<void> => {
  requireMay(actor, "reports.read");
  const { target_account_id: targetId } = await getReport(app, reportId);
  await addNote(app, actor, { targetId, reportId }, text);
};

/** Removes a note by its author, or by somebody who ranks above. Returns what the note was about. */
export const removeModerationNote = async (
  app: App,
  actor: Actor,
  id: string,
): Promise<NoteSubject> => {
  const row = orNotFound(await selectModerationNote(app.sql, id));
  const target = await getAccount(app, row.target_account_id);
  const authors = await loadAccounts(app, row.account_id === null ? [] : [row.account_id]);
  const author = authors.get(row.account_id ?? "") ?? null;
  if (!mayRemove(actor, target, author)) {
    throw new Unprocessable(says("moderation.notes.not_yours"));
  }
  return recorded(app, actor, "accounts.remark", async (tx) => {
    await deleteModerationNote(tx, id);
    return {
      entry: { action: "account.remark_removed", target: accountTarget(target) },
      result: { targetId: target.id, reportId: row.report_id },
    };
  });
};
