// What moderators write about an account for each other. Nobody else ever reads it.

import type { App } from "../../platform/app.ts";
import { NotFound, Unprocessable } from "../../platform/errors.ts";
import { says } from "../../platform/text/texts.ts";
import { getAccount, loadAccounts } from "../accounts/load.ts";
import type { AccountView } from "../accounts/tables.ts";
import type { Actor } from "../roles/permissions.ts";
import { accountTarget } from "./accounts.ts";
import { may, requireMay } from "./acts.ts";
import {
  deleteModerationNote,
  insertModerationNote,
  selectModerationNote,
  selectModerationNotesOf,
} from "./queries.ts";
import type { ModerationNoteRow } from "./queries.ts";
import { recorded } from "./recorded.ts";

const MAX_TEXT = 5000;
const MAX_NOTES = 200;

type ModerationNote = ModerationNoteRow & {
  /** null: the account is gone. */
  author: AccountView | null;
  mayRemove: boolean;
};

const mayRemove = (actor: Actor, target: AccountView, author: AccountView | null): boolean =>
  may(actor, "accounts.remark", target) &&
  (author === null || author.id === actor.accountId || may(actor, "accounts.remark", author));

/** Of one account, the newest first. */
export const listModerationNotes = async (
  app: App,
  actor: Actor,
  target: AccountView,
): Promise<ModerationNote[]> => {
  requireMay(actor, "accounts.read");
  const rows = await selectModerationNotesOf(app.sql, target.id, MAX_NOTES);
  const ids = rows.flatMap(({ account_id: id }) => (id === null ? [] : [id]));
  const authors = await loadAccounts(app, [...new Set(ids)]);
  return rows.map((row) => {
    const author = authors.get(row.account_id ?? "") ?? null;
    return { ...row, author, mayRemove: mayRemove(actor, target, author) };
  });
};

export const addModerationNote = async (
  app: App,
  actor: Actor,
  targetId: string,
  rawId: string,
): Promise<void> => {
  const target = await getAccount(app, targetId);
  requireMay(actor, "accounts.remark", target);
  const text = rawId.trim();
  if (text === "") throw new Unprocessable(says("moderation.notes.empty"));
  if (text.length > MAX_TEXT) {
    throw new Unprocessable(says("moderation.notes.long", { count: MAX_TEXT }));
  }
  if ((await selectModerationNotesOf(app.sql, targetId, MAX_NOTES)).length === MAX_NOTES) {
    throw new Unprocessable(says("moderation.notes.too_many", { count: MAX_NOTES }));
  }
  await recorded(app, actor, "accounts.remark", async (tx) => {
    await insertModerationNote(tx, {
      targetId,
      accountId: actor.accountId,
      text,
      at: app.clock.now(),
    });
    return { entry: { action: "account.remark", target: accountTarget(target) } };
  });
};

/** By its author, or somebody above. */
export const removeModerationNote = async (app: App, actor: Actor, id: string): Promise<string> => {
  const row = await selectModerationNote(app.sql, id);
  if (!row) throw new NotFound();
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
      result: target.id,
    };
  });
};
