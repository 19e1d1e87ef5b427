// Parts of the forms of the settings. They are sent on to the API, and saved in place with scripts.

import type { ComponentChildren } from "preact";
import { useApp } from "../app.ts";
import { FormFields } from "../elements/form-fields.tsx";

export const SettingsForm = ({
  action,
  children,
  hasFiles,
  back,
  label,
  done,
  sure,
  atOnce,
}: {
  action: string;
  children: ComponentChildren;
  /** Saves each change at once where scripts run; only without them it needs its button. */
  atOnce?: boolean;
  /** Message that says what was saved. */
  done: string;
  /** Question before it is sent. */
  sure?: string;
  hasFiles?: boolean;
  back?: string;
  label?: string;
}) => (
  <form
    class="settings-form"
    method="post"
    action={action}
    data-act="save"
    data-done={done}
    data-sure={sure}
    data-at-once={atOnce ? "" : undefined}
    encType={hasFiles ? "multipart/form-data" : undefined}
    aria-label={label}
  >
    <FormFields {...(back !== undefined && { back })} />
    {children}
  </form>
);

export const SaveButton = () => {
  const { t } = useApp();
  return (
    <p class="settings-save">
      <button class="button">{t("settings.save")}</button>
    </p>
  );
};

export type Option = readonly [value: string, text: string];

export const SelectField = ({
  name,
  label,
  value,
  options,
}: {
  name: string;
  label: string;
  value: string;
  options: readonly Option[];
}) => (
  <label class="settings-field">
    <span>{label}</span>
    <select name={name}>
      {options.map(([each, text]) => (
        <option key={each} value={each} selected={each === value}>
          {text}
        </option>
      ))}
    </select>
  </label>
);

export const TextField = ({
  name,
  label,
  value = "",
  maxLength,
  isRequired,
}: {
  name: string;
  label: string;
  value?: string;
  maxLength?: number;
  isRequired?: boolean;
}) => (
  <label class="settings-field">
    <span>{label}</span>
    <input
      name={name}
      defaultValue={value}
      maxLength={maxLength}
      required={isRequired}
      dir="auto"
    />
  </label>
);

/** Draws a box; it is sent even when it is not ticked. */
export const CheckField = ({
  name,
  label,
  isOn,
}: {
  name: string;
  label: string;
  isOn: boolean;
}) => (
  <label class="settings-check">
    <input type="hidden" name={name} value="false" />
    <input type="checkbox" name={name} value="true" defaultChecked={isOn} />
    <span>{label}</span>
  </label>
);
