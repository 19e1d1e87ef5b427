// Checks what a collection may contain, without I/O. https://docs.joinmastodon.org/client/collections/

import { isBlank } from "../../../platform/text/count.ts";
import { blank, InvalidFields, invalidFields, tooLong } from "../../../platform/errors.ts";
import type { FieldFault } from "../../../platform/errors.ts";
import { normaliseLanguage } from "../../../platform/text/language.ts";
import { isTagName, normaliseTag } from "../../../platform/text/tags.ts";
import type { CollectionFields } from "./queries.ts";

/** Items of a collection, and collections of a person (limits.json of the contract, collection). */
export const MAX_ITEMS = 25;
export const MAX_COLLECTIONS = 10;
/** Items of a remote collection, and collections of its owner; other servers may allow more than this one. */
export const MAX_REMOTE_ITEMS = 150;
export const MAX_REMOTE_COLLECTIONS = 100;
const MAX_NAME = 40;
const MAX_DESCRIPTION = 100;

export type CollectionInput = {
  name?: string | undefined;
  description?: string | null | undefined;
  language?: string | null | undefined;
  tag_name?: string | null | undefined;
  sensitive?: boolean | undefined;
  discoverable?: boolean | undefined;
};

const lengthFault = (field: string, text: string, max: number): FieldFault[] =>
  [...text].length > max ? [tooLong(field, max)] : [];

const nameFaults = (name: string): FieldFault[] =>
  isBlank(name) ? [blank("name")] : lengthFault("name", name.trim(), MAX_NAME);

const tagFields = (text: string, faults: FieldFault[]) => {
  const display = text.trim().replace(/^[#\uff03]/, "");
  if (display === "") return { tag_name: null, tag_display: null };
  if (!isTagName(display)) {
    faults.push({ field: "tag_name", code: "ERR_INVALID", description: "is invalid" });
    return {};
  }
  return { tag_name: normaliseTag(display), tag_display: display };
};

const languageField = (code: string | null, faults: FieldFault[]) => {
  if (!code) return { language: null };
  const language = normaliseLanguage(code);
  if (language === null)
    faults.push({ field: "language", code: "ERR_INVALID", description: "is invalid" });
  return { language };
};

/** Errors of this group are nested one level deeper than others (Collection_ValidationError of the contract). */
const nested = (faults: FieldFault[]): InvalidFields => {
  const { message, details } = invalidFields(faults);
  return new InvalidFields(message, { error: { error: message, ...details } }, faults);
};

/** Returns the values to write; throws Unprocessable with every fault. */
export const checkFields = (input: CollectionInput): CollectionFields => {
  const faults: FieldFault[] = [];
  const { name, description, language, tag_name: tag, sensitive, discoverable } = input;
  if (name !== undefined) faults.push(...nameFaults(name));
  if (description) faults.push(...lengthFault("description", description.trim(), MAX_DESCRIPTION));
  const fields: CollectionFields = {
    ...(name !== undefined && { name: name.trim() }),
    ...(description !== undefined && { description: (description ?? "").trim() }),
    ...(language !== undefined && languageField(language, faults)),
    ...(tag !== undefined && tagFields(tag ?? "", faults)),
    ...(sensitive !== undefined && { sensitive }),
    ...(discoverable !== undefined && { discoverable }),
  };
  if (faults.length > 0) throw nested(faults);
  return fields;
};
