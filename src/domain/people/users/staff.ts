// Implements the staff's acts on people of this server: approving and rejecting sign-ups, disabling, roles. Moderation
// checks who may do it.

import type { App } from "../../../platform/app.ts";
import type { Db } from "../../../platform/db/index.ts";
import { Forbidden, Unprocessable, orNotFound } from "../../../platform/errors.ts";
import type { JobPayloads } from "../../../platform/jobs/index.ts";
import { removeAccountIn } from "../accounts/remove.ts";
import { OWNER_ID } from "../../base/roles/roles.ts";
import type { RoleRow } from "../../base/roles/tables.ts";
import { notifyWebhooks } from "../../base/webhooks/deliver.ts";
import "./events.ts";
import { mailPerson } from "./mail.ts";
import {
  approve,
  confirm,
  lockOwners,
  selectApplicant,
  selectOwners,
  selectSignUp,
  selectStaffRows,
  setDisabled,
  setRole,
} from "./queries-staff.ts";
import type { Applicant, SignUpRow, StaffRow } from "./queries-staff.ts";

export type { SignUpRow, StaffRow };

const notifyApplicant = (app: App, tx: Db, applicant: Applicant, approved: boolean) => {
  const { username, email, locale } = applicant;
  return app.jobs.add(tx, "user.decided", { username, to: email, locale, approved });
};

/** Throws Forbidden for somebody who does not wait; NotFound for an account without a user here. */
export const approveSignUp = async (app: App, tx: Db, accountId: string): Promise<void> => {
  const applicant = orNotFound(await selectApplicant(tx, accountId));
  if (applicant.approved) throw new Forbidden();
  await approve(tx, accountId);
  await notifyWebhooks(app, tx, "account.approved", [accountId]);
  await notifyApplicant(app, tx, applicant, true);
};

/** Deletes the account, and frees its name; throws Forbidden for somebody who does not wait. */
export const rejectSignUp = async (app: App, tx: Db, accountId: string): Promise<void> => {
  const applicant = orNotFound(await selectApplicant(tx, accountId));
  if (applicant.approved) throw new Forbidden();
  await removeAccountIn(app, tx, accountId, { reserve: false });
  await notifyApplicant(app, tx, applicant, false);
};

const isAlone = (owners: string[], accountId: string): boolean =>
  owners.length === 1 && owners[0] === accountId;

/** Returns whether nobody else could manage the server without this person. */
export const isOnlyOwner = async (db: Db, accountId: string): Promise<boolean> =>
  isAlone(await selectOwners(db), accountId);

/** Throws Unprocessable for an only owner. */
export const requireOtherOwner = async (tx: Db, accountId: string): Promise<void> => {
  if (isAlone(await lockOwners(tx), accountId)) {
    throw new Unprocessable(
      "This is the only owner of the server: make somebody else an owner first.",
    );
  }
};

/** Returns false when nothing changed. */
export const disableUser = async (db: Db, accountId: string): Promise<boolean> =>
  (await setDisabled(db, accountId, true)) !== null;

export const enableUser = async (db: Db, accountId: string): Promise<boolean> =>
  (await setDisabled(db, accountId, false)) !== null;

/** Confirms the address without the mail. */
export const confirmUser = async (app: App, db: Db, accountId: string): Promise<void> => {
  await confirm(db, accountId, app.clock.now());
};

/** Changes a person's role; throws Unprocessable where no owner would be left. */
export const changeRole = async (tx: Db, accountId: string, role: RoleRow): Promise<void> => {
  if (role.id !== OWNER_ID) await requireOtherOwner(tx, accountId);
  await setRole(tx, accountId, role.id);
};

/** Returns null for an account without a user here. */
export const findSignUp = (app: App, accountId: string): Promise<SignUpRow | null> =>
  selectSignUp(app.sql, accountId);

/** Returns by account what moderators see of local people. */
export const loadStaffRows = async (
  app: App,
  accountIds: string[],
): Promise<Map<string, StaffRow>> => {
  if (accountIds.length === 0) return new Map();
  const rows = await selectStaffRows(app.sql, accountIds);
  return new Map(rows.map((row) => [row.account_id, row]));
};

/** Handles the job that sends the mail to an applicant. */
export const sendDecision = async (
  app: App,
  { username, to, locale, approved }: JobPayloads["user.decided"],
) => {
  const { localDomain: site, origin } = app.config.site;
  const kind = approved ? "approved" : "rejected";
  await mailPerson(app, { email: to, username, locale }, (t) => ({
    title: t(`mail.${kind}.title`, { site }),
    text: [t(`mail.${kind}.text`)],
    ...(approved && {
      button: { label: t("mail.approved.button"), url: `${origin}/auth/sign_in` },
    }),
  }));
};
