// Manages roles: what each may do, who has one, and what everybody may do.

import type { Field, Part, Row } from "../../../web/src/served/part-pages.ts";
import { orNotFound } from "../../platform/errors.ts";
import { isKey } from "../../platform/text/texts.ts";
import {
  createRoleAs,
  modifyEveryoneAs,
  modifyRoleAs,
  removeRoleAs,
} from "../../domain/staff/moderation/roles.ts";
import {
  bitsOf,
  effectiveBits,
  FOR_EVERYBODY,
  namesOf,
  PERMISSION_NAMES,
  PERMISSIONS,
} from "../../domain/base/roles/permissions.ts";
import type { Permission } from "../../domain/base/roles/permissions.ts";
import { BUILT_IN, EVERYONE_ID, listRoles } from "../../domain/base/roles/roles.ts";
import type { RoleInput } from "../../domain/base/roles/roles.ts";
import type { RoleRow } from "../../domain/base/roles/tables.ts";
import { removal } from "./page-parts.ts";
import { carryOut, drawnIn, drawnWith, pageWithForms } from "./forms.ts";
import { entered, idOf, sendAdmin } from "./frame.ts";
import type { Show, Staff } from "./frame.ts";

const ROLES = "/admin/roles";
const ACTS = ["roles.write"] as const;

/** Permissions that this server uses, with their names; only apps know the other bits. */
const OFFERED = PERMISSION_NAMES.flatMap((name) => {
  const label = `staff.may.${name}`;
  return isKey(label) ? { name, label } : [];
});

type Offered = (typeof OFFERED)[number];

const within = (bits: number): Offered[] =>
  OFFERED.filter(({ name }) => (bits & PERMISSIONS[name]) !== 0);

const boxes = (offered: Offered[]): Field => ({
  name: "permissions",
  legend: "staff.roles.may",
  wide: true,
  boxes: offered.map(({ name, label }) => ({ name: `may_${name}`, label })),
});

const ticked = (bits: number) =>
  Object.fromEntries(within(bits).map(({ name }) => [`may_${name}`, true]));

const number = { inputmode: "numeric" } as const;

const fieldsOf = ({ actor, app }: Staff, isFixed: boolean): (Field | false)[] => {
  const color = { name: "color", label: "staff.roles.colour", max: 7, optional: true } as const;
  const limit = {
    name: "max_characters",
    label: "staff.roles.characters",
    optional: true,
  } as const;
  const rank = { name: "position", label: "staff.roles.rank" } as const;
  const count = app.config.instance.maxCharacters;
  const common: Field[] = [
    { name: "name", label: "staff.roles.name", max: 100 },
    { ...color, hint: ["staff.roles.colour_hint", { example: "#5b3fc4" }] },
    { ...number, ...limit, hint: ["staff.roles.characters_hint", { count }] },
  ];
  return [
    { pair: isFixed ? common : [...common, { ...number, ...rank, hint: "staff.roles.rank_hint" }] },
    { boxes: [{ name: "highlighted", label: "staff.roles.highlighted" }] },
    // Nobody can give others a permission that they lack themselves.
    !isFixed && boxes(within(actor.permissions)),
  ];
};

const rowOf = (context: Staff, role: RoleRow): Row => {
  const { actor, t } = context;
  const { id, name, color, max_characters: limit } = role;
  const path = `${ROLES}/${id}`;
  const isFixed = BUILT_IN.has(id);
  const isBelow = role.position < actor.position;
  const bits = effectiveBits(role.permissions);
  const names = within(bits);
  return {
    title: [color && { swatch: color }, name],
    badges: [
      isFixed && { badge: "staff.roles.built_in" },
      role.highlighted && { badge: "staff.roles.badge", kind: "good" },
    ],
    lines: [
      [
        t("staff.roles.rank_of", { rank: String(role.position) }),
        limit !== null && t("staff.roles.characters_of", { count: limit }),
        names.length === OFFERED.length
          ? t("staff.roles.everything")
          : names.map(({ label }) => t(label)).join(" · "),
      ],
    ],
    acts: [
      {
        link: "/admin/accounts?permissions=staff",
        text: t("staff.roles.people"),
        isButton: true,
      },
      !isFixed && isBelow && removal(path, name),
    ],
    edit: isBelow && {
      ...drawnWith(context, `${path}/update`, role),
      fields: fieldsOf(context, isFixed),
      values: { ...role, ...ticked(bits) },
      of: id,
    },
  };
};

const everybody = (context: Staff, role: RoleRow): Part => ({
  panel: [
    { heading: "staff.roles.everybody" },
    {
      form: {
        ...drawnWith(context, `${ROLES}/everybody`, role),
        fields: [boxes(within(bitsOf(FOR_EVERYBODY)))],
        values: ticked(Number(role.permissions)),
        of: "everybody",
      },
    },
  ],
});

const show: Show = async (context) => {
  const all = await listRoles(context.app);
  const roles = all.filter(({ id }) => id !== EVERYONE_ID);
  const fields = fieldsOf(context, false);
  const title = "staff.roles.add";
  return sendAdmin(context, {
    parts: [
      { add: { action: ROLES, title, fields, values: { position: 1 }, of: "new" } },
      { rows: roles.map((role) => rowOf(context, role)), kind: "long" },
      everybody(
        context,
        all.find(({ id }) => id === EVERYONE_ID)!,
      ),
    ],
  });
};

const NAMES = OFFERED.map(({ name }) => name);

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
      permissions: chosen(context, NAMES),
    }),
  };
};

const roleOf = async (context: Staff): Promise<RoleRow> => {
  const id = idOf(context);
  return orNotFound((await listRoles(context.app)).find((role) => role.id === id));
};

export const rolePages = pageWithForms({ path: ROLES, read: ACTS, show }, [
  ["", "staff.roles.added", carryOut(createRoleAs, inputFrom)],
  [
    "/everybody",
    "staff.roles.saved",
    carryOut(modifyEveryoneAs, (context) => chosen(context, FOR_EVERYBODY)),
  ],
  [
    "/:id/update",
    "staff.roles.saved",
    async (context) => {
      const role = await roleOf(context);
      const { permissions, ...input } = inputFrom(context);
      // What the form does not offer stays: apps or the command line gave it.
      const hidden = namesOf(role.permissions).filter((name) => !NAMES.includes(name));
      const whole = { ...input, ...(permissions && { permissions: [...permissions, ...hidden] }) };
      await modifyRoleAs(context.app, context.actor, role, whole, drawnIn(context));
    },
  ],
  ["/:id/delete", "staff.roles.removed", carryOut(removeRoleAs, roleOf)],
]);
