// The commands `rookery roles …` and `rookery audit …`.

import {
  COMMAND_LINE,
  ConfigError,
  PERMISSION_NAMES,
  createRoleAs,
  findKnownId,
  findRole,
  listAudit,
  listRoles,
  modifyEveryoneAs,
  modifyRoleAs,
  namesOf,
  removeRoleAs,
  withApp,
} from "./uses.ts";
import { printRows } from "./print.ts";
import type { App, AuditRow, Permission, RoleInput } from "./uses.ts";

export const listRolesCommand = (options: { json?: boolean }): Promise<void> =>
  withApp(async (app) => {
    const roles = await listRoles(app);
    const shown = roles.map((role) => ({ ...role, permissions: namesOf(role.permissions) }));
    if (options.json) return console.log(JSON.stringify(shown, null, 2));
    for (const { name, position, permissions, highlighted, color, max_characters } of shown) {
      const length = max_characters !== null && `${max_characters} characters`;
      const marks = [highlighted && "badge", color, length].filter(Boolean).join(", ");
      console.log(
        `${name || "(everybody)"}\t${position}\t${permissions.join(", ")}${marks && ` [${marks}]`}`,
      );
    }
  });

type RoleOptions = {
  name?: string;
  permissions?: string;
  color?: string;
  position?: string;
  highlighted?: boolean;
  maxCharacters?: string;
};

const permissionsFrom = (text: string): Permission[] =>
  text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((name) => {
      const permission = PERMISSION_NAMES.find((word) => word === name);
      if (permission) return permission;
      throw new ConfigError(
        `There is no permission "${name}". The permissions are: ${PERMISSION_NAMES.join(", ")}.`,
      );
    });

const inputFrom = (options: RoleOptions): RoleInput => ({
  ...(options.name !== undefined && { name: options.name }),
  ...(options.permissions !== undefined && { permissions: permissionsFrom(options.permissions) }),
  ...(options.color !== undefined && { color: options.color }),
  ...(options.position !== undefined && { position: Number(options.position) }),
  ...(options.highlighted !== undefined && { highlighted: options.highlighted }),
  ...(options.maxCharacters !== undefined && {
    maxCharacters: options.maxCharacters === "default" ? null : Number(options.maxCharacters),
  }),
});

export const createRoleCommand = (name: string, options: RoleOptions): Promise<void> => {
  const input = inputFrom(options);
  return withApp(async (app) => {
    await createRoleAs(app, COMMAND_LINE, { ...input, name });
    console.log("OK");
  });
};

/** Names of the role of everybody without another role; it has no name of its own. */
const EVERYONE = new Set(["everyone", "everybody"]);

const modifyEveryoneCommand = async (app: App, { permissions, ...rest }: RoleInput) => {
  if (Object.keys(rest).length > 0 || !permissions) {
    throw new ConfigError("Only the permissions of everybody's role can be changed.");
  }
  await modifyEveryoneAs(app, COMMAND_LINE, permissions);
};

export const modifyRoleCommand = (name: string, options: RoleOptions): Promise<void> => {
  const input = inputFrom(options);
  return withApp(async (app) => {
    if (EVERYONE.has(name.toLowerCase())) await modifyEveryoneCommand(app, input);
    else await modifyRoleAs(app, COMMAND_LINE, await findRole(app, name), input);
    console.log("OK");
  });
};

export const removeRoleCommand = (name: string): Promise<void> =>
  withApp(async (app) => {
    await removeRoleAs(app, COMMAND_LINE, await findRole(app, name));
    console.log("OK");
  });

type AuditOptions = { by?: string; action?: string; limit: string; json?: boolean };

const line = ({ created_at: at, username, action, target_type: type, ...row }: AuditRow): string =>
  [
    at.toISOString(),
    username ? `@${username}` : row.account_id === null ? "(command line)" : row.account_id,
    action,
    type === null ? "" : `${row.target_label || row.target_id}`,
  ].join("\t");

export const listAuditCommand = (options: AuditOptions): Promise<void> =>
  withApp(async (app) => {
    const accountId = options.by ? await findKnownId(app, options.by) : null;
    if (options.by && !accountId) throw new ConfigError(`There is no account ${options.by} here.`);
    const limit = Math.min(Math.max(1, Number(options.limit) || 50), 10_000);
    const page = { maxId: null, sinceId: null, minId: null, limit };
    const rows = await listAudit(app, page, {
      accountId,
      actions: options.action ? [options.action] : null,
    });
    printRows(rows, options.json, line);
  });
