// Roles: what each may do, who has one, and what everybody may do.

import type { App } from "../../platform/app.ts";
import { NotFound } from "../../platform/errors.ts";
import type { Server } from "../../platform/http/server.ts";
import { html } from "../../platform/text/html.ts";
import type { Html, HtmlValue } from "../../platform/text/html.ts";
import {
  createRoleAs,
  modifyEveryoneAs,
  modifyRoleAs,
  removeRoleAs,
} from "../../domain/moderation/roles.ts";
import { inputField } from "../../domain/people/pages/parts.ts";
import {
  effectiveBits,
  FOR_EVERYBODY,
  PERMISSION_NAMES,
  PERMISSIONS,
} from "../../domain/roles/permissions.ts";
import type { Permission } from "../../domain/roles/permissions.ts";
import { BUILT_IN, EVERYONE_ID, listRoles } from "../../domain/roles/roles.ts";
import type { RoleInput } from "../../domain/roles/roles.ts";
import type { RoleRow } from "../../domain/roles/tables.ts";
import { formsOf } from "./forms.ts";
import { button, editPart, entered, enteredAt, form, idOf, sendAdmin, staffPage } from "./frame.ts";
import type { Staff } from "./frame.ts";
import { addPart, badge, checkbox } from "./parts.ts";

const ROLES = "/admin/roles";
const ACTS = ["roles.write"] as const;

const DONE = {
  added: "The role has been added.",
  saved: "The role has been saved.",
  removed: "The role has been removed.",
};

/** Of what this server has; the rest of the bits is known to apps only. */
const LABELS: Partial<Record<Permission, string>> = {
  view_dashboard: "See the figures of the server",
  view_audit_log: "See the audit log",
  manage_reports: "Decide reports, and limit accounts",
  manage_users: "Manage people and their sign-ups",
  manage_appeals: "Decide appeals",
  manage_taxonomies: "Review trends and hashtags",
  manage_federation: "Block and allow servers",
  manage_blocks: "Block IP addresses and email providers",
  manage_rules: "Change the rules",
  manage_announcements: "Write announcements",
  manage_custom_emojis: "Manage custom emojis",
  manage_invites: "See and end invitations",
  manage_settings: "Change the settings of the server",
  manage_webhooks: "Manage webhooks",
  manage_roles: "Give and change roles below their own",
  delete_user_data: "Delete the data of accounts at once",
  invite_users: "Invite people",
  invite_bypass_approval: "Invite people without approval of their sign-up",
};

const OFFERED = PERMISSION_NAMES.filter((name) => LABELS[name]);

const boxes = (offered: readonly Permission[], bits: number, of: string): Html =>
  html`<fieldset class="choices wide">
    <legend>May</legend>
    ${offered.map((name) =>
      checkbox(`may_${name}`, LABELS[name]!, (bits & PERMISSIONS[name]) !== 0, `${name}-${of}`),
    )}
  </fieldset>`;

const EMPTY = { name: "", color: "", position: 1, highlighted: false, permissions: "0" };

const fields = (
  { actor }: Staff,
  role: Omit<RoleRow, "id">,
  fixed: boolean,
  of = "new",
): HtmlValue => {
  // What one may not do oneself, nobody gets from one.
  const mine = OFFERED.filter((name) => (actor.permissions & PERMISSIONS[name]) !== 0);
  return html`<div class="pair">
      ${inputField({ name: "name", id: `name-${of}`, label: "Name", value: role.name, maxlength: 100 })}
      ${inputField({ name: "color", id: `color-${of}`, label: "Colour", value: role.color, optional: true, maxlength: 7, hint: "Like #5b3fc4; empty for none." })}
      ${!fixed && inputField({ name: "position", id: `position-${of}`, label: "Rank", value: String(role.position), inputmode: "numeric", maxlength: 3, hint: "People act only on those with a lower rank." })}
    </div>
    <div class="choices">
      ${checkbox("highlighted", "Show as a badge on profiles", role.highlighted, `highlighted-${of}`)}
    </div>
    ${!fixed && boxes(mine, effectiveBits(role.permissions), of)}`;
};

const item = (context: Staff, role: RoleRow): Html => {
  const path = `${ROLES}/${role.id}`;
  const isFixed = BUILT_IN.has(role.id);
  const isBelow = role.position < context.actor.position;
  const names = OFFERED.filter((name) => effectiveBits(role.permissions) & PERMISSIONS[name]);
  const all =
    names.length === OFFERED.length ? "Everything" : names.map((name) => LABELS[name]).join(" · ");
  return html`<li>
    <div class="what">
      <strong
        >${role.color && html`<svg class="swatch" viewBox="0 0 2 2" aria-hidden="true"><circle cx="1" cy="1" r="1" fill="${role.color}" /></svg>`}${role.name}
        ${isFixed && badge("built in")} ${role.highlighted && badge("badge", "good")}</strong
      >
      <span>Rank ${role.position}. ${all}</span>
    </div>
    <div class="buttons">
      <a class="button plain" href="/admin/accounts?permissions=staff">People</a>
      ${!isFixed && isBelow && button(context, { action: `${path}/delete`, label: "Remove", of: role.name, kind: "bad" })}
    </div>
    ${isBelow && editPart(context, `${path}/update`, fields(context, role, isFixed, role.id))}
  </li>`;
};

const show = async (context: Staff, problem?: string) => {
  const roles = await listRoles(context.app);
  const everyone = roles.find(({ id }) => id === EVERYONE_ID)!;
  return sendAdmin(context, {
    title: "Roles",
    problem,
    done: DONE,
    body: html`${addPart(
        "Add a role",
        problem !== undefined,
        form(
          context,
          ROLES,
          html`${fields(context, roleEntered(context), false)}
            <button class="button inline">Add</button>`,
        ),
      )}
      <ul class="rows">
        ${roles.filter(({ id }) => id !== EVERYONE_ID).map((role) => item(context, role))}
      </ul>
      <section class="panel">
        <h2>Everybody</h2>
        ${form(
          context,
          `${ROLES}/everybody`,
          html`${boxes(FOR_EVERYBODY, Number(everyone.permissions), "everybody")}
            <button class="button inline">Save</button>`,
        )}
      </section>`,
  });
};

const chosen = (context: Staff, offered: readonly Permission[]): Permission[] => {
  const fields = entered(context);
  return offered.filter((name) => fields[`may_${name}`] === "1");
};

/** What was entered, to be shown again. */
const roleEntered = (context: Staff): Omit<RoleRow, "id"> => {
  const fields = enteredAt(context, ROLES);
  if (fields["name"] === undefined) return EMPTY;
  const bits = chosen(context, OFFERED).reduce((sum, name) => sum | PERMISSIONS[name], 0);
  return {
    name: fields["name"],
    color: fields["color"] ?? "",
    position: Number(fields["position"]) || 1,
    highlighted: fields["highlighted"] === "1",
    permissions: String(bits),
  };
};

const inputFrom = (context: Staff): RoleInput & { name: string } => {
  const { name = "", color = "", position, highlighted } = entered(context);
  return {
    name,
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
