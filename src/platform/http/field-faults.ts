// Says what is wrong with what was entered, input by input, in the reader's language.

import { BadRequest, InvalidFields } from "../errors.ts";
import type { FieldFault } from "../errors.ts";
import type { Key, Say } from "../text/texts.ts";

/** Sentences by the names of the inputs that they stand beside. */
export type Faults = Record<string, string>;

/** Maps faults to texts: first those of single fields, as `field ERR_CODE`, then those of any field. */
const FAULTS: Record<string, Key> = {
  "username ERR_INVALID": "invalid.username",
  "date_of_birth ERR_INVALID": "invalid.date",
  "domain ERR_INVALID": "invalid.domain",
  "email ERR_INVALID": "invalid.email",
  "ip ERR_INVALID": "invalid.network",
  "url ERR_INVALID": "invalid.web_address",
  "password ERR_BLOCKED": "invalid.password_common",
  "password ERR_INVALID": "invalid.password_name",
  "min_favourites ERR_INVALID": "invalid.number",
  "min_reblogs ERR_INVALID": "invalid.number",
  "attribution_domains ERR_INVALID": "invalid.domains",
  "attribution_domains ERR_TOO_LONG": "invalid.too_many",
  "avatar ERR_INVALID": "invalid.picture",
  "context ERR_BLANK": "invalid.choose",
  "fields ERR_BLANK": "invalid.field_name",
  "header ERR_INVALID": "invalid.picture",
  "keyword ERR_INVALID": "invalid.wildcards",
  "quiet_from ERR_INCLUSION": "invalid.time",
  "quiet_until ERR_INCLUSION": "invalid.time",
  "agreement ERR_CHANGED": "invalid.terms_changed",
  ERR_ACCEPTED: "invalid.accepted",
  ERR_BELOW_LIMIT: "invalid.below_limit",
  ERR_BLANK: "invalid.blank",
  ERR_BLOCKED: "invalid.blocked",
  ERR_INCLUSION: "invalid.inclusion",
  ERR_INVALID: "invalid.invalid",
  ERR_RESERVED: "invalid.reserved",
  ERR_TAKEN: "invalid.taken",
  ERR_TOO_LONG: "invalid.too_long",
  ERR_TOO_MANY: "invalid.too_many",
  ERR_TOO_SHORT: "invalid.too_short",
};

const faultText = (t: Say, { field, code, count = 0, said }: FieldFault): string =>
  said
    ? t(said.key, said.values)
    : t(FAULTS[`${field} ${code}`] ?? FAULTS[code] ?? "invalid.invalid", { count });

/** Returns the faults by the inputs of a form, each as a sentence; null for any other error. */
export const faultsOf = (t: Say, error: unknown): Faults | null => {
  if (error instanceof BadRequest && error.field) return { [error.field]: t("invalid.blank") };
  if (!(error instanceof InvalidFields)) return null;
  const fields = Map.groupBy(error.faults, ({ field, input }) => input ?? field);
  return Object.fromEntries(
    // A field needs no second message: what is reserved does not become free by being taken as well.
    [...fields].map(([field, [first]]) => [field, faultText(t, first!)]),
  );
};
