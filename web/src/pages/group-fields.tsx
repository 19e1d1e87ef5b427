// The form fields of a group: who may join, when posts appear, its rules.

import { useApp } from "../app.ts";
import { FieldNotes, useField } from "../elements/fields.tsx";
import type { Option } from "../elements/fields.tsx";
import type { Key } from "../texts/texts.ts";
import { listed } from "../../../texts/lists.ts";
import { SelectField, TextField } from "../views/settings-form.tsx";

const MAX_RULES = 10;
const MAX_RULE_LENGTH = 500;
const MAX_NOTE = 500;

type ChoiceProps = { name: string; label: Key; value: boolean; labels: [Key, Key] };

const Choice = ({ name, label, value, labels: [no, yes] }: ChoiceProps) => {
  const { t } = useApp();
  const options: Option[] = [
    ["false", t(no)],
    ["true", t(yes)],
  ];
  return <SelectField name={name} label={t(label)} value={String(value)} options={options} />;
};

export const Profile = ({ name = "", note = "" }: { name?: string; note?: string }) => {
  const { t } = useApp();
  return (
    <>
      <TextField name="display_name" label={t("groups.title")} maxLength={30} value={name} />
      <TextField
        name="note"
        label={t("groups.note")}
        type="textarea"
        rows={3}
        maxLength={MAX_NOTE}
        value={note}
      />
    </>
  );
};

export const Policies = ({ locked, holds_posts }: { locked: boolean; holds_posts: boolean }) => (
  <>
    <Choice
      name="locked"
      label="groups.joining"
      value={locked}
      labels={["groups.open", "groups.on_request"]}
    />
    <Choice
      name="holds_posts"
      label="groups.holding"
      value={holds_posts}
      labels={["groups.at_once", "groups.held"]}
    />
  </>
);

/** Draws rows for rules with some empty ones, which are ignored. */
export const RuleFields = ({ rules }: { rules: string[] }) => {
  const { locale, t } = useApp();
  const saved = { values: rules, text: listed(locale, rules) };
  const { id, fault, other, entered, attributes } = useField({ name: "rules[]", saved });
  const filled = (entered ?? rules).filter((rule) => rule !== "");
  const rows = [...filled, ...Array<string>(3).fill("")].slice(
    0,
    Math.max(MAX_RULES, filled.length),
  );
  return (
    <fieldset class="group-rules">
      <legend>{t("groups.rules")}</legend>
      {rows.map((rule, index) => (
        <input
          key={index}
          name="rules[]"
          defaultValue={rule}
          {...attributes}
          dir="auto"
          maxLength={MAX_RULE_LENGTH}
          aria-label={t("groups.rule", { number: index + 1 })}
        />
      ))}
      <FieldNotes id={id} fault={fault} other={other} />
    </fieldset>
  );
};
