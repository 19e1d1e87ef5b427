// The fields that a person gives their lists. Rows, SQL, the command, parameters and entity of the API, and archives
// are made from this one description.

import { isBlank } from "../../../platform/text/count.ts";
import { Unprocessable, blank, invalidFields, tooLong } from "../../../platform/errors.ts";
import type { Json } from "../../../platform/json/read.ts";

/** Characters of a title. */
const MAX_TITLE = 256;

const checkTitle = (title: string): string => {
  const field = "title";
  if (isBlank(title)) throw invalidFields([blank(field)]);
  if ([...title].length > MAX_TITLE) throw invalidFields([tooLong(field, MAX_TITLE)]);
  return title;
};

/** Makes a field whose value is one of these words. */
const oneOf = <T extends string>(name: string, choices: readonly T[], initial: T) => ({
  initial,
  choices,
  check: (sent: string): T => {
    const known = choices.find((word) => word === sent);
    if (!known) throw new Unprocessable(`'${sent.slice(0, 100)}' is not a valid ${name}`);
    return known;
  },
});

/** `initial` is what a new list has, and decides the type; `check` throws 422. */
const FIELDS = {
  title: { initial: "", check: checkTitle },
  /** Which replies the list shows: to accounts that its owner follows, to its members, or none. */
  replies_policy: oneOf("replies_policy", ["followed", "list", "none"], "list"),
  /** Posts of its members are left out of the owner's home. */
  exclusive: { initial: false as boolean, check: (sent: boolean): boolean => sent },
};

export type ListFields = { [K in keyof typeof FIELDS]: (typeof FIELDS)[K]["initial"] };

/** Fields as sent; undefined or null where not given. */
export type ListDraft = { [K in keyof ListFields]?: Sent<ListFields[K]> | null | undefined };
type Sent<T> = T extends string ? string : T;

type Field = {
  initial: string | boolean;
  choices?: readonly string[];
  check: (sent: never) => string | boolean;
};
const EACH = Object.entries(FIELDS) as [keyof ListFields, Field][];

export const FIELD_NAMES = EACH.map(([name]) => name);

/** Makes something of each field, such as its value. */
export const eachField = <T extends Record<keyof ListFields, unknown>>(
  make: (name: keyof ListFields, field: Field) => unknown,
): T => Object.fromEntries(EACH.map(([name, field]) => [name, make(name, field)])) as T;

/** Words of each field that takes no others: its parameter, its member and its column have the same. */
export const CHOICES = Object.fromEntries(
  EACH.flatMap(([name, { choices }]) => (choices ? [[name, choices] as const] : [])),
);

export const fieldsOf = (list: ListFields): ListFields => eachField((name) => list[name]);

/** Makes the entity: https://docs.joinmastodon.org/entities/List/ */
export const listEntity = (list: ListFields & { id: string }) => ({
  id: list.id,
  ...fieldsOf(list),
});

/** Fields that are not given are as `before`, or as in a new list. */
export const checkedFields = (draft: ListDraft, before?: ListFields): ListFields =>
  eachField((name, { initial, check }) =>
    check((draft[name] ?? (before ? before[name] : initial)) as never),
  );

/** Reads the fields from an archive without judging them; null for what one of an earlier version does not have. */
export const readFields = (json: Json): ListDraft =>
  eachField<Required<ListDraft>>((name, { initial }) =>
    typeof json[name] === typeof initial ? json[name] : null,
  );
