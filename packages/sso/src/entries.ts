// Reads an Identity from an entry of a directory.

import type { Entry } from "ldapts";
import type { Identity } from "./port.ts";

export type { Entry };

/** Which attributes are read. */
export type EntryNames = {
  /** The attribute that is the person; null for the first of SUBJECTS that the entry has. */
  subject: string | null;
  username: string;
  email: string;
  name: string;
};

/**
 * Attributes that directories give an entry once and never to another: OpenLDAP and others, Active Directory, 389
 * Directory Server, FreeIPA. A DN changes when somebody marries or moves to another office, and names and addresses are
 * given to the next person.
 */
export const SUBJECTS = ["entryUUID", "objectGUID", "nsUniqueId", "ipaUniqueID"];

const MAX_TEXT = 500;
const MAX_GROUPS = 500;

const valuesIn = (entry: Entry, name: string): (string | Buffer)[] => {
  const key = Object.keys(entry).find((each) => each.toLowerCase() === name.toLowerCase());
  const value = key === undefined ? [] : entry[key]!;
  return Array.isArray(value) ? value : [value];
};

export const textIn = (entry: Entry, name: string): string | null => {
  const [value] = valuesIn(entry, name);
  const text = Buffer.isBuffer(value) ? value.toString("hex") : value?.trim();
  return text && text.length <= MAX_TEXT ? text : null;
};

/** Whether the directory says that nobody enters by this entry: Active Directory, 389, OpenLDAP's password policy. */
export const isClosed = (entry: Entry): boolean =>
  (Number(textIn(entry, "userAccountControl")) & 2) !== 0 ||
  textIn(entry, "nsAccountLock")?.toLowerCase() === "true" ||
  textIn(entry, "pwdAccountLockedTime") === "000001010000Z";

const converted = (name: string, { search, replace }: { search: string; replace: string }) =>
  [...name].map((sign) => (search.includes(sign) ? replace : sign)).join("");

/** Returns null where the attribute that is the person is missing. */
export const identityOf = (
  of: {
    issuer: string;
    names: EntryNames;
    conversion: { is: boolean; search: string; replace: string };
    assumesVerified: boolean;
  },
  entry: Entry,
): Identity | null => {
  const { issuer, names, conversion, assumesVerified } = of;
  const subjects = names.subject === null ? SUBJECTS : [names.subject];
  const subject = subjects.map((name) => textIn(entry, name)).find((text) => text !== null);
  if (subject === undefined) return null;
  const email = textIn(entry, names.email);
  const username = textIn(entry, names.username);
  const groups = valuesIn(entry, "memberOf").filter((value) => typeof value === "string");
  return {
    issuer,
    subject,
    email,
    emailVerified: email !== null && assumesVerified,
    name: textIn(entry, names.name),
    username: username && (conversion.is ? converted(username, conversion) : username),
    picture: null,
    groups: groups.slice(0, MAX_GROUPS),
  };
};
