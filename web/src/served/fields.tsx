// Fields of the server's own forms, which are declared as data (elements/fields.tsx draws each).

import type { ComponentChildren } from "preact";
import { BoxField, FieldNotes, InputField, SelectField, useField } from "../elements/fields.tsx";
import { Line } from "./inline.tsx";
import type { Field, FieldKinds, FieldList, FieldValues } from "./part-pages.ts";
import { REFUSAL } from "./notices.tsx";
import { useServed, useWords } from "./served.tsx";

type FieldProps<T> = {
  field: T;
  values: FieldValues;
  /** Set where a page has several fields of the name. */
  of: string | undefined;
};

const textOf = (values: FieldValues, name: string): string => String(values[name] ?? "");

/** Names of fields for handles, addresses, codes and the like. */
const EXACT = new Set(
  `username login email code acct domain by_domain link_domains domains ip url address color pattern shortcode prefix by
  contact_email contact_account status_page_url thumbnail_url reserved_names`.split(/\s+/),
);

const InputView = ({ field, values, of }: FieldProps<FieldKinds["input"]>) => {
  const say = useWords();
  const { notice } = useServed();
  const { name, label, hint, optional, inputmode, min, max, autofocus, ...more } = field;
  return (
    <InputField
      {...more}
      name={name}
      of={of}
      label={say(label)}
      hint={hint && say(hint)}
      value={textOf(values, name)}
      required={!optional}
      autofocus={autofocus ?? false}
      about={autofocus && notice?.kind === "bad" ? REFUSAL : undefined}
      inputMode={inputmode}
      isExact={inputmode !== undefined || EXACT.has(name)}
      minLength={min}
      maxLength={max}
    />
  );
};

const SelectView = ({ field, values, of }: FieldProps<FieldKinds["choice"]>) => {
  const { name, label, hint, options } = field;
  const say = useWords();
  return (
    <SelectField
      name={name}
      of={of}
      label={say(label)}
      hint={hint && say(hint)}
      value={textOf(values, name)}
      options={options.map(([option, text]) => [option, say(text)])}
    />
  );
};

const RadiosView = ({ field, values, of }: FieldProps<FieldKinds["choice"]>) => {
  const { name, label, options } = field;
  const say = useWords();
  const now = textOf(values, name);
  const text = options.find(([option]) => option === now)?.[1];
  const saved = { values: [now], text: text ? say(text) : now };
  const { id, fault, other, valueOr, attributes } = useField({ name, of, saved });
  const value = valueOr(now);
  const focused = (options.find(([option]) => option === value) ?? options[0])?.[0];
  return (
    <fieldset
      class="choices"
      role="radiogroup"
      aria-invalid={attributes["aria-invalid"]}
      aria-describedby={attributes["aria-describedby"]}
    >
      <legend>{say(label)}</legend>
      {options.map(([option, text, hint]) => (
        <div key={option} class="check">
          <input
            type="radio"
            id={`${id}-${option}`}
            name={name}
            value={option}
            checked={option === value}
            autofocus={attributes.autofocus && option === focused}
          />
          <label for={`${id}-${option}`}>
            {say(text)} {hint && <span>{say(hint)}</span>}
          </label>
        </div>
      ))}
      <FieldNotes id={id} fault={fault} other={other} />
    </fieldset>
  );
};

const BoxView = (props: FieldProps<FieldKinds["named"] | FieldKinds["box"]>) => {
  const { field, values, of } = props;
  const { name, label, hint } = field;
  const { isRequired, drawn, note } = "isBox" in field ? field : {};
  const say = useWords();
  return (
    <>
      <BoxField
        name={name}
        of={of}
        label={drawn ? <Line of={drawn} /> : say(label)}
        hint={hint && say(hint)}
        isOn={values[name] === true || values[name] === "1"}
        required={isRequired}
      />
      {note && (
        <p class="hint">
          <Line of={note} />
        </p>
      )}
    </>
  );
};

type SetProps = Pick<FieldProps<FieldKinds["boxes"] | FieldKinds["set"]>, "field" | "of"> & {
  children: ComponentChildren;
};

/** Draws fields that belong together, and above them what is wrong with all of them, where the page begins. */
const SetView = ({ field: { legend, name = "", wide, hint }, of, children }: SetProps) => {
  const say = useWords();
  const { id, fault, attributes } = useField({ name, of, hint });
  return (
    <fieldset
      class={wide ? "choices wide" : "choices"}
      aria-describedby={attributes["aria-describedby"]}
      tabindex={fault === undefined ? undefined : -1}
      autofocus={attributes.autofocus}
    >
      {legend && <legend>{say(legend)}</legend>}
      <FieldNotes id={id} fault={fault} />
      {children}
      <FieldNotes id={id} hint={hint && say(hint)} />
    </fieldset>
  );
};

const BoxesView = ({ field, ...more }: FieldProps<FieldKinds["boxes"]>) => {
  const drawn = field.boxes.map((box) => <BoxView key={box.name} field={box} {...more} />);
  if (!field.legend) return <div class="choices">{drawn}</div>;
  return (
    <SetView field={field} of={more.of}>
      {drawn}
    </SetView>
  );
};

const FieldView = ({ field, ...more }: FieldProps<Field>) => {
  if ("pair" in field || "beside" in field)
    return (
      <div class={"pair" in field ? "pair" : "filters"}>
        <Fields fields={"pair" in field ? field.pair : field.beside} {...more} />
      </div>
    );
  if ("isInstead" in field)
    return (
      <p>
        <Line of={field.note} />
      </p>
    );
  if ("boxes" in field) return <BoxesView field={field} {...more} />;
  if ("set" in field)
    return (
      <SetView field={field} of={more.of}>
        <Fields fields={field.set} {...more} />
      </SetView>
    );
  if ("isBox" in field) return <BoxView field={field} {...more} />;
  if (!("options" in field)) return <InputView field={field} {...more} />;
  return field.as === "radios" ? (
    <RadiosView field={field} {...more} />
  ) : (
    <SelectView field={field} {...more} />
  );
};

export const Fields = ({ fields = [], values = {}, of }: FieldList) => (
  <>{fields.map((field, place) => field && <FieldView key={place} {...{ field, values, of }} />)}</>
);
