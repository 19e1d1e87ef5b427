// The parts that the server declares most of its pages of: lists, forms, facts and what is in their lines. A page of
// the staff is a list of them (parts.tsx draws each).

import type { Values } from "../../../texts/translate.ts";
import type { Account, Status } from "../api/entities.ts";
import type { Key, Link, Words } from "./words.ts";

export type { Key, Link, Words };

/** What is left out. */
export type No = false | null | undefined | "";

export type BadgeKind = "" | "mild" | "bad" | "good";

export type BadgePart = { badge: Words; kind?: BadgeKind };

/** A part of a line. Strings are what somebody wrote, or said already; lists have spaces between their members. */
export type Inline =
  | string
  | number
  | Date
  | No
  | readonly Inline[]
  | { say: Key; values?: Values; with?: Record<string, Inline> }
  | BadgePart
  /** `open`: where the key for an entry leads; `press`: a key of its own. */
  | {
      link: string;
      text: Inline;
      isOutside?: boolean;
      isButton?: boolean;
      isFile?: boolean;
      /** Opens beside the page, so that what was entered stays. */
      isBeside?: boolean;
      /** What it is for people who cannot see its place. */
      label?: Words;
      open?: boolean;
      press?: string;
    }
  | { strong: Inline }
  | { soft: Inline; lang?: string }
  /** Keeps line breaks. */
  | { said: Inline }
  /** With dots between them. */
  | { joined: readonly Inline[] }
  /** Of a sentence: with what the language has between the members of a list. */
  | { listed: readonly Inline[] }
  | { code: string }
  /** A text to be used elsewhere, with a button that copies it. */
  | { copied: string }
  /** In a direction of its own. */
  | { isolated: string }
  /** What the server says in English to whoever runs it. */
  | { english: string }
  | { day: Date }
  | { swatch: string }
  | { name: Account }
  /** Allows a line break before the server of an email address. */
  | { address: string }
  /** With picture and handle, as the entry of a list. */
  | { person: Account; at: string };

type Named = { name: string; label: Words; hint?: Words | undefined };

type Input = Named & {
  type?: "email" | "password" | "date" | "datetime-local" | "color" | "file" | "textarea";
  optional?: boolean;
  max?: number;
  min?: number;
  autocomplete?: string;
  inputmode?: "numeric";
  /** Types of files that may be chosen. */
  accept?: string;
  /** Text after the input: `@server`. */
  suffix?: string;
  /** Where the page begins; a field with a fault has the focus in any case, the first of several. */
  autofocus?: boolean;
  /** Key of the keyboard that leads to it. */
  press?: string;
};

export type Option = readonly [value: string, label: Words, hint?: Words];

type Choice = Named & { options: readonly Option[]; as?: "radios" };

/** A box to tick. */
type Box = Named & {
  isBox: true;
  isRequired?: boolean;
  /** The label, where it has links. */
  drawn?: Inline;
  /** Said below it. */
  note?: Inline;
};

/** Fields under a legend; `name` is that of what is wrong with all of them. */
type Set = { legend: Words; name?: string; wide?: boolean; hint?: Words };

type Boxes = Partial<Set> & { boxes: readonly Named[] };

type FieldSet = Set & { name: string; set: readonly Field[] };

/** A field, or several beside each other. */
export type Field =
  | Input
  | Choice
  | Box
  | Boxes
  | FieldSet
  | { pair: readonly Field[] }
  /** As close as filters are. */
  | { beside: readonly Field[] }
  /** Nothing to enter: what is said in the place of a field. */
  | { note: Inline; isInstead: true };

export type TextField = Input;

export type FieldKinds = {
  named: Named;
  box: Box;
  input: Input;
  choice: Choice;
  boxes: Boxes;
  set: FieldSet;
};

/** Values by the fields' names; true for boxes that are ticked. */
export type FieldValues = Readonly<Record<string, unknown>>;

export type FieldList = {
  fields?: readonly (Field | No)[];
  /** What the fields have at first. */
  values?: FieldValues | undefined;
  /** Makes ids unique where a page has several fields of a name. */
  of?: string | undefined;
};

/** Values of hidden inputs by their names; those without a value are left out. */
export type Hidden = Readonly<Record<string, string | null | undefined>>;

/** The mark of what a form was drawn with, so that it undoes nothing that was saved elsewhere since. */
export type Drawn = Readonly<Record<"drawn", string>>;

/** Filters behind a disclosure, which is open where one of them has another value than its usual one. */
export type MoreFilters = { fields: readonly Field[]; usual: Readonly<Record<string, string>> };

/** A form that is one button. */
export type ActButton = {
  action: string;
  label: Words;
  /** What the button acts on, for people who cannot see its place. */
  of?: string;
  fields?: Hidden;
  kind?: "plain" | "bad" | "link" | "";
  /** Key of the keyboard (assets/staff-keys.js). */
  press?: string | undefined;
};

/** A button of a form with several; `to` sends the form to another address. */
export type SubmitButton = {
  label: Words;
  name?: string;
  value?: string;
  kind?: "plain" | "bad" | "";
  /** Its name for people who cannot see its place. */
  spoken?: Words;
  press?: string;
  to?: string;
  autofocus?: boolean;
  /** Leads there instead of sending the form. */
  link?: string;
};

export type FormPart = FieldList & {
  action: string;
  hidden?: Hidden;
  class?: string;
  /** Drawn before the fields, and after them. */
  before?: readonly (Part | No)[];
  after?: readonly (Part | No)[];
  /** Whose password it is about, for password managers. */
  username?: string;
  /** One button, or several. */
  submit?: Words | readonly SubmitButton[];
  /** How its one button looks. */
  kind?: "plain" | "bad" | "";
  isUpload?: boolean;
};

/** `open`: shown at first, as it is where it was just refused. */
export type AddPart = FormPart & { title: Words; open?: boolean };

/** `open`: shown at first; `anchor`: id of its element. */
export type EditPart = Omit<FieldList, "values"> &
  Pick<FormPart, "action" | "submit" | "kind"> &
  ({ values?: undefined } | { values: FieldValues; hidden: Drawn }) & {
    label?: Words;
    open?: boolean;
    anchor?: string;
  };

/** The box before an entry, which belongs to the form of those that are ticked (several). */
export type Tick = { name: string; label: Words };

export type Row = {
  id?: string;
  /** Id of its element. */
  anchor?: string;
  title?: Inline;
  badges?: readonly (BadgePart | No)[];
  lines?: readonly Inline[];
  tick?: Tick | undefined;
  /** Where the whole row leads. */
  href?: string;
  /** Whether keys move to it. */
  isEntry?: boolean;
  acts?: readonly (ActButton | Inline)[];
  edit?: EditPart | No;
  /** The same for lists of long texts: shown on demand in the list of this path. */
  editOnDemand?: FieldList & { list: string; action: string; hidden: Drawn };
};

/** A column: its name, and, where the list can be sorted by it, the address for that and how it is sorted by it now. */
export type Column = {
  label: Words;
  sort?: { href: string; direction: "ascending" | "descending" | null } | undefined;
  isNumber?: boolean;
};

/** A key for something on the page, and what it does. */
export type KeyLine = readonly [key: string, text: Key];

/** A count with a link; `wants` marks what waits for somebody. */
export type Tile = { path: string; count: string; text: string; wants: boolean };

export type Step = { title: string; done: boolean; parts: readonly Part[] };

/** A setting: its field, and where its value comes from. */
export type Setting = {
  field: Field;
  values: FieldValues;
  /** Says that the form has its box, which is not sent where it is not ticked. */
  isFlag: boolean;
  hint: Words | null;
  origin: Inline;
  /** Name of what a button resets. */
  reset?: { name: string; label: Words } | undefined;
};

/** A column of a chart: its names for the table and, shorter, for the axis; null where its value is not known. */
export type ChartColumn = { name: string; short: string; value: number | null };

export type ColumnChart = {
  /** Id that is unique on the page. */
  id: string;
  title: string;
  /** The sum, and what it is compared with. */
  total: number | null;
  before: string | null;
  /** Text for those who cannot see the drawing. */
  description: string;
  /** Head of the table's first column, such as “Day”. */
  unit: string;
  columns: readonly ChartColumn[];
};

/** Parts of a whole, each with a bar and its share. */
export type ShareTable = {
  title: Key;
  heads: readonly [name: Key, value: Key];
  rows: readonly { name: string; value: number }[];
};

/** People who signed up in a month, and how many of them were active in each month since. */
export type Cohort = { month: string; size: number; kept: readonly number[] };

/** An emoji that can be ticked. */
export type EmojiItem = { shortcode: string; picture: string; isTicked?: boolean; about?: Inline };

export type FactList = readonly (readonly [name: Words, value: Inline] | No)[];

export type Part =
  | { text: Inline; isSoft?: boolean; kind?: "soft" | "soft small" | "or" }
  | { heading: Words; anchor?: string; badge?: BadgePart }
  | { subheading: Words }
  | { note: Words }
  /** What is wrong with a form as a whole. */
  | { fault: string }
  | { tabs: readonly (readonly [path: string, text: Key])[]; title: Words; shown: string }
  | { add: AddPart }
  | { edit: EditPart }
  /** Parts that are shown on demand. */
  | {
      fold: Words;
      parts: readonly (Part | No)[];
      kind?: "add" | "edit" | "context";
      open?: boolean;
    }
  | { filters: FieldList & { action: string; submit?: Key; more?: MoreFilters } }
  /** `long`: of long texts, below which the buttons stand on phones. */
  | { rows: readonly Row[]; none?: Words; kind?: "held" | "long" }
  | { table: TablePart; none: Words }
  | {
      panel: readonly (Part | No)[];
      isEntry?: boolean;
      anchor?: string;
      kind?: string;
      label?: Words;
    }
  | { beside: readonly (Part | No)[]; kind: string; isEntry?: boolean }
  | { who: Account }
  | { facts: FactList }
  /** What programs read or send, in their words and lines. */
  | { block: string }
  | { items: readonly Inline[]; kind?: "small" | "codes" | "rules" }
  | { quote: Inline | { html: string; account: Account }; soft?: Inline }
  | { form: FormPart }
  | { acts: readonly (ActButton | Inline)[] }
  | { post: Status; files: readonly Inline[]; about: Inline }
  | { several: SeveralPart }
  | { keys: readonly KeyLine[] }
  | { tick: Tick }
  /** Tasks in an order, some of which are done. */
  | { steps: readonly Step[] }
  /** Says that there is nothing. */
  | { none: Words }
  /** Links to other pages of a list: the id after which older entries follow, or addresses. */
  | { older: string | null; label?: Key }
  | { links: readonly Inline[]; kind: "pager" | "queue-links" | "count-line" }
  | MemberPart
  | DeskPart;

/** Parts that only the staff's pages have. */
export type DeskPart =
  | { tiles: readonly Tile[] }
  | { emojis: readonly EmojiItem[] }
  /** Buttons of the form that it is in, and a field with a button of its own. */
  | { submits: readonly SubmitButton[]; title: Words; field: Input; with: SubmitButton }
  | { picture: string; alt: string; kind: string }
  | { setting: Setting }
  /** The form of the buttons that reset settings, with its address. */
  | { resets: string }
  | { chart: ColumnChart }
  | { shares: ShareTable }
  | { cohorts: readonly Cohort[] };

/** Parts of cards and of pages of settings. */
export type MemberPart =
  | { notice: Inline; kind?: "good" | "bad"; act?: ActButton }
  /** Where else one may go, below everything. */
  | { below: readonly (Link | No)[]; before?: Words }
  /** Links that look like buttons, the first as the one that most people want. */
  | { ways: readonly Link[] }
  /** A text to be copied by hand. */
  | { secret: string }
  /** An SVG of the server's own. */
  | { drawing: string; label: Key }
  | { progress: readonly [done: number, total: number]; label: Key }
  /** A form that a script shows where the browser knows passkeys; it fills those with `options`, JSON for the browser. */
  | { passkey: "offer"; form: FormPart; title: Key; without: Key }
  | { passkey: "get" | "create"; options: string; form: FormPart }
  /** The widget of hCaptcha. */
  | { captcha: string }
  /** Fields of the form around. */
  | { fields: FieldList };

export type TablePart = {
  kind: "accounts" | "data-table stacked";
  label?: Words;
  columns: readonly Column[];
  rows: readonly { id: string; cells: readonly Inline[]; tick?: Tick }[];
};

/** Acts on entries that are ticked, or on all of the page. */
export type SeveralPart = FieldList & {
  action: string;
  /** Ids of all entries that the page shows. */
  ids: readonly string[];
  /** Label of the box for all of them. */
  all: Words;
  hidden?: Hidden;
  buttons: readonly SubmitButton[];
};
