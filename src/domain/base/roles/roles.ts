// Manages the roles of the staff: the three that come with the server, and those that its owner adds.

import type { App } from "../../../platform/app.ts";
import { listenedValue } from "../../../platform/caches/listened.ts";
import type { Db } from "../../../platform/db/index.ts";
import {
  NotFound,
  Unprocessable,
  checkAll,
  faultIf,
  faultOf,
  orNotFound,
} from "../../../platform/errors.ts";
import { says } from "../../../platform/text/texts.ts";
import { FOR_EVERYBODY, PERMISSIONS, bitsOf, effectiveBits, namesOf } from "./permissions.ts";
import type { Permission } from "./permissions.ts";
import {
  deleteRole,
  EVERYBODY_CHANGED,
  insertRole,
  lockRole,
  selectHolders,
  selectRoleByName,
  selectRoleCount,
  selectRoles,
  updateRole,
} from "./queries.ts";
import type { RoleRow } from "./tables.ts";

/** Everybody without another role has this one. */
export const EVERYONE_ID = "-99";
export const BUILT_IN: ReadonlySet<string> = new Set([EVERYONE_ID, "1", "2", "3"]);
export const OWNER_ID = "3";

const MAX_ROLES = 100;
const MAX_NAME = 100;
const MAX_POSITION = 999;
/** Characters that a role may allow in a post; the bound of MAX_TOOT_CHARS. */
export const MAX_CHARACTERS = 100_000;

export type RoleInput = Partial<{
  name: string;
  color: string;
  permissions: Permission[];
  highlighted: boolean;
  position: number;
  /** Null where the setting of the server applies. */
  maxCharacters: number | null;
}>;

export const listRoles = (app: App, db: Db = app.sql): Promise<RoleRow[]> =>
  selectRoles(db).then((rows) => [...rows]);

/** Throws NotFound with a sentence that lists the existing roles. */
export const findRole = async (app: App, name: string): Promise<RoleRow> => {
  const role = await selectRoleByName(app.sql, name);
  if (role) return role;
  const names = (await selectRoles(app.sql)).flatMap((role) => role.name || []);
  throw new NotFound(`There is no role "${name}". The roles are: ${names.join(", ")}.`);
};

/** Locks the role for a change. */
export const takeRole = async (db: Db, id: string): Promise<RoleRow> =>
  orNotFound(await lockRole(db, id));

/** Caches the role of those who have no other. */
export const everyonesRole = listenedValue<RoleRow>({
  name: "everybody's role",
  channel: "settings",
  key: EVERYBODY_CHANGED,
  read: async (db) => (await selectRoles(db)).find(({ id }) => id === EVERYONE_ID)!,
});

const isWithin = (value: number, least: number, most: number): boolean =>
  Number.isInteger(value) && value >= least && value <= most;

/**
 * Throws Unprocessable with every value that is out of range, and a name that another role has. `role` is as it was
 * before; null for a new one.
 */
export const checkRole = async (db: Db, input: RoleInput, role: RoleRow | null): Promise<void> => {
  const { name = "-", color = "", position = 0, permissions, maxCharacters } = input;
  const same = await selectRoleByName(db, input.name?.trim() ?? "");
  checkAll(
    faultIf(
      name.trim() === "" || name.length > MAX_NAME,
      "name",
      says("staff.roles.bad_name", { count: MAX_NAME }),
    ),
    faultIf(
      same !== null && same.id !== role?.id,
      "name",
      says("staff.roles.taken", { name: same?.name ?? "" }),
    ),
    faultIf(!/^(?:#[0-9a-f]{6})?$/i.test(color), "color", says("staff.roles.bad_colour")),
    faultIf(
      !isWithin(position, 0, MAX_POSITION),
      "position",
      says("staff.roles.bad_rank", { count: MAX_POSITION }),
    ),
    faultIf(
      !isWithin(maxCharacters ?? 1, 1, MAX_CHARACTERS),
      "max_characters",
      says("staff.roles.bad_characters", { count: MAX_CHARACTERS }),
    ),
  );
  const before = namesOf(role?.permissions ?? 0);
  // A role that came with an import may have it.
  if (permissions?.includes("administrator") && !before.includes("administrator")) {
    throw new Unprocessable(says("staff.roles.only_owner"));
  }
};

/** Returns the columns that the input sets. */
export const columnsOf = (input: RoleInput): Partial<RoleRow> => ({
  ...(input.name !== undefined && { name: input.name.trim() }),
  ...(input.color !== undefined && { color: input.color.toLowerCase() }),
  ...(input.permissions !== undefined && {
    permissions: String(bitsOf(input.permissions) | PERMISSIONS.invite_users),
  }),
  ...(input.highlighted !== undefined && { highlighted: input.highlighted }),
  ...(input.position !== undefined && { position: input.position }),
  ...(input.maxCharacters !== undefined && { max_characters: input.maxCharacters }),
});

/** Takes what `checkRole` found nothing wrong with. */
export const createRole = async (db: Db, input: RoleInput & { name: string }): Promise<string> => {
  if ((await selectRoleCount(db)) >= MAX_ROLES) {
    throw new Unprocessable(says("staff.roles.many", { count: MAX_ROLES }));
  }
  return insertRole(db, {
    name: "",
    color: "",
    highlighted: false,
    position: 1,
    max_characters: null,
    permissions: String(PERMISSIONS.invite_users),
    ...columnsOf(input),
  });
};

/** The same; leaves permissions and ranks of the built-in roles alone. */
export const modifyRole = async (db: Db, role: RoleRow, input: RoleInput): Promise<void> => {
  const isFixed = input.permissions !== undefined || input.position !== undefined;
  if (BUILT_IN.has(role.id) && isFixed) {
    throw faultOf("position", says("staff.roles.fixed_rank", { name: role.name }));
  }
  const change = columnsOf(input);
  if (Object.keys(change).length > 0) await updateRole(db, role.id, change);
};

/** Sets what everybody without another role may do: invite others, and nothing that needs trust. */
export const modifyEveryone = async (db: Db, permissions: readonly Permission[]): Promise<void> => {
  const bits = bitsOf(permissions);
  if ((bits & ~bitsOf(FOR_EVERYBODY)) !== 0) {
    throw new Unprocessable(
      `Everybody can only be given the permissions ${FOR_EVERYBODY.join(" and ")}.`,
    );
  }
  await updateRole(db, EVERYONE_ID, { permissions: String(bits) });
};

/** Refuses to remove a role while somebody has it. */
export const removeRole = async (db: Db, role: RoleRow): Promise<void> => {
  if (BUILT_IN.has(role.id))
    throw new Unprocessable(says("staff.roles.fixed", { name: role.name }));
  if ((await selectHolders(db, role.id, 1)) > 0) {
    throw new Unprocessable(says("staff.roles.in_use", { name: role.name }));
  }
  await deleteRole(db, role.id);
};

/** Makes the Role entity. */
export const roleEntity = (role: RoleRow) => ({
  id: role.id,
  name: role.name,
  color: role.color,
  permissions: String(effectiveBits(role.permissions)),
  highlighted: role.highlighted,
  // An extension for roles whose posts may have another length than everybody's.
  ...(role.max_characters !== null && { max_characters: role.max_characters }),
  collection_limit: 10,
});
