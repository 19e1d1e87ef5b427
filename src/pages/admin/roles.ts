// Manages roles: what each may do, who has one, and what everybody may do.

import type { App } from "../../platform/app.ts";
import { NotFound } from "../../platform/errors.ts";
import type { Server } from "../../platform/http/server.ts";
import { html } from "../../platform/text/html.ts";
import type { Html, HtmlValue } from "../../platform/text/html.ts";
import type { Key, Say } from "../../platform/text/texts.ts";
import {
  createRoleAs,
  modifyEveryoneAs,
  modifyRoleAs,
  removeRoleAs,
} from "../../domain/staff/moderation/roles.ts";
import { inputField } from "../../domain/people/users/pages/components.ts";
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
import { button, editPart, entered, enteredAt, form, idOf, sendAdmin, staffPage } from "./frame.ts";
import type { Staff } from "./frame.ts";
import { addPart, badge, checkbox } from "./components.ts";

const ROLES = "/admin/roles";
const ACTS = ["roles.write"] as const;

const DONE = {
  added: "staff.roles.added",
  saved: "staff.roles.saved",
  removed: "staff.roles.removed",
} as const;

/** Labels of the permissions that this server uses; only apps know the other bits. */
const LABELS: Partial<Record<Permission, Key>> = {
  view_dashboard: "staff.may.view_dashboard",
  view_audit_log: "staff.may.view_audit_log",
  manage_reports: "staff.may.manage_reports",
  manage_users: "staff.may.manage_users",
  manage_appeals: "staff.may.manage_appeals",
  manage_taxonomies: "staff.may.manage_taxonomies",
  manage_federation: "staff.may.manage_federation",
  manage_blocks: "staff.may.manage_blocks",
  manage_rules: "staff.may.manage_rules",
  manage_announcements: "staff.may.manage_announcements",
  manage_custom_emojis: "staff.may.manage_custom_emojis",
  manage_invites: "staff.may.manage_invites",
  manage_settings: "staff.may.manage_settings",
  manage_webhooks: "staff.may.manage_webhooks",
  manage_roles: "staff.may.manage_roles",
  delete_user_data: "staff.may.delete_user_data",
  invite_users: "staff.may.invite_users",
  invite_bypass_approval: "staff.may.invite_bypass_approval",
};

const OFFERED = PERMISSION_NAMES.filter((name) => LABELS[name]);

const boxes = (t: Say, offered: readonly Permission[], bits: number, of: string): Html =>
  html`<fieldset class="choices wide">
    <legend>${t("staff.roles.may")}</legend>
    ${offered.map((name) =>
      checkbox(`may_${name}`, t(LABELS[name]!), (bits & PERMISSIONS[name]) !== 0, `${name}-${of}`),
    )}
  </fieldset>`;

const EMPTY = {
  name: "",
  color: "",
  position: 1,
  highlighted: false,
  permissions: "0",
  max_characters: null,
};

const fields = (
  { actor, t, app }: Staff,
  role: Omit<RoleRow, "id">,
  fixed: boolean,
  of = "new",
): HtmlValue => {
  // Nobody can give others a permission that they lack themselves.
  const mine = OFFERED.filter((name) => (actor.permissions & PERMISSIONS[name]) !== 0);
  return html`<div class="pair">
      ${inputField({ name: "name", id: `name-${of}`, label: t("staff.roles.name"), value: role.name, maxlength: 100 })}
      ${inputField({ name: "color", id: `color-${of}`, label: t("staff.roles.colour"), value: role.color, optional: true, maxlength: 7, hint: t("staff.roles.colour_hint", { example: "#5b3fc4" }) })}
      ${inputField({ name: "max_characters", id: `characters-${of}`, label: t("staff.roles.characters"), value: String(role.max_characters ?? ""), optional: true, inputmode: "numeric", maxlength: 6, hint: t("staff.roles.characters_hint", { count: app.config.instance.maxCharacters }) })}
      ${!fixed && inputField({ name: "position", id: `position-${of}`, label: t("staff.roles.rank"), value: String(role.position), inputmode: "numeric", maxlength: 3, hint: t("staff.roles.rank_hint") })}
    </div>
    <div class="choices">
      ${checkbox("highlighted", t("staff.roles.highlighted"), role.highlighted, `highlighted-${of}`)}
    </div>
    ${!fixed && boxes(t, mine, effectiveBits(role.permissions), of)}`;
};

const item = (context: Staff, role: RoleRow): Html => {
  const path = `${ROLES}/${role.id}`;
  const { t } = context;
  const isFixed = BUILT_IN.has(role.id);
  const isBelow = role.position < context.actor.position;
  const names = OFFERED.filter((name) => effectiveBits(role.permissions) & PERMISSIONS[name]);
  const all =
    names.length === OFFERED.length
      ? t("staff.roles.everything")
      : names.map((name) => t(LABELS[name]!)).join(" · ");
  return html`<li>
    <div class="what">
      <strong
        >${role.color && html`<svg class="swatch" viewBox="0 0 2 2" aria-hidden="true"><circle cx="1" cy="1" r="1" fill="${role.color}" /></svg>`}${role.name}
        ${isFixed && badge(t("staff.roles.built_in"))}
        ${role.highlighted && badge(t("staff.roles.badge"), "good")}</strong
      >
      <span
        >${t("staff.roles.rank_of", { rank: String(role.position) })}
        ${role.max_characters !== null && t("staff.roles.characters_of", { count: role.max_characters })}
        ${all}</span
      >
    </div>
    <div class="buttons">
      <a class="button plain" href="/admin/accounts?permissions=staff"
        >${t("staff.roles.people")}</a
      >
      ${!isFixed && isBelow && button(context, { action: `${path}/delete`, label: t("staff.remove"), of: role.name, kind: "bad" })}
    </div>
    ${isBelow && editPart(context, `${path}/update`, fields(context, role, isFixed, role.id))}
  </li>`;
};

const show = async (context: Staff, problem?: string) => {
  const { t } = context;
  const roles = await listRoles(context.app);
  const everyone = roles.find(({ id }) => id === EVERYONE_ID)!;
  return sendAdmin(context, {
    title: t("staff.section.roles"),
    problem,
    done: DONE,
    body: html`${addPart(
        t("staff.roles.add"),
        problem !== undefined,
        form(
          context,
          ROLES,
          html`${fields(context, roleEntered(context), false)}
            <button class="button inline">${t("staff.add")}</button>`,
        ),
      )}
      <ul class="rows">
        ${roles.filter(({ id }) => id !== EVERYONE_ID).map((role) => item(context, role))}
      </ul>
      <section class="panel">
        <h2>${t("staff.roles.everybody")}</h2>
        ${form(
          context,
          `${ROLES}/everybody`,
          html`${boxes(t, FOR_EVERYBODY, Number(everyone.permissions), "everybody")}
            <button class="button inline">${t("staff.save")}</button>`,
        )}
      </section>`,
  });
};

const chosen = (context: Staff, offered: readonly Permission[]): Permission[] => {
  const fields = entered(context);
  return offered.filter((name) => fields[`may_${name}`] === "1");
};

/** Parses the limit; an empty field means the server's setting. */
const charactersFrom = (text = ""): number | null => (text.trim() === "" ? null : Number(text));

/** Returns what was entered, to be shown again. */
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
    max_characters: charactersFrom(fields["max_characters"]),
  };
};

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
