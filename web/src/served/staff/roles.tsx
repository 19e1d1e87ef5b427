// The roles: what each may do, and what everybody may do.

import { AddForm, Fields, Form } from "../forms.tsx";
import type { Field } from "../forms.tsx";
import { Rows, removal } from "../rows.tsx";
import type { Row } from "../rows.tsx";
import { useText } from "../served.tsx";
import type { OfferedPermission, Role, StaffPages } from "../staff-pages.ts";

const ROLES = "/admin/roles";

const boxes = (offered: readonly OfferedPermission[]): Field => ({
  legend: "staff.roles.may",
  wide: true,
  boxes: offered.map((name) => ({ name: `may_${name}`, label: `staff.may.${name}` })),
});

const ticked = (permissions: readonly OfferedPermission[]): Record<string, boolean> =>
  Object.fromEntries(permissions.map((name) => [`may_${name}`, true]));

const number = { optional: true, inputmode: "numeric" } as const;

const fieldsOf = (data: StaffPages["roles"], isFixed: boolean) => {
  const color = { name: "color", label: "staff.roles.colour", optional: true, max: 7 } as const;
  const limit = { name: "max_characters", label: "staff.roles.characters", max: 6 } as const;
  const rank = { name: "position", label: "staff.roles.rank", max: 3 } as const;
  const common: readonly Field[] = [
    { name: "name", label: "staff.roles.name", max: 100 },
    { ...color, hint: ["staff.roles.colour_hint", { example: "#5b3fc4" }] },
    { ...number, ...limit, hint: ["staff.roles.characters_hint", { count: data.maxCharacters }] },
  ];
  const own: Field = { ...number, ...rank, optional: false, hint: "staff.roles.rank_hint" };
  return [
    { pair: isFixed ? common : [...common, own] },
    { boxes: [{ name: "highlighted", label: "staff.roles.highlighted" }] },
    !isFixed && boxes(data.mine),
  ] satisfies (Field | false)[];
};

const Swatch = ({ color }: { color: string }) => (
  <svg class="swatch" viewBox="0 0 2 2" aria-hidden="true">
    <circle cx="1" cy="1" r="1" fill={color} />
  </svg>
);

const useRow = (data: StaffPages["roles"]) => {
  const t = useText();
  return (role: Role): Row => {
    const { id, name, color, permissions, isBuiltIn, isBelow, max_characters: limit } = role;
    const path = `${ROLES}/${id}`;
    const hasAll = permissions.length === data.offered.length;
    const names = permissions.map((name) => t(`staff.may.${name}`)).join(" · ");
    const about = [
      t("staff.roles.rank_of", { rank: String(role.position) }),
      limit !== null && t("staff.roles.characters_of", { count: limit }),
      hasAll ? t("staff.roles.everything") : names,
    ];
    return {
      id,
      title: [color && <Swatch color={color} />, name],
      badges: [
        isBuiltIn && ["staff.roles.built_in"],
        role.highlighted && ["staff.roles.badge", "good"],
      ],
      lines: [about.filter(Boolean).join(" ")],
      links: (
        <a class="button plain" href="/admin/accounts?permissions=staff">
          {t("staff.roles.people")}
        </a>
      ),
      acts: [!isBuiltIn && isBelow && removal(path, name)],
      edit: isBelow && {
        action: `${path}/update`,
        fields: fieldsOf(data, isBuiltIn),
        values: { ...role, ...ticked(permissions), permissions: undefined },
      },
    };
  };
};

export const Roles = ({ data }: { data: StaffPages["roles"] }) => {
  const t = useText();
  const { everybody } = data;
  return (
    <>
      <AddForm
        action={ROLES}
        title="staff.roles.add"
        fields={fieldsOf(data, false)}
        values={{ position: 1 }}
        of="new"
      />
      <Rows rows={data.roles.map(useRow(data))} none="staff.roles.everybody" />
      <section class="panel">
        <h2>{t("staff.roles.everybody")}</h2>
        <Form action={`${ROLES}/everybody`}>
          <Fields
            fields={[boxes(everybody.offered)]}
            values={ticked(everybody.permissions)}
            of="everybody"
          />
          <button class="button inline">{t("staff.save")}</button>
        </Form>
      </section>
    </>
  );
};
