// Parts of the forms of the settings. They are sent on to the API, and saved in place with scripts.

import type { ComponentChildren } from "preact";
import { useApp } from "../app.ts";
import { BoxField, InputField, SelectField as Select } from "../elements/fields.tsx";
import type { Named, Option } from "../elements/fields.tsx";
import { FormFields } from "../elements/form-fields.tsx";
import { Refusable } from "../elements/refusable.tsx";

export const SettingsForm = ({
  action,
  children,
  hasFiles,
  back,
  label,
  done,
  sure,
  sureText,
  atOnce,
  isFresh,
  drawn,
  ...more
}: {
  action: string;
  children?: ComponentChildren;
  /** Saves each change at once where scripts run; only without them it needs its button. */
  atOnce?: boolean;
  /** Message that says what was saved. */
  done: string;
  /** Question before it is sent. */
  sure?: string;
  /** What it brings. */
  sureText?: string;
  hasFiles?: boolean;
  back?: string;
  label?: string;
  class?: string;
  /** Lets a button elsewhere on the page send it. */
  id?: string;
  /** Empties it after sending, because it makes something. */
  isFresh?: boolean;
  /** What it shows, as the API says it, so that it undoes nothing that is saved elsewhere meanwhile. */
  drawn?: object;
}) => (
  <form
    id={more.id}
    class={more.class ?? "settings-form"}
    method="post"
    action={action}
    noValidate
    data-act="save"
    data-done={done}
    data-sure={sure}
    data-sure-text={sureText}
    data-at-once={atOnce ? "" : undefined}
    data-fresh={isFresh ? "" : undefined}
    encType={hasFiles ? "multipart/form-data" : undefined}
    aria-label={label}
  >
    {drawn && <input type="hidden" name="drawn" value={JSON.stringify(drawn)} />}
    <FormFields {...(back !== undefined && { back })} done={done} />
    <Refusable action={action}>{children}</Refusable>
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

export type { Option };

const FIELD = "settings-field";

type OneOf = Named & { value: string; options: readonly Option[] };

export const SelectField = (props: OneOf) => <Select {...props} class={FIELD} />;

type TextProps = Named & {
  value?: string;
  maxLength?: number;
  isRequired?: boolean;
  type?: "text" | "time" | "textarea";
  rows?: number;
  autocomplete?: "off";
  isExact?: boolean;
  onInput?: (event: InputEvent & { currentTarget: { value: string } }) => void;
};

export const TextField = ({ isRequired, ...props }: TextProps) => (
  <InputField {...(props as object & Named)} required={isRequired} class={FIELD} />
);

/** Draws a box; it is sent even when it is not ticked. */
export const CheckField = (props: Named & { isOn: boolean }) => (
  <BoxField {...props} value="true" off="false" class="settings-check" />
);
