// Fields of the server's own forms, which are declared as data: within a form that was refused they have what was
// entered, and say what is wrong.

import { createContext } from "preact";
import type { ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import { Line } from "./inline.tsx";
import type { Refused } from "./pages.ts";
import type { Field, FieldKinds, FieldList, FieldValues } from "./part-pages.ts";
import { useWords } from "./served.tsx";

/** The refused form, within it. */
export const RefusedHere = createContext<Refused | null>(null);

type FieldProps<T> = {
  field: T;
  values: FieldValues;
  /** Set where a page has several fields of the name. */
  of: string | undefined;
};

const idOf = (name: string, of: string | undefined): string => (of ? `${name}-${of}` : name);

const useField = ({ field, values, of }: FieldProps<FieldKinds["named"]>) => {
  const refused = useContext(RefusedHere);
  const say = useWords();
  const { name } = field;
  const id = idOf(name, of);
  const fault = refused?.faults[name];
  const hint = field.hint && say(field.hint);
  const about = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(" ");
  return {
    id,
    fault,
    hint,
    label: say(field.label),
    described: about || undefined,
    /** True where any field of the form has a fault. */
    isFaulty: Object.keys(refused?.faults ?? {}).length > 0,
    value: String((refused ? refused.fields[name] : values[name]) ?? ""),
    isOn: refused ? refused.fields[name] === "1" : values[name] === true || values[name] === "1",
  };
};

type Around = Pick<ReturnType<typeof useField>, "id" | "label" | "hint" | "fault"> & {
  press?: string | undefined;
  children: ComponentChildren;
};

/** Draws the label, hint and fault of an input. */
const Labelled = ({ id, label, hint, fault, press, children }: Around) => (
  <div class="field" data-key={press}>
    <label for={id}>{label}</label>
    {children}
    {hint && (
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
    )}
    {fault && (
      <p class="fault" id={`${id}-fault`}>
        {fault}
      </p>
    )}
  </div>
);

/** Names of fields whose texts keyboards should not change. */
const EXACT = new Set(["username", "login", "code"]);
const EXACTLY = { autocapitalize: "none", autocorrect: "off", spellcheck: false } as const;

const InputView = (props: FieldProps<FieldKinds["input"]>) => {
  const { field } = props;
  const { name, type = "text" } = field;
  const { value, described, isFaulty, ...around } = useField(props);
  const attributes = {
    id: around.id,
    name,
    required: !field.optional,
    autofocus: isFaulty ? around.fault !== undefined : field.autofocus,
    "aria-invalid": around.fault === undefined ? undefined : true,
    "aria-describedby": described,
    autocomplete: field.autocomplete,
    inputMode: field.inputmode,
    minLength: field.min,
    maxLength: field.max,
    accept: field.accept,
    ...(EXACT.has(name) && EXACTLY),
  };
  const shown = type === "password" || type === "file" ? undefined : value;
  const input =
    type === "textarea" ? (
      <textarea {...attributes} value={value} />
    ) : (
      <input type={type as "text"} value={shown} {...attributes} />
    );
  return (
    <Labelled {...around} press={field.press}>
      {field.suffix ? (
        <div class="suffixed">
          {input}
          <span>{field.suffix}</span>
        </div>
      ) : (
        input
      )}
    </Labelled>
  );
};

const SelectView = (props: FieldProps<FieldKinds["choice"]>) => {
  const { name, options } = props.field;
  const { value, described, ...around } = useField(props);
  const say = useWords();
  return (
    <Labelled {...around}>
      <select id={around.id} name={name} aria-describedby={described}>
        {options.map(([option, label]) => (
          <option key={option} value={option} selected={option === value}>
            {say(label)}
          </option>
        ))}
      </select>
    </Labelled>
  );
};

const RadiosView = (props: FieldProps<FieldKinds["choice"]>) => {
  const { name, options } = props.field;
  const { id, label, value } = useField(props);
  const say = useWords();
  return (
    <fieldset class="choices">
      <legend>{label}</legend>
      {options.map(([option, text, hint]) => (
        <div key={option} class="check">
          <input
            type="radio"
            id={`${id}-${option}`}
            name={name}
            value={option}
            checked={option === value}
          />
          <label for={`${id}-${option}`}>
            {say(text)} {hint && <span>{say(hint)}</span>}
          </label>
        </div>
      ))}
    </fieldset>
  );
};

const BoxView = (props: FieldProps<FieldKinds["named"] | FieldKinds["box"]>) => {
  const { id, label, hint, fault, described, isOn } = useField(props);
  const { name, ...field } = props.field;
  const { isRequired, drawn, note } = "isBox" in field ? field : {};
  return (
    <>
      <div class="check">
        <input
          type="checkbox"
          id={id}
          name={name}
          value="1"
          required={isRequired}
          checked={isOn}
          aria-invalid={fault ? true : undefined}
          aria-describedby={described}
        />
        <label for={id}>{drawn ? <Line of={drawn} /> : label}</label>
        {hint && (
          <p class="hint" id={`${id}-hint`}>
            {hint}
          </p>
        )}
      </div>
      {note && (
        <p class="hint">
          <Line of={note} />
        </p>
      )}
      {fault && (
        <p class="fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </>
  );
};

const BoxesView = (props: FieldProps<FieldKinds["boxes"]>) => {
  const {
    field: { legend, wide, hint, boxes },
    ...more
  } = props;
  const say = useWords();
  const drawn = boxes.map((box) => <BoxView key={box.name} field={box} {...more} />);
  if (!legend) return <div class="choices">{drawn}</div>;
  return (
    <fieldset class={wide ? "choices wide" : "choices"}>
      <legend>{say(legend)}</legend>
      {drawn}
      {hint && <p class="hint">{say(hint)}</p>}
    </fieldset>
  );
};

const FieldView = ({ field, ...more }: FieldProps<Field>) => {
  if ("pair" in field || "beside" in field)
    return (
      <div class={"pair" in field ? "pair" : "filters"}>
        <Fields fields={"pair" in field ? field.pair : field.beside} {...more} />
      </div>
    );
  if ("boxes" in field) return <BoxesView field={field} {...more} />;
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
