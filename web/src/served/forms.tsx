// Forms of the server's own pages. Fields are declared as data; a form that was refused has what was entered and says
// what is wrong, wherever it is drawn.

import { createContext } from "preact";
import type { ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import { useApp } from "../app.ts";
import type { Refused } from "./pages.ts";
import type {
  ActButton,
  AddPart,
  EditPart,
  Field,
  FieldKinds,
  FieldList,
  FieldValues,
  FormPart,
  Hidden,
  SubmitButton,
} from "./part-pages.ts";
import { Line } from "./inline.tsx";
import { useServed, useText, useWords } from "./served.tsx";
import type { Key, Words } from "./served.tsx";

export type { Field, FieldValues };

/** The refused form, within it. */
const RefusedHere = createContext<Refused | null>(null);

type FormProps = {
  action: string;
  id?: string;
  class?: string;
  isUpload?: boolean | undefined;
  hidden?: Hidden | undefined;
  /** Attributes that its script reads. */
  data?: Readonly<Record<`data-${string}`, string>>;
  children?: ComponentChildren;
};

/** Draws a form with its protection against forgery. */
export const Form = ({ action, isUpload, hidden = {}, data, children, ...more }: FormProps) => {
  const { formToken, refused } = useServed();
  return (
    <form
      method="post"
      action={action}
      enctype={isUpload ? "multipart/form-data" : undefined}
      {...more}
      {...data}
    >
      <input type="hidden" name="form_token" value={formToken()} />
      {Object.entries(hidden).map(
        ([name, value]) =>
          typeof value === "string" && <input key={name} type="hidden" name={name} value={value} />,
      )}
      <RefusedHere.Provider value={refused?.action === action ? refused : null}>
        {children}
      </RefusedHere.Provider>
    </form>
  );
};

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

type FiltersProps = FieldList & { action: string; submit?: Key };

/** Draws a form that searches in a list. */
export const Filters = ({ action, submit = "staff.search", ...more }: FiltersProps) => {
  const { place } = useApp();
  const t = useText();
  return (
    <form method="get" action={action} role="search">
      <div class="filters">
        <Fields {...more} values={more.values ?? place.query} />
        <button class="button">{t(submit)}</button>
      </div>
    </form>
  );
};

const classOf = (kind: string): string => (kind ? `button ${kind}` : "button");

const SubmitView = ({ kind = "", label, spoken, press, to, link, ...more }: SubmitButton) => {
  const say = useWords();
  if (link)
    return (
      <a class={classOf(kind)} href={link}>
        {say(label)}
      </a>
    );
  return (
    <button
      class={classOf(kind)}
      {...more}
      aria-label={spoken && say(spoken)}
      data-key={press}
      formaction={to}
    >
      {say(label)}
    </button>
  );
};

export const Submits = ({ buttons }: { buttons: readonly SubmitButton[] }) =>
  buttons.length > 0 && (
    <div class="buttons">
      {buttons.map((button, place) => (
        <SubmitView key={place} {...button} />
      ))}
    </div>
  );

/** Lets password managers know whose password a form is about; hidden from people. */
const UsernameHint = ({ username }: { username: string }) => (
  <input type="text" name="username" autocomplete="username" value={username} readonly hidden />
);

/** Something drawn before the fields, and after them. */
type Drawn<Of> = Omit<Of, "before" | "after"> & {
  before?: ComponentChildren;
  after?: ComponentChildren;
};

/** Draws a form with its fields and its button, or several. */
export const FormOf = (props: Drawn<FormPart> & { data?: FormProps["data"] }) => {
  const {
    submit = "staff.save",
    before,
    after,
    username,
    kind,
    fields,
    values,
    of,
    ...form
  } = props;
  const { staff } = useServed();
  const say = useWords();
  const isOne = (buttons: typeof submit): buttons is Words =>
    typeof buttons === "string" || "plain" in buttons || typeof buttons[0] === "string";
  return (
    <Form {...form}>
      {before}
      {username !== undefined && <UsernameHint username={username} />}
      <Fields fields={fields ?? []} values={values} of={of} />
      {after}{" "}
      {isOne(submit) ? (
        <button class={classOf(kind ?? (staff ? "inline" : ""))}>{say(submit)}</button>
      ) : (
        <Submits buttons={submit} />
      )}
    </Form>
  );
};

/** Draws a form to add something, collapsed unless it was just refused. */
export const AddForm = ({ title, open = false, submit = "staff.add", ...form }: Drawn<AddPart>) => {
  const { refused } = useServed();
  const say = useWords();
  return (
    <details class="add" open={open || refused?.action === form.action}>
      <summary>{say(title)}</summary>
      <FormOf {...form} submit={submit} />
    </details>
  );
};

/** Draws a form that opens where something is to be changed. */
export const EditForm = ({ label = "staff.edit", ...form }: EditPart) => {
  const { refused } = useServed();
  const say = useWords();
  return (
    <details class="edit" open={refused?.action === form.action}>
      <summary>{say(label)}</summary>
      <FormOf {...form} />
    </details>
  );
};

/**
 * Does the same for lists of long texts: a link shows the form of the entry that `?edit=` names, or of the one that was
 * refused. The form posts to `LIST/ID/update`.
 */
export const EditOnDemand = ({ list, id, ...more }: FieldList & { list: string; id: string }) => {
  const { place } = useApp();
  const { refused } = useServed();
  const t = useText();
  const action = `${list}/${id}/update`;
  if (place.query["edit"] !== id && refused?.action !== action)
    return (
      <p class="edit">
        <a href={`${list}?edit=${id}#edit`}>{t("staff.edit")}</a>
      </p>
    );
  return (
    <div class="edit" id="edit">
      <Form action={action}>
        <Fields {...more} of={id} />
        <div class="buttons">
          <button class="button">{t("staff.save")}</button>{" "}
          <a class="button plain" href={list}>
            {t("staff.cancel")}
          </a>
        </div>
      </Form>
    </div>
  );
};

/** Draws a form that is one button. */
export const Act = ({ action, label, of, fields, kind = "plain", press }: ActButton) => {
  const text = useWords()(label);
  return (
    <Form action={action} hidden={fields}>
      <button class={classOf(kind)} aria-label={of && `${text}: ${of}`} data-key={press}>
        {text}
      </button>
    </Form>
  );
};
