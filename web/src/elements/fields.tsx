// Fields of forms: label, hint and input. Within a form that was refused they have what was entered, say what is wrong,
// and the first of them that is wrong has the focus. The client's forms and those of the server's own pages have them.

import type { ComponentChildren, InputHTMLAttributes } from "preact";
import { useContext } from "preact/hooks";
import { useApp } from "../app.ts";
import type { Refused } from "../app.ts";
import type { Key } from "../texts/texts.ts";
import { listed } from "../../../texts/lists.ts";
import { RefusedHere } from "./refusable.tsx";

/** Returns the fault of a field; that of a list has its name without `[]`, that of a preference the end of its name. */
const faultOf = ({ faults }: Refused, name: string): string | undefined =>
  faults[name] ?? faults[name.replace(/^.*:|\[\]$/g, "")];

export type Named = {
  name: string;
  label: ComponentChildren;
  hint?: ComponentChildren;
  /** Sets the id apart where a page has several fields of the name. */
  of?: string | undefined;
};

/** What is saved now: what the field would send, and in words. */
type Saved = { values: readonly string[]; text: string };

const asSent = (values: readonly string[]): string =>
  values.filter(Boolean).toSorted().join("\n").replaceAll("\r\n", "\n");

const isOther = (entered: readonly string[] = [], { values }: Saved): boolean =>
  asSent(entered) !== asSent(values);

type Asked = Omit<Named, "label"> & { saved?: Saved | undefined };

export const useField = ({ name, hint, of, saved }: Asked) => {
  const refused = useContext(RefusedHere);
  const id = of === undefined ? name : `${name}-${of}`;
  const fault = refused ? faultOf(refused, name) : undefined;
  const entered = refused?.fields?.[name];
  const wasSent = Boolean(refused?.fields);
  const other = refused?.isStale && saved && isOther(entered, saved) ? saved.text : undefined;
  const notes = { hint, fault, saved: other !== undefined };
  const about = Object.entries(notes).flatMap(([kind, isThere]) =>
    isThere ? `${id}-${kind}` : [],
  );
  return {
    id,
    fault,
    other,
    /** All that was entered by the name; undefined where the form was not refused, or still has it. */
    entered,
    /** What was entered, or else what is saved. */
    valueOr: (value: string): string => entered?.at(-1) ?? value,
    /** Whether the box with the value was ticked, or else is. Of boxes without `off` only ticked ones are sent. */
    isOnOr: (value: string, isOn: boolean, off?: string): boolean =>
      entered?.includes(value) ?? (isOn && (!wasSent || off !== undefined)),
    attributes: {
      "aria-invalid": fault === undefined ? undefined : true,
      "aria-describedby": about.join(" ") || undefined,
      /** In a refused form the focus is at the first fault. */
      autofocus: fault === undefined ? undefined : true,
    },
    isFaulty: Object.keys(refused?.faults ?? {}).length > 0,
  };
};

type Notes = {
  id: string;
  hint?: ComponentChildren;
  fault?: string | undefined;
  /** What is saved, where something else was entered before somebody learned of it. */
  other?: string | undefined;
};

/** Draws what stands below a field: its hint, and what is wrong, which is read aloud where no page is loaded for it. */
export const FieldNotes = ({ id, hint, fault, other }: Notes) => {
  const { t } = useApp();
  const isInPlace = useContext(RefusedHere)?.fields === null;
  return (
    <>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {other !== undefined && (
        <p class="hint" id={`${id}-saved`} dir="auto">
          <strong>{t("field.saved_now", { value: other || t("staff.default.nothing") })}</strong>
        </p>
      )}
      {fault && (
        <p class="fault" id={`${id}-fault`} role={isInPlace ? "alert" : undefined}>
          {fault}
        </p>
      )}
    </>
  );
};

type Around = Notes & {
  label: ComponentChildren;
  class?: string | undefined;
  press?: string | undefined;
  children: ComponentChildren;
};

/** Draws the label, hint and fault of an input. */
export const Labelled = ({ label, press, children, ...more }: Around) => (
  <div class={more.class ?? "field"} data-key={press}>
    <label for={more.id}>{label}</label>
    {children}
    <FieldNotes {...more} />
  </div>
);

type InputProps = Named &
  Omit<InputHTMLAttributes, "label" | "name" | "class" | "value" | "type"> & {
    value?: string | undefined;
    type?: string;
    /** Lines of a text. */
    rows?: number;
    /** Text after the input. */
    suffix?: string | undefined;
    class?: string | undefined;
    press?: string | undefined;
    /** Id of what describes it as well. */
    about?: string | undefined;
    /** For a handle, address or code, which keyboards should not change and which runs from the left in any language. */
    isExact?: boolean | undefined;
  };

const EXACTLY = { autocapitalize: "none", autocorrect: "off", spellcheck: false } as const;

const FROM_THE_LEFT = new Set(["email", "password"]);

/** What people write runs as its own language does. */
const directionOf = (type: string, isExact: boolean): "ltr" | "auto" | undefined => {
  if (isExact || FROM_THE_LEFT.has(type)) return "ltr";
  return type === "text" || type === "textarea" ? "auto" : undefined;
};

/** What is said of a date or time that is none (browser/own-words.ts). */
const NO_DATE: Record<string, Key> = {
  time: "invalid.time",
  date: "refusal.date_invalid",
  "datetime-local": "refusal.scheduled_no_date",
};

/** Never sent back to the browser. */
const UNKEPT = new Set(["password", "file"]);

/** Whether a password has to be entered again, because another field of its form was refused. */
const useIsAgain = (name: string, type: string): boolean => {
  const refused = useContext(RefusedHere);
  if (type !== "password" || !refused?.fields) return false;
  return Object.keys(refused.faults).length > 0 && faultOf(refused, name) === undefined;
};

export const InputField = (props: InputProps) => {
  const { name, label, hint, of, value = "", type = "text", rows, suffix, ...rest } = props;
  const { class: kind, press, autofocus, about, isExact = false, ...more } = rest;
  const { t } = useApp();
  const isAgain = useIsAgain(name, type);
  const shownHint = isAgain ? t("field.password_again") : hint;
  const saved = UNKEPT.has(type) ? undefined : { values: [value], text: value };
  const field = useField({ name, hint: shownHint, of, saved });
  const { id, fault, other } = field;
  const noDate = NO_DATE[type];
  const attributes = {
    id,
    name,
    "data-invalid": noDate && t(noDate),
    dir: directionOf(type, isExact),
    ...(isExact && EXACTLY),
    ...more,
    ...field.attributes,
    // Else readers say of an empty field that it is invalid before anybody wrote in it.
    ...(more.required && fault === undefined && { "aria-invalid": false }),
    ...(autofocus && !field.isFaulty && { autofocus }),
    "aria-describedby":
      [field.attributes["aria-describedby"], about].filter(Boolean).join(" ") || undefined,
  };
  const input =
    type === "textarea" ? (
      <textarea {...(attributes as object)} rows={rows}>
        {field.valueOr(value)}
      </textarea>
    ) : (
      <input
        {...(attributes as object)}
        type={type as "text"}
        defaultValue={UNKEPT.has(type) ? undefined : field.valueOr(value)}
      />
    );
  return (
    <Labelled {...{ id, label, hint: shownHint, fault, other, press, class: kind }}>
      {suffix ? (
        <div class="suffixed" dir="ltr">
          {input}
          <span>{suffix}</span>
        </div>
      ) : (
        input
      )}
    </Labelled>
  );
};

export type Option = readonly [value: string, text: string];

type SelectProps = Named & {
  value: string;
  options: readonly Option[];
  class?: string | undefined;
};

export const SelectField = ({ value, options, class: kind, ...named }: SelectProps) => {
  const text = options.find(([each]) => each === value)?.[1] ?? value;
  const { id, fault, other, valueOr, attributes } = useField({
    ...named,
    saved: { values: [value], text },
  });
  const chosen = valueOr(value);
  const { name, label, hint } = named;
  return (
    <Labelled {...{ id, label, hint, fault, other, class: kind }}>
      <select id={id} name={name} {...attributes}>
        {options.map(([each, text]) => (
          <option key={each} value={each} selected={each === chosen}>
            {text}
          </option>
        ))}
      </select>
    </Labelled>
  );
};

type BoxProps = Named & {
  isOn: boolean;
  value?: string;
  /** What is sent where it is not ticked; nothing otherwise. */
  off?: string;
  required?: boolean | undefined;
  class?: string;
};

export const BoxField = ({ isOn, value = "1", off, required, class: kind, ...named }: BoxProps) => {
  const { name, label, hint } = named;
  const { t } = useApp();
  const values = [off, isOn ? value : undefined].filter((each) => each !== undefined);
  const saved = { values, text: t(isOn ? "staff.on" : "staff.off") };
  const { id, fault, other, isOnOr, attributes } = useField({ ...named, saved });
  return (
    <>
      <div class={kind ?? "check"}>
        {off !== undefined && <input type="hidden" name={name} value={off} />}
        <input
          type="checkbox"
          id={id}
          name={name}
          value={value}
          required={required}
          defaultChecked={isOnOr(value, isOn, off)}
          {...attributes}
        />
        <label for={id}>{label}</label>
        <FieldNotes id={id} hint={hint} other={other} />
      </div>
      <FieldNotes id={id} fault={fault} />
    </>
  );
};

type TicksProps = Named & {
  kind: "radio" | "checkbox";
  chosen: readonly string[];
  options: readonly (readonly [value: string, content: ComponentChildren])[];
  /** Leaves the label to screen readers, where a title above says the same. */
  isTitled?: boolean;
  class?: string;
  /** Class of each choice, and of what is around all of them. */
  each?: string;
  around?: string;
};

/** Draws choices of which one or several are ticked. */
export const TickField = ({
  kind,
  chosen,
  options,
  isTitled,
  each = "tick",
  ...more
}: TicksProps) => {
  const { name, label, hint, around, class: outer } = more;
  const { locale } = useApp();
  const texts = options.flatMap(([value, text]) =>
    chosen.includes(value) && typeof text === "string" ? text : [],
  );
  const saved = { values: chosen, text: listed(locale, texts) };
  const { id, fault, other, isOnOr, attributes } = useField({ ...more, saved });
  const ticks = options.map(([value, content]) => (
    <label key={value} class={each}>
      <input
        type={kind}
        name={name}
        value={value}
        defaultChecked={isOnOr(value, chosen.includes(value))}
        {...attributes}
      />
      <span>{content}</span>
    </label>
  ));
  return (
    <fieldset class={outer}>
      <legend class={isTitled ? "invisible" : undefined}>{label}</legend>
      <FieldNotes id={id} hint={hint} />
      {around ? <div class={around}>{ticks}</div> : ticks}
      <FieldNotes id={id} fault={fault} other={other} />
    </fieldset>
  );
};
