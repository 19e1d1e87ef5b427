// The page on which a person lets the server delete their old posts.

import { FieldForm } from "../forms.tsx";
import type { Field } from "../forms.tsx";
import { useText } from "../served.tsx";
import type { SettingsPages } from "../settings-pages.ts";

const numberField = (name: "min_favourites" | "min_reblogs"): Field => ({
  name,
  label: `cleanup.${name}`,
  hint: "cleanup.empty_hint",
  optional: true,
  inputmode: "numeric",
  autocomplete: "off",
  max: 7,
});

export const Cleanup = ({ data }: { data: SettingsPages["cleanup"] }) => {
  const t = useText();
  const { ages, keeps, policy } = data;
  return (
    <>
      <p>{t("cleanup.about")}</p>
      <FieldForm
        action="/settings/cleanup"
        fields={[
          { boxes: [{ name: "enabled", label: "cleanup.enabled" }] },
          {
            name: "min_days",
            label: "cleanup.older",
            options: ages.map((days) => [`${days}`, `cleanup.age_${days}`]),
          },
          {
            legend: "cleanup.keep",
            boxes: keeps.map((name) => ({ name, label: `cleanup.${name}` })),
          },
          numberField("min_favourites"),
          numberField("min_reblogs"),
        ]}
        values={policy}
        submit="cleanup.save"
      />
    </>
  );
};
