// Manages roles: what each may do, who has one, and what everybody may do.

import type { OfferedPermission } from "../../../web/src/served/staff-pages.ts";
import type { App } from "../../platform/app.ts";
import { NotFound } from "../../platform/errors.ts";
import type { Server } from "../../platform/http/server.ts";
import { isKey } from "../../platform/text/texts.ts";
import {
  createRoleAs,
  modifyEveryoneAs,
  modifyRoleAs,
  removeRoleAs,
} from "../../domain/staff/moderation/roles.ts";
import { view } from "../../domain/people/users/pages/framed.ts";
import {
  effectiveBits,
  FOR_EVERYBODY,
  PERMISSION_NAMES,
  PERMISSIONS,
} from "../../domain/base/roles/permissions.ts";
import type { Permission } from "../../domain/base/roles/permissions.ts";
import { BUILT_IN, EVERYONE_ID, listRoles } from "../../domain/base/roles/roles.ts";
import type { RoleInput } from "../../domain/base/roles/roles.ts";
import type { RoleRow } from "../../domain/base/roles/tables.ts";
import { formsOf } from "./forms.ts";
import { entered, idOf, sendAdmin, staffPage } from "./frame.ts";
import type { Show, Staff } from "./frame.ts";

const ROLES = "/admin/roles";
const ACTS = ["roles.write"] as const;

const DONE = {
  added: "staff.roles.added",
  saved: "staff.roles.saved",
  removed: "staff.roles.removed",
} as const;

const OFFERED = PERMISSION_NAMES.filter((name): name is OfferedPermission =>
  isKey(`staff.may.${name}`),
);

const within = <Name extends Permission>(names: readonly Name[], bits: number): Name[] =>
  names.filter((name) => (bits & PERMISSIONS[name]) !== 0);

const show: Show = async (context, problem, faults) => {
  const { app, actor, t } = context;
  const roles = await listRoles(app);
  const everyone = roles.find(({ id }) => id === EVERYONE_ID)!;
  return sendAdmin(context, {
    title: t("staff.section.roles"),
    problem,
    faults,
    done: DONE,
    view: view("roles", {
      roles: roles
        .filter(({ id }) => id !== EVERYONE_ID)
        .map((role) => ({
          ...role,
          permissions: within(OFFERED, effectiveBits(role.permissions)),
          isBuiltIn: BUILT_IN.has(role.id),
          isBelow: role.position < actor.position,
        })),
      offered: OFFERED,
      // Nobody can give others a permission that they lack themselves.
      mine: within(OFFERED, actor.permissions),
      everybody: {
        offered: FOR_EVERYBODY,
        permissions: within(FOR_EVERYBODY, Number(everyone.permissions)),
      },
      maxCharacters: app.config.instance.maxCharacters,
    }),
  });
};

const chosen = (context: Staff, offered: readonly Permission[]): Permission[] => {
  const fields = entered(context);
  return offered.filter((name) => fields[`may_${name}`] === "1");
};

/** Parses the limit; an empty field means the server's setting. */
const charactersFrom = (text = ""): number | null => (text.trim() === "" ? null : Number(text));

const inputFrom = (context: Staff): RoleInput & { name: string } => {
  const { name = "", color = "", position, highlighted, max_characters } = entered(context);
  return {
    name,
    maxCharacters: charactersFrom(max_characters),
    color: color.trim(),
    highlighted: highlighted === "1",
    ...(position !== undefined && {
      position: Number(position || Number.NaN),
      permissions: chosen(context, OFFERED),
    }),
  };
};

const roleOf = async (context: Staff): Promise<RoleRow> => {
  const id = idOf(context);
  const role = (await listRoles(context.app)).find((role) => role.id === id);
  if (!role) throw new NotFound();
  return role;
};

export const rolePages = (pages: Server, app: App): void => {
  const take = formsOf(pages, app, ROLES, ACTS, show);
  pages.get(ROLES, staffPage(app, ACTS, show));
  take(ROLES, "added", (context) => createRoleAs(app, context.actor, inputFrom(context)));
  take(`${ROLES}/everybody`, "saved", (context) =>
    modifyEveryoneAs(app, context.actor, chosen(context, FOR_EVERYBODY)),
  );
  take(`${ROLES}/:id/update`, "saved", async (context) =>
    modifyRoleAs(app, context.actor, await roleOf(context), inputFrom(context)),
  );
  take(`${ROLES}/:id/delete`, "removed", async (context) =>
    removeRoleAs(app, context.actor, await roleOf(context)),
  );
};
