// The columns of a status, each declared once: its types in SQL and here, and its value when none
// is given. Inserting, selecting and the types of rows (tables.ts) are made from this list.

import type { EmojiRow } from "../emojis/tables.ts";

export const VISIBILITIES = ["public", "unlisted", "private", "direct"] as const;
export type Visibility = (typeof VISIBILITIES)[number];

type Column<T> = {
  /** Its type in SQL. */
  sql: string;
  /** The value in a new status when none is given. */
  initial: T;
  /** false: not selected (StatusRow). */
  read?: false;
};

/** A column that every insert must give. */
const required = <T>(sql: string) => ({ sql, initial: undefined as T | undefined });
const column = <T>(sql: string, initial: T): Column<T> => ({ sql, initial });

export const COLUMNS = {
  account_id: required<string>("bigint"),
  /** Local ones are made from the id. */
  uri: column<string>("text", ""),
  url: column<string | null>("text", null),
  local: required<boolean>("boolean"),
  /** As written; empty for remote statuses. */
  text: column("text", ""),
  /** HTML. */
  content: column("text", ""),
  spoiler_text: column("text", ""),
  visibility: required<Visibility>("text"),
  sensitive: column<boolean>("boolean", false),
  language: column<string | null>("text", null),
  in_reply_to_id: column<string | null>("bigint", null),
  in_reply_to_account_id: column<string | null>("bigint", null),
  reblog_of_id: column<string | null>("bigint", null),
  /** null in an insert: it starts a conversation; a reblog has none. */
  conversation_id: column<string | null>("bigint", null),
  app_id: { ...column<string | null>("bigint", null), read: false as const },
  has_media: { ...column<boolean>("boolean", false), read: false as const },
  emojis: column<EmojiRow[]>("jsonb", []),
  /** As `\\x…` in hexadecimal: of the link that it shows a card of (links.ts). */
  card_hash: { ...column<string | null>("bytea", null), read: false as const },
  /** Bits: quotes/policy.ts. */
  quote_policy: column<number>("smallint", 0),
  /** Bits: interactions.ts. */
  interaction_policy: column<number>("int", 0),
  /** The author of what it answers or boosts has to allow it: until then only its own author sees it. */
  awaits_approval: column<boolean>("boolean", false),
  /** The authorization of that author. */
  approval_uri: column<string | null>("text", null),
  created_at: required<Date>("timestamptz"),
  edited_at: column<Date | null>("timestamptz", null),
};

type Columns = typeof COLUMNS;
type ColumnName = keyof Columns;
type ValueOf<C> = C extends { initial: infer T } ? Exclude<T, undefined> : never;
type Required = {
  [N in ColumnName]: undefined extends Columns[N]["initial"] ? N : never;
}[ColumnName];
type Unread = {
  [N in ColumnName]: Columns[N] extends { read: false } ? N : never;
}[ColumnName];

/** The values of all columns. */
export type StatusValues = { [N in ColumnName]: ValueOf<Columns[N]> };
/** What an insert gives; the rest takes `initial`. */
export type NewStatusRow = Pick<StatusValues, Required> & Partial<StatusValues>;
/** What is selected from the table itself. */
export type StatusColumns = { id: string } & Omit<StatusValues, Unread>;

const names = Object.keys(COLUMNS) as ColumnName[];

/** All columns, with `initial` where no value is given. */
export const fullRow = (row: NewStatusRow): StatusValues => {
  const initial = Object.fromEntries(names.map((name) => [name, COLUMNS[name].initial]));
  return { ...initial, ...row } as StatusValues;
};

/** `account_id, uri, …`, with `prefix` before each. */
export const columnList = (prefix = "", of: readonly ColumnName[] = names): string =>
  of.map((name) => prefix + name).join(", ");

/** The columns of StatusColumns, but for the id. */
export const READ_COLUMNS: readonly ColumnName[] = names.filter(
  (name) => !("read" in COLUMNS[name]),
);

/** `account_id bigint, uri text, …`: for jsonb_to_recordset. */
export const COLUMN_TYPES = names.map((name) => `${name} ${COLUMNS[name].sql}`).join(", ");
