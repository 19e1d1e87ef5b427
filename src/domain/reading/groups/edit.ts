// Makes, changes, transfers and deletes groups.

import type { App } from "../../../platform/app.ts";
import { isUniqueViolation } from "../../../platform/db/index.ts";
import type { Tx } from "../../../platform/db/index.ts";
import {
  Forbidden,
  Unprocessable,
  invalidFields,
  isRefusal,
  taken,
} from "../../../platform/errors.ts";
import type { FieldFault } from "../../../platform/errors.ts";
import { sanitiseName } from "../../../platform/text/plain.ts";
import { createLocalAccount } from "../../people/accounts/create-local.ts";
import { generateKeyPem } from "../../people/accounts/keys.ts";
import { getAccount } from "../../people/accounts/load.ts";
import { nameFaults, noteFaults, noteHtml } from "../../people/accounts/profile-text.ts";
import { removeAccount } from "../../people/accounts/remove.ts";
import type { ProfileInput } from "../../people/accounts/schema.ts";
import { updateProfile } from "../../people/accounts/update-profile.ts";
import { usernameFaults } from "../../people/users/create.ts";
import { reservedFault } from "../../people/users/sign-up.ts";
import type { Pair } from "../../people/relationships/events.ts";
import { acceptFollow } from "../../people/relationships/accept-follow.ts";
import { follow } from "../../people/relationships/follow.ts";
import { isStaff } from "../../base/roles/permissions.ts";
import { getSetting } from "../../base/settings/settings.ts";
import { getGroup, requireRole } from "./access.ts";
import { MAX_OWNED, MAX_RULES, MAX_RULE_LENGTH } from "./limits.ts";
import {
  countOwned,
  deleteModerator,
  insertAct,
  insertGroup,
  insertModerator,
  lockModeration,
  updateGroup,
} from "./queries.ts";

type GroupSettings = { rules?: string[] | undefined; holds_posts?: boolean | undefined };

export type NewGroup = GroupSettings & {
  name: string;
  display_name?: string | undefined;
  note?: string | undefined;
  locked?: boolean | undefined;
};

export type GroupProfile = Pick<
  ProfileInput,
  | "display_name"
  | "note"
  | "avatar"
  | "header"
  | "avatar_description"
  | "header_description"
  | "locked"
  | "discoverable"
>;

const tidyRules = (rules: string[]): string[] =>
  rules.map((rule) => rule.replaceAll("\0", "").toWellFormed().trim()).filter(Boolean);

const ruleFaults = (rules: string[]): FieldFault[] => {
  const fault = (code: string, description: string, count: number) => ({
    field: "rules",
    code,
    description,
    count,
  });
  if (rules.length > MAX_RULES)
    return [fault("ERR_TOO_MANY", `can be ${MAX_RULES} at most`, MAX_RULES)];
  return rules.some((rule) => [...rule].length > MAX_RULE_LENGTH)
    ? [
        fault(
          "ERR_TOO_LONG",
          `are too long (maximum is ${MAX_RULE_LENGTH} characters each)`,
          MAX_RULE_LENGTH,
        ),
      ]
    : [];
};

/** Throws Forbidden for people who may not make groups by the server's setting, and for limited accounts. */
const requireCreator = async (app: App, accountId: string): Promise<void> => {
  const whom = await getSetting(app, "group_creation", "all");
  const { role, silenced_at: silencedAt } = await getAccount(app, accountId);
  const mayCreate = whom === "all" || (whom === "staff" && isStaff(role?.permissions ?? 0));
  if (!mayCreate || silencedAt !== null) throw new Forbidden("You may not make groups here");
};

/** Checks that somebody may own one more; throws Unprocessable over the limit. */
const checkOwned = async (tx: Tx, accountId: string): Promise<void> => {
  await lockModeration(tx, accountId);
  if ((await countOwned(tx, accountId)) >= MAX_OWNED) {
    throw new Unprocessable(`Validation failed: Nobody can own more than ${MAX_OWNED} groups`);
  }
};

const newFaults = async (app: App, group: NewGroup, rules: string[]): Promise<FieldFault[]> => {
  const reserved = await reservedFault(app, group.name);
  const ofName = [...(await usernameFaults(app.sql, group.name)), ...(reserved ? [reserved] : [])];
  return [
    ...ofName.map((fault) => ({ ...fault, input: "name" })),
    ...nameFaults(group.display_name ?? ""),
    ...noteFaults(group.note ?? ""),
    ...ruleFaults(rules),
  ];
};

const storeNew = async (app: App, ownerId: string, group: NewGroup, rules: string[]) => {
  const note = (group.note ?? "").replace(/\r\n?/g, "\n");
  const profile = {
    display_name: sanitiseName(group.display_name ?? "").trim(),
    note,
    note_html: await noteHtml(app, note),
    locked: group.locked ?? false,
    discoverable: true,
  };
  const account = { username: group.name, keys: await generateKeyPem(), profile };
  return app.sql.begin(async (tx) => {
    await checkOwned(tx, ownerId);
    const groupId = await createLocalAccount(app, tx, { ...account, actorType: "Group" });
    const holdsPosts = group.holds_posts ?? false;
    const row = { account_id: groupId, owner_id: ownerId, rules, holds_posts: holdsPosts };
    await insertGroup(tx, row);
    await insertAct(tx, { groupId, accountId: ownerId, action: "create" }, app.clock.now());
    return groupId;
  });
};

/** Makes the owner the first member; an owner who may follow nobody more owns the group without following it. */
const joinFirst = async (app: App, membership: Pair): Promise<void> => {
  try {
    await follow(app, membership);
    await acceptFollow(app, membership);
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
};

/** Creates a group, whose owner is its first member. Returns the id of its account; a 422 names every fault. */
export const createGroup = async (app: App, ownerId: string, group: NewGroup): Promise<string> => {
  await requireCreator(app, ownerId);
  const rules = tidyRules(group.rules ?? []);
  const faults = await newFaults(app, group, rules);
  if (faults.length > 0) throw invalidFields(faults);
  const groupId = await storeNew(app, ownerId, group, rules).catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error;
    throw invalidFields([{ ...taken("username"), input: "name" }]);
  });
  await joinFirst(app, { accountId: ownerId, targetId: groupId });
  return groupId;
};

/** Changes the given members and leaves the rest; only the owner may. */
export const changeGroup = async (
  app: App,
  accountId: string,
  groupId: string,
  { rules, holds_posts: holdsPosts, ...profile }: GroupProfile & GroupSettings,
): Promise<void> => {
  await requireRole(app, groupId, accountId, "owner");
  const tidy = rules && tidyRules(rules);
  const faults = ruleFaults(tidy ?? []);
  if (faults.length > 0) throw invalidFields(faults);
  await updateProfile(app, groupId, profile);
  const change = {
    ...(tidy && { rules: tidy }),
    ...(holdsPosts !== undefined && { holds_posts: holdsPosts }),
  };
  await app.sql.begin(async (tx) => {
    if (Object.keys(change).length > 0) await updateGroup(tx, groupId, change);
    await insertAct(tx, { groupId, accountId, action: "update" }, app.clock.now());
  });
};

/** Makes the former owner a moderator. Throws Forbidden where `by` (null for the staff) does not own it any more. */
export const transferIn = async (
  app: App,
  tx: Tx,
  groupId: string,
  { by, to }: { by: string | null; to: string },
): Promise<void> => {
  await lockModeration(tx, groupId);
  const { owner_id: ownerId } = await getGroup(app, groupId, tx);
  if (by !== null && ownerId !== by) throw new Forbidden();
  if (ownerId === to) return;
  await checkOwned(tx, to);
  await deleteModerator(tx, groupId, to);
  if (ownerId !== null) await insertModerator(tx, groupId, ownerId);
  await updateGroup(tx, groupId, { owner_id: to });
  const act = { groupId, accountId: by, action: "transfer" as const, targetId: to };
  await insertAct(tx, act, app.clock.now());
};

/** Deletes a group for its owner. Its name stays taken. */
export const removeGroup = async (app: App, accountId: string, groupId: string): Promise<void> => {
  await requireRole(app, groupId, accountId, "owner");
  await removeAccount(app, groupId);
};
