// The form fields of a group: who may join, when posts appear, its rules.

import { useApp } from "../app.ts";
import type { Key } from "../texts/texts.ts";

const MAX_RULES = 10;
const MAX_RULE_LENGTH = 500;
export const MAX_NOTE = 500;

const Choice = ({ name, value, labels }: { name: string; value: boolean; labels: [Key, Key] }) => {
  const { t } = useApp();
  return (
    <select id={name} name={name}>
      <option value="false" selected={!value}>
        {t(labels[0])}
      </option>
      <option value="true" selected={value}>
        {t(labels[1])}
      </option>
    </select>
  );
};

export const Policies = ({ locked, holds_posts }: { locked: boolean; holds_posts: boolean }) => {
  const { t } = useApp();
  return (
    <>
      <label for="locked">{t("groups.joining")}</label>
      <Choice name="locked" value={locked} labels={["groups.open", "groups.on_request"]} />
      <label for="holds_posts">{t("groups.holding")}</label>
      <Choice name="holds_posts" value={holds_posts} labels={["groups.at_once", "groups.held"]} />
    </>
  );
};

/** Draws rows for rules with some empty ones, which are ignored. */
export const RuleFields = ({ rules }: { rules: string[] }) => {
  const { t } = useApp();
  const rows = [...rules, ...Array<string>(3).fill("")].slice(0, MAX_RULES);
  return (
    <fieldset class="group-rules">
      <legend>{t("groups.rules")}</legend>
      {rows.map((rule, index) => (
        <input
          key={index}
          name="rules[]"
          value={rule}
          maxLength={MAX_RULE_LENGTH}
          aria-label={t("groups.rule", { number: index + 1 })}
        />
      ))}
    </fieldset>
  );
};
