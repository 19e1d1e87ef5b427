// Manages accounts that several people use, such as an organisation's: invitations, acceptance, roles, leaving. People
// who sign in with its own password are its owners, too.

import type { App } from "../../../../platform/app.ts";
import { lockNamed } from "../../../../platform/db/lock-named.ts";
import type { Db } from "../../../../platform/db/index.ts";
import { Forbidden, invalidField, orNotFound } from "../../../../platform/errors.ts";
import { countAttempt } from "../../../../platform/http/rate-limit.ts";
import type { Limit } from "../../../../platform/http/rate-limit.ts";
import { says } from "../../../../platform/text/texts.ts";
import { announceRevoked } from "../../oauth/revoke.ts";
import { noticeOf } from "../security-notices.ts";
import { endAccess } from "../session.ts";
import { findPerson } from "../sign-in.ts";
import type { SignedIn } from "../sign-in.ts";
import { recordAct } from "./acts.ts";
import { checkOwner } from "./enter.ts";
import { checkOwnSignIn, checkSelf } from "./link.ts";
import { LINKS, deleteAccess } from "./queries.ts";
import type { Role } from "./queries.ts";
import {
  countShared,
  insertInvitation,
  selectCandidate,
  selectInvitation,
  selectMembers,
  updateAccepted,
  updateRole,
} from "./queries-members.ts";
import type { MemberRow } from "./queries-members.ts";

export type { MemberRow, Role };

export const ROLES: readonly Role[] = ["author", "owner"];

/** Members of an account, with those who are invited; shared accounts of a person. */
export const MAX_MEMBERS = 50;
const MAX_SHARED = 20;

const INVITATIONS: Limit = { name: "members:user", by: "person", count: 20, seconds: 86_400 };

export const membersOf = (app: App, who: SignedIn): Promise<MemberRow[]> => {
  checkOwner(who);
  return selectMembers(app.sql, who.userId);
};

const roleFrom = (text: string): Role => {
  const role = ROLES.find((each) => each === text);
  if (!role) throw invalidField("role", "must be author or owner", says("invalid.inclusion"));
  return role;
};

const invite = async (
  app: App,
  tx: Db,
  who: SignedIn,
  { name, role }: { name: string; role: Role },
): Promise<string> => {
  const candidate = await selectCandidate(tx, who.accountId, name);
  if (!candidate) throw invalidField("name", "is nobody on this server", says("sharing.nobody"));
  if (candidate.user_id === who.userId || !candidate.usable)
    throw invalidField("name", "cannot be invited", says("sharing.cannot"));
  const members = await selectMembers(tx, who.userId);
  if (members.length >= MAX_MEMBERS) {
    const [count, description] = [MAX_MEMBERS, `is one more than ${MAX_MEMBERS} members`];
    throw invalidField("name", description, says("sharing.full", { count }));
  }
  const personId = candidate.user_id;
  const id = await insertInvitation(tx, { userId: who.userId, personId, role });
  if (id === null)
    throw invalidField("name", "is a member already, or invited", says("sharing.already"));
  await noticeOf(app, tx, personId, "account-invited", who.username);
  await recordAct(tx, who, { act: "invite", detail: `@${candidate.username}` });
  return id;
};

/**
 * Invites somebody of this server by name; requires the password of the inviting person. Returns the invitation's id;
 * throws InvalidFields.
 */
export const inviteMember = async (
  app: App,
  who: SignedIn,
  input: { name: string; role: string; password: string },
): Promise<string> => {
  checkOwner(who);
  const role = roleFrom(input.role);
  const name = input.name.trim().replace(/^@/, "").slice(0, 100);
  const person = who.personId === null ? who : await findPerson(app, who.personId);
  await checkSelf(app, person!, input.password, { name });
  await countAttempt(app, INVITATIONS, who.userId);
  return app.sql.begin(async (tx) => {
    await lockNamed(tx, LINKS);
    return invite(app, tx, who, { name, role });
  });
};

/** Records the consent of the invited person; throws 404 for what they are not invited to. */
export const acceptInvitation = async (app: App, who: SignedIn, id: string): Promise<void> => {
  checkOwnSignIn(who);
  await app.sql.begin(async (tx) => {
    await lockNamed(tx, LINKS);
    const invitation = orNotFound(await selectInvitation(tx, who.userId, id));
    if (invitation.accepted_at) return;
    if ((await countShared(tx, who.userId)) >= MAX_SHARED)
      throw new Forbidden(says("sharing.too_many", { count: MAX_SHARED }));
    await updateAccepted(tx, id, invitation.user_id, app.clock.now());
    await noticeOf(app, tx, invitation.user_id, "member-joined", who.username);
    await recordAct(tx, { userId: invitation.user_id, personId: who.userId }, { act: "join" });
  });
};

/** Declines an invitation, or leaves the account; throws 404 where there is neither. */
export const leaveShared = async (app: App, who: SignedIn, id: string): Promise<void> => {
  checkOwnSignIn(who);
  const ended = await app.sql.begin(async (tx) => {
    const access = orNotFound(await selectInvitation(tx, who.userId, id));
    const revoked = await endAccess(app, tx, [id]);
    await recordAct(tx, { userId: access.user_id, personId: who.userId }, { act: "leave" });
    await deleteAccess(tx, [id], access.user_id);
    if (access.accepted_at) await noticeOf(app, tx, access.user_id, "member-left", who.username);
    return revoked;
  });
  await announceRevoked(app, ended);
};

/** Returns a member, or an invited person; throws 404 for anybody else. */
const memberOf = async (tx: Db, who: SignedIn, id: string): Promise<MemberRow> =>
  orNotFound((await selectMembers(tx, who.userId)).find((each) => each.id === id));

/** Ends their sessions, tokens and streams at once. */
export const removeMember = async (app: App, who: SignedIn, id: string): Promise<void> => {
  checkOwner(who);
  const ended = await app.sql.begin(async (tx) => {
    const member = await memberOf(tx, who, id);
    const revoked = await endAccess(app, tx, [id]);
    await recordAct(tx, who, { act: "remove", detail: `@${member.username}` });
    await deleteAccess(tx, [id], who.userId);
    await noticeOf(app, tx, who.userId, "member-left", member.username);
    if (member.accepted_at)
      await noticeOf(app, tx, member.person_id, "membership-ended", who.username);
    return revoked;
  });
  await announceRevoked(app, ended);
};

export const changeRole = async (
  app: App,
  who: SignedIn,
  { id, role: text }: { id: string; role: string },
): Promise<void> => {
  checkOwner(who);
  const role = roleFrom(text);
  await app.sql.begin(async (tx) => {
    const member = await memberOf(tx, who, id);
    await updateRole(tx, id, who.userId, role);
    await recordAct(tx, who, { act: role, detail: `@${member.username}` });
  });
};
