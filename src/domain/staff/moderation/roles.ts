// Manages roles for the staff: nobody makes one that ranks as high as their own, or may do more.

import type { VerbOf } from "../../base/audit/actions.ts";
import type { App } from "../../../platform/app.ts";
import { requireAsDrawn } from "../../../platform/drawn.ts";
import { Forbidden } from "../../../platform/errors.ts";
import { says } from "../../../platform/text/texts.ts";
import { bitsOf, effectiveBits } from "../../base/roles/permissions.ts";
import type { Actor, Permission } from "../../base/roles/permissions.ts";
import {
  EVERYONE_ID,
  checkRole,
  columnsOf,
  createRole,
  modifyEveryone,
  modifyRole,
  removeRole,
  takeRole,
} from "../../base/roles/roles.ts";
import type { RoleInput } from "../../base/roles/roles.ts";
import type { RoleRow } from "../../base/roles/tables.ts";
import { recorded } from "../../base/audit/recorded.ts";

const requireBelow = (actor: Actor, { position, permissions }: RoleInput): void => {
  const tooHigh = position !== undefined && position >= actor.position;
  const tooMuch = (bitsOf(permissions ?? []) & ~actor.permissions) !== 0;
  if (tooHigh || tooMuch) {
    throw new Forbidden(says("staff.roles.above"), tooHigh ? "position" : "permissions");
  }
};

const requireOver = (actor: Actor, role: RoleRow): void =>
  requireBelow(actor, { position: role.position });

const entry = (verb: VerbOf<"role">, id: string, label: string, input: RoleInput = {}) => ({
  action: `role.${verb}` as const,
  target: { type: "role", id, label },
  details: { ...input },
});

export const createRoleAs = (
  app: App,
  actor: Actor,
  input: RoleInput & { name: string },
): Promise<string> =>
  recorded(app, actor, "roles.write", async (tx) => {
    await checkRole(tx, input, null);
    requireBelow(actor, { position: 1, ...input });
    const id = await createRole(tx, input);
    return { result: id, entry: entry("create", id, input.name, input) };
  });

/** `mark`: that of the form (platform/drawn.ts). */
export const modifyRoleAs = (
  app: App,
  actor: Actor,
  { id }: Pick<RoleRow, "id">,
  input: RoleInput,
  mark?: string,
): Promise<void> =>
  recorded(app, actor, "roles.write", async (tx) => {
    const role = await takeRole(tx, id);
    requireAsDrawn(role, mark, columnsOf(input));
    requireOver(actor, role);
    await checkRole(tx, input, role);
    // Permissions that the actor lacks cannot be taken from a role either.
    if (input.permissions && (effectiveBits(role.permissions) & ~actor.permissions) !== 0) {
      throw new Forbidden(says("staff.roles.more"));
    }
    requireBelow(actor, input);
    await modifyRole(tx, role, input);
    return { entry: entry("update", role.id, role.name, input) };
  });

export const modifyEveryoneAs = (
  app: App,
  actor: Actor,
  permissions: readonly Permission[],
  mark?: string,
): Promise<void> =>
  recorded(app, actor, "roles.write", async (tx) => {
    requireAsDrawn(await takeRole(tx, EVERYONE_ID), mark, {
      permissions: String(bitsOf(permissions)),
    });
    await modifyEveryone(tx, permissions);
    const details = { permissions: [...permissions] };
    return { entry: entry("update", EVERYONE_ID, "(everybody)", details) };
  });

export const removeRoleAs = (app: App, actor: Actor, role: RoleRow): Promise<void> =>
  recorded(app, actor, "roles.write", async (tx) => {
    requireOver(actor, role);
    await removeRole(tx, role);
    return { entry: entry("delete", role.id, role.name) };
  });
