// What becomes of a table of Mastodon: which columns are read, and why the others are not.

/** Why something is not imported: nothing is lost, or a loss that is named before anything is written. */
export type Left = string;

export type TableMapping = {
  /** Table here that gets the rows; null for none. */
  into: string | null;
  /** The columns that are read. */
  take: string;
  /** The other columns, and why they are not read. */
  leave: Record<string, Left>;
  /** A loss: what people lose by it. The plan counts the rows. */
  loss?: string;
  /** Losses of single columns: the SQL condition under which a row loses something. */
  losses?: Record<string, string>;
};

export const STAMP = "a later pass looks at it; it is shown nowhere";
export const OWN_ID = "rows here have another key";
export const FILES = "the file itself says it";
export const COUNTED = "counted from the rows themselves";
export const FETCHED = "fetched again when somebody looks at it";
export const PASSING = "it passes within hours or days";
export const INTERNAL = "of the other software itself";

export const left = (reason: Left, ...names: string[]): Record<string, Left> =>
  Object.fromEntries(names.map((name) => [name, reason]));

/** Makes the mapping of a table of which nothing is taken; its columns need no names. */
export const nothing = (reason: Left, loss?: string): TableMapping => ({
  into: null,
  take: "",
  leave: { "*": reason },
  ...(loss && { loss }),
});
