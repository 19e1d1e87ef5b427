// Manages invitations: people here let others sign up by a link, also while sign-ups are closed.

import { randomInt } from "node:crypto";
import type { App } from "../../../platform/app.ts";
import type { Db, Tx } from "../../../platform/db/index.ts";
import type { Page } from "../../../platform/db/paging.ts";
import { Forbidden, Unprocessable, orNotFound } from "../../../platform/errors.ts";
import { says } from "../../../platform/text/texts.ts";
import { addDays } from "../../../platform/ids/index.ts";
import { countAttempt } from "../../../platform/http/rate-limit.ts";
import type { Limit } from "../../../platform/http/rate-limit.ts";
import { lockAccount } from "../accounts/lock.ts";
import { getAccount } from "../accounts/load.ts";
import { mayOneOf } from "../../base/roles/permissions.ts";
import type { Permission } from "../../base/roles/permissions.ts";
import { everyonesRole } from "../../base/roles/roles.ts";
import {
  countInvites,
  deleteUnused,
  endInvite,
  insertInvite,
  selectInvites,
  selectUsable,
  takeUse,
} from "./queries-invites.ts";
import type { InviteRow } from "./queries-invites.ts";

export type { InviteRow };

const MADE: Limit = { name: "invites:user", by: "person", count: 30, seconds: 86_400 };
const MAX_INVITES = 1_000;
/** The form offers no more. */
const MAX_USES = 100;
const MAX_SECONDS = 366 * 86_400;
const KEEP_DAYS = 30;

/** Letters and digits of codes, without those that look alike. */
const ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const CODE_LENGTH = 10;
const IS_CODE = /^[0-9A-Za-z]{1,100}$/;

const newCode = (): string =>
  Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");

/** Permissions of everybody also hold for people with a role. */
const allows = async (app: App, accountId: string, what: Permission): Promise<boolean> => {
  const { role } = await getAccount(app, accountId);
  if (mayOneOf(role?.permissions ?? 0, [what])) return true;
  return role !== null && mayOneOf((await everyonesRole(app)).permissions, [what]);
};

export const mayInvite = (app: App, accountId: string): Promise<boolean> =>
  allows(app, accountId, "invite_users");

type InviteInput = {
  /** Null for any number of uses. */
  maxUses: number | null;
  /** Seconds; null for ever. */
  expiresIn: number | null;
};

const isWhole = (number: number | null, max: number): boolean =>
  number === null || (Number.isInteger(number) && number >= 1 && number <= max);

const makeRoom = async (app: App, tx: Tx, accountId: string): Promise<void> => {
  await lockAccount(tx, accountId);
  await deleteUnused(tx, accountId, addDays(app.clock.now(), -KEEP_DAYS));
  if ((await countInvites(tx, accountId)) < MAX_INVITES) return;
  throw new Unprocessable(says("invites.too_many", { count: MAX_INVITES }));
};

/** Throws Forbidden for people who may not invite. */
export const createInvite = async (
  app: App,
  accountId: string,
  { maxUses, expiresIn }: InviteInput,
): Promise<string> => {
  if (!(await mayInvite(app, accountId))) throw new Forbidden();
  if (!isWhole(maxUses, MAX_USES) || !isWhole(expiresIn, MAX_SECONDS)) {
    throw new Unprocessable(says("invites.bounds", { count: MAX_USES }));
  }
  await countAttempt(app, MADE, accountId);
  const now = app.clock.now();
  const expires_at = expiresIn === null ? null : new Date(now.getTime() + expiresIn * 1000);
  const code = newCode();
  await app.sql.begin(async (tx) => {
    await makeRoom(app, tx, accountId);
    await insertInvite(tx, { account_id: accountId, code, max_uses: maxUses, expires_at }, now);
  });
  return code;
};

/** Returns invitations of one account, or of all; the newest first. */
export const listInvites = async (
  app: App,
  accountId: string | null,
  page: Pick<Page, "maxId" | "limit">,
): Promise<InviteRow[]> => [...(await selectInvites(app.sql, accountId, page))];

export const isOver = (app: App, { expires_at, max_uses, uses }: InviteRow): boolean =>
  (expires_at !== null && expires_at <= app.clock.now()) || (max_uses !== null && uses >= max_uses);

/** Throws NotFound where this account (or anybody, for null) has no such invitation, and for one that has ended. */
export const stopInvite = async (
  app: App,
  db: Db,
  id: string,
  accountId: string | null,
): Promise<InviteRow> => orNotFound(await endInvite(db, id, accountId, app.clock.now()));

/** An invitation that can be used now; with `bypass` no moderator has to approve the sign-up. */
export type UsableInvite = InviteRow & { bypass: boolean };

export const findInvite = async (app: App, code: string): Promise<UsableInvite | null> => {
  const row = IS_CODE.test(code) ? await selectUsable(app.sql, code, app.clock.now()) : null;
  if (!row || !(await mayInvite(app, row.account_id))) return null;
  return { ...row, bypass: await allows(app, row.account_id, "invite_bypass_approval") };
};

/** Throws Forbidden where somebody else took the last use meanwhile. */
export const takeInvite = async (app: App, db: Db, { id }: InviteRow): Promise<void> => {
  if (!(await takeUse(db, id, app.clock.now()))) {
    throw new Forbidden(says("invite.used_up"));
  }
};
