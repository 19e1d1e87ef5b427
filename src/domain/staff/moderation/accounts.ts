// Implements decisions of moderators about accounts: each act is one transaction with its strike, its entry in the
// audit log, and the jobs that follow.

import type { AuditAction } from "../../base/audit/actions.ts";
import type { App } from "../../../platform/app.ts";
import type { Db, Tx } from "../../../platform/db/index.ts";
import { Forbidden, NotFound, Unprocessable } from "../../../platform/errors.ts";
import { says } from "../../../platform/text/texts.ts";
import { getAccount } from "../../people/accounts/load.ts";
import { acct } from "../../people/accounts/present.ts";
import { removeAccountIn } from "../../people/accounts/remove.ts";
import {
  cancelDeletionOf,
  dueDeletions,
  liftLimit,
  limitAccount,
} from "../../people/accounts/standing.ts";
import type { Limitation } from "../../people/accounts/standing.ts";
import type { AccountView } from "../../people/accounts/tables.ts";
import { audit } from "../../base/audit/audit.ts";
import { blockEmail } from "../../base/blocklists/lists.ts";
import {
  approveSignUp,
  changeRole,
  disableUser,
  enableUser,
  rejectSignUp,
  requireOtherOwner,
} from "../../people/users/staff.ts";
import { reportsAbout, resolveReports } from "../../reading/reports/moderate.ts";
import { effectiveBits } from "../../base/roles/permissions.ts";
import type { Actor } from "../../base/roles/permissions.ts";
import type { RoleRow } from "../../base/roles/tables.ts";
import { recordStrike } from "../../reading/strikes/strikes.ts";
import type { Evidence, StrikeAction } from "../../reading/strikes/tables.ts";
import { notifyWebhooks } from "../../base/webhooks/deliver.ts";
import { requireMay } from "../../base/roles/acts.ts";
import type { Act } from "../../base/roles/acts.ts";
import "./events.ts";
import { selectAddress } from "./queries.ts";

export const ACTION_TYPES = ["none", "sensitive", "disable", "silence", "suspend"] as const;
export type ActionType = (typeof ACTION_TYPES)[number];

const ACT_OF: Record<ActionType, Act> = {
  none: "accounts.warn",
  sensitive: "accounts.sensitive",
  disable: "accounts.disable",
  silence: "accounts.silence",
  suspend: "accounts.suspend",
};

export const accountTarget = (view: AccountView) => ({
  type: "account",
  id: view.id,
  label: acct(view),
});

const standingChanged = (app: App, tx: Db, id: string): Promise<void> =>
  app.jobs.add(tx, "account.standing_changed", { id });

/**
 * Blocks the address of a person whose account is deleted after a suspension; does nothing for accounts of other
 * servers.
 */
const blockAddressOf = async (db: Db, accountId: string): Promise<void> => {
  const email = await selectAddress(db, accountId);
  if (email !== null) await blockEmail(db, email, accountId);
};

const apply = async (app: App, tx: Tx, target: AccountView, type: ActionType): Promise<void> => {
  if (type === "none") return;
  if (type === "suspend" || type === "disable") await requireOtherOwner(tx, target.id);
  if (type !== "disable") await limitAccount(app, tx, target.id, type);
  else {
    if (target.domain !== null) {
      throw new Unprocessable(says("moderation.refused.disable"));
    }
    await disableUser(tx, target.id);
  }
  await standingChanged(app, tx, target.id);
};

type Strike = {
  action: StrikeAction;
  text: string;
  reportId: string | null;
  statusIds: string[] | null;
  evidence?: Evidence[];
  mail: boolean;
};

/** Records the strike and notifies the account; returns the strike's id. */
export const strike = async (
  app: App,
  tx: Tx,
  actor: Actor,
  target: AccountView,
  strike: Strike,
): Promise<string> => {
  const { action, text, reportId, statusIds, evidence = [], mail } = strike;
  const strikeId = await recordStrike(app, tx, {
    account_id: actor.accountId,
    target_account_id: target.id,
    action,
    text,
    report_id: reportId,
    status_ids: statusIds,
    evidence,
  });
  await app.jobs.add(tx, "account.moderated", { strikeId, mail });
  return strikeId;
};

export type Action = {
  type: ActionType;
  text: string;
  /** Id of the report that the action answers; others about the account are resolved too. */
  reportId: string | null;
  /** Whether it answers all reports about the account, also with a warning; the strike names the posts of all. */
  answersAll?: boolean;
  mail: boolean;
};

/**
 * Warns, marks as sensitive, disables, limits or suspends. Resolves the reports about the account; a warning only the
 * one that it answers. Throws Forbidden for accounts whose role is not below the actor's.
 */
export const actOnAccount = async (
  app: App,
  actor: Actor,
  id: string,
  { type, text, reportId, mail, answersAll = false }: Action,
): Promise<void> => {
  const target = await getAccount(app, id);
  requireMay(actor, ACT_OF[type], target);
  if (target.pending && type !== "none") throw new Forbidden();
  const reports = await reportsAbout(app, id);
  const own = reports.find((report) => report.id === reportId);
  if (reportId !== null && !own) {
    // Somebody else was faster, where the report was open a moment ago.
    throw answersAll ? new Unprocessable(says("moderation.decided_already")) : new NotFound();
  }
  await app.sql.begin(async (tx) => {
    await apply(app, tx, target, type);
    const named = answersAll ? reports : reports.filter((report) => report === own);
    const answered = (type === "none" ? named : reports).map((report) => report.id);
    const posts = [...new Set(named.flatMap((report) => report.status_ids))];
    const statusIds = posts.length > 0 ? posts : null;
    const warning = { action: type, text, reportId, statusIds, mail };
    const strikeId = await strike(app, tx, actor, target, warning);
    await resolveReports(app, tx, answered, actor.accountId, { strikeId, answered: reportId });
    await notifyWebhooks(app, tx, "report.updated", answered);
    const action = type === "none" ? "account.warn" : (`account.${type}` as const);
    const details = { report_id: reportId, resolved: answered };
    await audit(app, tx, actor, { action, target: accountTarget(target), details });
  });
};

/** `undo` returns whether there was anything to undo; otherwise it throws Forbidden, because nothing happened. */
const undoing =
  (act: Act, action: AuditAction, undo: (tx: Tx, target: AccountView) => Promise<boolean>) =>
  async (app: App, actor: Actor, id: string): Promise<void> => {
    const target = await getAccount(app, id);
    requireMay(actor, act, target);
    await app.sql.begin(async (tx) => {
      if (!(await undo(tx, target))) return;
      await audit(app, tx, actor, { action, target: accountTarget(target) });
      await standingChanged(app, tx, id);
    });
  };

const lifting = (how: Limitation) => (tx: Tx, target: AccountView) => liftLimit(tx, target.id, how);

export const unsilenceAccount = undoing(
  "accounts.unsilence",
  "account.unsilence",
  lifting("silence"),
);
export const unsensitizeAccount = undoing(
  "accounts.unsensitive",
  "account.unsensitive",
  lifting("sensitive"),
);
/** Restores everything. Throws Forbidden for an account that is not suspended or whose data is deleted. */
export const unsuspendAccount = undoing(
  "accounts.unsuspend",
  "account.unsuspend",
  async (tx, target) => {
    // A group has no user; a reserved name is no group any more.
    const isGroup = target.actor_type === "Group";
    const isGone = target.domain === null && target.role === null && !isGroup;
    if (target.suspended_at === null || isGone) throw new Forbidden();
    return liftLimit(tx, target.id, "suspend");
  },
);
/** Throws Forbidden for accounts of other servers. */
export const enableAccount = undoing("accounts.enable", "account.enable", async (tx, target) => {
  if (target.domain !== null) throw new Forbidden();
  return enableUser(tx, target.id);
});

/** Makes an act on an account that is recorded. */
const judging =
  (act: Act, action: AuditAction, work: (app: App, tx: Tx, target: AccountView) => Promise<void>) =>
  async (app: App, actor: Actor, id: string): Promise<void> => {
    const target = await getAccount(app, id);
    requireMay(actor, act, target);
    await app.sql.begin(async (tx) => {
      await work(app, tx, target);
      await audit(app, tx, actor, { action, target: accountTarget(target) });
    });
  };

export const approveAccount = judging("accounts.approve", "account.approve", (app, tx, { id }) =>
  approveSignUp(app, tx, id),
);
export const rejectAccount = judging("accounts.reject", "account.reject", (app, tx, { id }) =>
  rejectSignUp(app, tx, id),
);

/** Keeps the suspension: a local name stays reserved, a remote account suspended. */
const eraseIn = async (app: App, tx: Tx, target: AccountView): Promise<void> => {
  await blockAddressOf(tx, target.id);
  await cancelDeletionOf(tx, target.id);
  await removeAccountIn(app, tx, target.id, { reserve: true });
};

/** Deletes the data of a suspended account at once; throws Forbidden for others. */
export const deleteSuspended = judging("accounts.delete", "account.delete", (app, tx, target) => {
  if (target.suspended_at === null) throw new Forbidden();
  return eraseIn(app, tx, target);
});

/** Deletes an account that need not be suspended, whose name stays taken; its address may sign up again. */
export const deleteAccountAs = judging(
  "accounts.delete",
  "account.delete",
  async (app, tx, { id }) => {
    await requireOtherOwner(tx, id);
    await removeAccountIn(app, tx, id);
  },
);

const DUE = 100;

/** Handles the job `accounts.delete_due`. */
export const deleteDue = async (app: App): Promise<void> => {
  const ids = await dueDeletions(app, DUE);
  for (const id of ids) {
    const target = await getAccount(app, id);
    await app.sql.begin(async (tx) => {
      await eraseIn(app, tx, target);
      const entry = { target: accountTarget(target), details: { by: "clock" } };
      await audit(app, tx, { accountId: null }, { action: "account.delete", ...entry });
    });
  }
  if (ids.length === DUE) await app.jobs.add(app.sql, "accounts.delete_due", {});
};

/** Allows only a role below one's own, with no permission that one lacks. */
export const giveRole = async (
  app: App,
  actor: Actor,
  id: string,
  role: RoleRow,
): Promise<void> => {
  const target = await getAccount(app, id);
  requireMay(actor, "accounts.change_role", target);
  const missing = effectiveBits(role.permissions) & ~actor.permissions;
  if (role.position >= actor.position || missing !== 0) {
    throw new Forbidden(says("staff.roles.not_to_give"), "role");
  }
  if (target.role === null) throw new NotFound();
  await app.sql.begin(async (tx) => {
    await changeRole(tx, id, role);
    const details = { from: target.role!.name, to: role.name };
    const concerned = accountTarget(target);
    await audit(app, tx, actor, { action: "account.change_role", target: concerned, details });
  });
};
