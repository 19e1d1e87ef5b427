// Counts, checks and formats the texts of a profile. Limits are those of the contract (limits.json, account).

import type { App } from "../../../platform/app.ts";
import { tooLong } from "../../../platform/errors.ts";
import type { FieldFault } from "../../../platform/errors.ts";
import { countCharacters, countGraphemes, isBlank } from "../../../platform/text/count.ts";
import { extractMentions } from "../../../platform/text/extract.ts";
import { formatField, formatText } from "../../../platform/text/format.ts";
import type { FormatOptions } from "../../../platform/text/format.ts";
import { findAccounts } from "./find.ts";
import type { AccountField } from "./tables.ts";

export const MAX_NAME = 40;
const MAX_NOTE = 500;
const MAX_FIELDS = 4;
const MAX_FIELD = 255;
/** UTF-16 units per character: a grapheme cluster has no limit of its own. */
const MAX_UNITS_PER_CHARACTER = 20;
const MAX_DOMAINS = 10;

const exceeds = (text: string, max: number, count: (text: string) => number): boolean =>
  text.length > max * MAX_UNITS_PER_CHARACTER || count(text) > max;

export const nameFaults = (name: string): FieldFault[] =>
  exceeds(name, MAX_NAME, countGraphemes) ? [tooLong("display_name", MAX_NAME)] : [];

export const noteFaults = (note: string): FieldFault[] =>
  exceeds(note, MAX_NOTE, countCharacters)
    ? [
        {
          field: "note",
          code: "ERR_TOO_LONG",
          description: `character limit of ${MAX_NOTE} exceeded`,
          count: MAX_NOTE,
        },
      ]
    : [];

type TypedField = { name: string; value: string };

type FormRow = { name?: string | null | undefined; value?: string | null | undefined };

/** Returns the filled rows of a form with their places; those after the fourth are dropped, as in Mastodon. */
const filledRows = (rows: FormRow[]): (TypedField & { index: number })[] =>
  rows
    .map(({ name, value }, index) => ({
      name: (name ?? "").trim(),
      value: (value ?? "").trim(),
      index,
    }))
    .filter((row) => row.name !== "" || row.value !== "")
    .slice(0, MAX_FIELDS);

export const filledFields = (rows: FormRow[]): TypedField[] =>
  filledRows(rows).map(({ name, value }) => ({ name, value }));

export const fieldFaults = (rows: FormRow[]): FieldFault[] =>
  filledRows(rows).flatMap(({ index, ...texts }): FieldFault[] => {
    const input = (part: string): string => `fields_attributes[${index}][${part}]`;
    const field = "fields";
    if (isBlank(texts.name))
      return [{ field, code: "ERR_BLANK", description: "must have a name", input: input("name") }];
    return (["name", "value"] as const)
      .filter((part) => exceeds(texts[part], MAX_FIELD, countGraphemes))
      .map((part) => ({ ...tooLong(field, MAX_FIELD), input: input(part) }));
  });

const DOMAIN =
  /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/** Returns bare domains, each once, also from URLs (`https://Example.com/`). */
export const tidyDomains = (rows: string[]): string[] => [
  ...new Set(
    rows
      .flatMap((row) => row.split(/\s+/))
      .map((row) =>
        row
          .toLowerCase()
          .replace(/^https?:\/\//, "")
          .replace(/\/.*$/, ""),
      )
      .filter((row) => row !== ""),
  ),
];

export const domainFaults = (domains: string[]): FieldFault[] => {
  const fault = (code: string, description: string) => [
    { field: "attribution_domains", code, description, count: MAX_DOMAINS },
  ];
  if (domains.length > MAX_DOMAINS)
    return fault("ERR_TOO_LONG", `are too many (maximum is ${MAX_DOMAINS})`);
  const bad = domains.find((domain) => !DOMAIN.test(domain));
  return bad === undefined ? [] : fault("ERR_INVALID", "contain an invalid domain");
};

/** Links known accounts only, so that a profile makes this server fetch nothing. */
const formatOptions = async (app: App, texts: string[]): Promise<FormatOptions> => {
  const handles = texts
    .flatMap(extractMentions)
    .map(({ handle, username, domain }) => ({ key: handle, username, domain }));
  return {
    mentions: await findAccounts(app, handles, false),
    tagUrl: (name) => `${app.config.site.origin}/tags/${name}`,
  };
};

export const noteHtml = async (app: App, note: string): Promise<string> =>
  formatText(note, await formatOptions(app, [note]));

/** Keeps a verification while the field has the value that was verified. */
export const fieldRows = async (
  app: App,
  fields: TypedField[],
  before: AccountField[],
): Promise<AccountField[]> => {
  const options = await formatOptions(
    app,
    fields.map((field) => field.value),
  );
  return fields.map(({ name, value }) => ({
    name,
    value,
    value_html: formatField(value, options),
    verified_at: before.find((field) => field.value === value)?.verified_at ?? null,
  }));
};
