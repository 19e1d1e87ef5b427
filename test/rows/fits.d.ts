// Of the copy that check.ts makes: whether what a statement returns fits the type that is written for it.

/** `Written` for one column: null where one was seen, and else no wider than what the driver makes of it. */
type ColumnFits<Written, Column, Null> = [Null] extends [Written]
  ? [Exclude<Written, null | undefined>] extends [Column]
    ? true
    : false
  : false;

type Misfits<Written, Shape, Nulls> = {
  [Name in keyof Written & keyof Shape]: ColumnFits<
    Written[Name],
    Shape[Name],
    Name extends Nulls ? null : never
  > extends true
    ? never
    : Name;
}[keyof Written & keyof Shape];

/** Columns that a row may be without are added to it later. */
type RequiredOf<Row> = {
  [Name in keyof Row]-?: undefined extends Row[Name] ? never : Name;
}[keyof Row];

type RowFits<Written, Shape, Nulls> = Written extends unknown
  ? string extends keyof Written
    ? true
    : [Exclude<RequiredOf<Written>, keyof Shape>] extends [never]
      ? [Exclude<keyof Shape, keyof Written>] extends [never]
        ? [Misfits<Written, Shape, Nulls>] extends [never]
          ? true
          : ["of another type, or null", Misfits<Written, Shape, Nulls>]
        : ["returned, but not in the type", Exclude<keyof Shape, keyof Written>]
      : ["in the type, but not returned", Exclude<RequiredOf<Written>, keyof Shape>]
  : never;

type Fits<Written, Shape, Nulls> = Written extends readonly (infer Row)[]
  ? RowFits<Row, Shape, Nulls>
  : ["not rows"];

/** `Written`, when each shape that was seen fits it. */
type Checked<Written, _Ok extends true> = Written;
