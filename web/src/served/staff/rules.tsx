// The rules of the server.

import { AddForm } from "../forms.tsx";
import type { Field } from "../forms.tsx";
import { Rows, removal } from "../rows.tsx";
import type { Row } from "../rows.tsx";
import { useText } from "../served.tsx";
import type { StaffPages } from "../staff-pages.ts";
import { beginningOf } from "../../text/summary.ts";

const RULES = "/admin/rules";

const FIELDS: readonly Field[] = [
  { name: "text", label: "staff.rules.rule", max: 1000 },
  {
    name: "hint",
    label: "staff.rules.explanation",
    type: "textarea",
    optional: true,
    max: 5000,
    hint: "staff.rules.explanation_hint",
  },
];

/** Characters of an explanation in the list, and of a rule in the names of its buttons. */
const HINT_SHOWN = 300;
const NAME_SHOWN = 60;

export const Rules = ({ data: { rules } }: { data: StaffPages["rules"] }) => {
  const t = useText();
  const rows = rules.map((rule, place): Row => {
    const path = `${RULES}/${rule.id}`;
    const of = beginningOf(rule.text, NAME_SHOWN);
    const isLast = place === rules.length - 1;
    return {
      id: rule.id,
      title: `${place + 1}. ${rule.text}`,
      lines: [beginningOf(rule.hint, HINT_SHOWN)],
      acts: [
        place > 0 && { action: `${path}/up`, label: "staff.rules.up", of },
        !isLast && { action: `${path}/down`, label: "staff.rules.down", of },
        removal(path, of),
      ],
      editOnDemand: { list: RULES, fields: FIELDS, values: rule },
    };
  });
  return (
    <>
      <p>{t("staff.rules.about")}</p>
      <Rows rows={rows} none="staff.rules.none" />
      <AddForm
        action={RULES}
        title="staff.rules.add"
        fields={FIELDS}
        of="new"
        open={rules.length === 0}
      />
    </>
  );
};
