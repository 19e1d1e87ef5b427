// Forms of the server's own pages, with their buttons; a form that was refused is open, wherever it is drawn.

import type { ComponentChildren } from "preact";
import { useApp } from "../app.ts";
import { RefusedHere } from "../elements/refusable.tsx";
import { Fields } from "./fields.tsx";
import { isRefused } from "./refused.ts";
import type {
  ActButton,
  AddPart,
  EditPart,
  FieldList,
  FormPart,
  Hidden,
  MoreFilters,
  Row,
  SubmitButton,
} from "./part-pages.ts";
import { useServed, useWords } from "./served.tsx";
import type { Key, Words } from "./served.tsx";

type FormProps = {
  action: string;
  id?: string;
  class?: string;
  isUpload?: boolean | undefined;
  hidden?: Hidden | undefined;
  /** Its buttons, of which some may send it to addresses of their own. */
  buttons?: FormPart["submit"] | undefined;
  /** Attributes that its script reads. */
  data?: Readonly<Record<`data-${string}`, string>>;
  children?: ComponentChildren;
};

/**
 * Draws a form with its protection against forgery. The browser does not judge it: it would stop at the first wrong
 * field, in its own language, and the server marks all of them.
 */
export const Form = (props: FormProps) => {
  const { action, isUpload, hidden = {}, buttons, data, children, ...more } = props;
  const { formToken, refused } = useServed();
  return (
    <form
      method="post"
      action={action}
      enctype={isUpload ? "multipart/form-data" : undefined}
      noValidate
      {...more}
      {...data}
    >
      <input type="hidden" name="form_token" value={formToken()} />
      {Object.entries(hidden).map(
        ([name, value]) =>
          typeof value === "string" && <input key={name} type="hidden" name={name} value={value} />,
      )}
      <RefusedHere.Provider value={isRefused({ action, buttons }, refused) ? refused! : null}>
        {children}
      </RefusedHere.Provider>
    </form>
  );
};

type FiltersProps = FieldList & { action: string; submit?: Key; more?: MoreFilters };

/** Whether one of the filters is set to something else than usual. */
const isSet = ({ fields, usual }: MoreFilters, query: Partial<Record<string, string>>): boolean =>
  fields.some((field) => {
    const name = "name" in field ? (field.name ?? "") : "";
    return Boolean(query[name]) && query[name] !== usual[name];
  });

/** Draws a form that searches in a list. */
export const Filters = ({ action, submit = "staff.search", more, ...list }: FiltersProps) => {
  const { place } = useApp();
  const { search } = useServed();
  const { t } = useApp();
  const values = list.values ?? place.query;
  const refused = search?.action === action ? search : null;
  return (
    <form method="get" action={action} role="search" noValidate>
      <RefusedHere.Provider value={refused}>
        <div class="filters">
          <Fields {...list} values={values} />
          <button class="button">{t(submit)}</button>
        </div>
        {more && (
          <details class="more-filters" open={refused !== null || isSet(more, place.query)}>
            <summary>{t("staff.filters")}</summary>
            <div class="filters">
              <Fields fields={more.fields} values={values} />
            </div>
          </details>
        )}
      </RefusedHere.Provider>
    </form>
  );
};

const classOf = (kind: string): string => (kind ? `button ${kind}` : "button");

const SubmitView = ({ kind = "", label, spoken, press, to, link, ...more }: SubmitButton) => {
  const say = useWords();
  if (link)
    return (
      <a class={classOf(kind)} href={link} autofocus={more.autofocus}>
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

/** Whether a form has several acts and none that it is for. */
const isChoice = (buttons: readonly SubmitButton[]): boolean => {
  const [first, second] = buttons.filter(({ link }) => !link);
  return second !== undefined && Boolean(first?.kind);
};

/**
 * Enter in a field presses a form's first button; this one does nothing, as there is no dialog to close. Chromium passes
 * over a disabled one.
 */
const NoAct = () => <button hidden formmethod="dialog" formnovalidate />;

export const Submits = ({ buttons }: { buttons: readonly SubmitButton[] }) =>
  buttons.length > 0 && (
    <div class="buttons">
      {isChoice(buttons) && <NoAct />}
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
    kind = "",
    fields,
    values,
    of,
    ...form
  } = props;
  const say = useWords();
  const isOne = (buttons: typeof submit): buttons is Words =>
    typeof buttons === "string" || "plain" in buttons || typeof buttons[0] === "string";
  return (
    <Form {...form} buttons={submit}>
      {before}
      {username !== undefined && <UsernameHint username={username} />}
      <Fields fields={fields ?? []} values={values} of={of} />
      {after}{" "}
      {isOne(submit) ? (
        <button class={classOf(kind)}>{say(submit)}</button>
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
    <details class="add" open={open || isRefused({ action: form.action, submit }, refused)}>
      <summary>{say(title)}</summary>
      <FormOf {...form} submit={submit} />
    </details>
  );
};

/** Draws a form that opens where something is to be changed. */
export const EditForm = ({ label = "staff.edit", open, anchor, ...form }: EditPart) => {
  const { refused } = useServed();
  const say = useWords();
  return (
    <details class="edit" id={anchor} open={open || isRefused(form, refused)}>
      <summary>{say(label)}</summary>
      <FormOf {...form} />
    </details>
  );
};

type OnDemand = NonNullable<Row["editOnDemand"]>;

/**
 * Does the same for lists of long texts: a link shows the form of the entry that `?edit=` names, or of the one that was
 * refused.
 */
export const EditOnDemand = ({ list, id, action, hidden, ...more }: OnDemand & { id: string }) => {
  const { place } = useApp();
  const { refused } = useServed();
  const { t } = useApp();
  if (place.query["edit"] !== id && refused?.action !== action)
    return (
      <p class="edit">
        <a href={`${list}?edit=${id}#edit`}>{t("staff.edit")}</a>
      </p>
    );
  return (
    <div class="edit" id="edit">
      <Form action={action} hidden={hidden}>
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
  const { t } = useApp();
  const text = useWords()(label);
  const spoken = of && t("words.pair", { name: text, value: of });
  return (
    <Form action={action} hidden={fields}>
      <button class={classOf(kind)} aria-label={spoken} data-key={press}>
        {text}
      </button>
    </Form>
  );
};
