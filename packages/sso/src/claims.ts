// Reads an Identity from the claims of a provider.

import type { Identity } from "./port.ts";

export type Claims = Readonly<Record<string, unknown>>;

/** Which claims are read; the names of groups may be deeper, as in `realm_access.roles`. */
export type ClaimNames = {
  /** The claim that is the person; `sub` is the only one that a provider may never give to somebody else. */
  subject: string;
  name: string;
  username: string;
  picture: string;
  email: string;
  groups: string;
};

const MAX_TEXT = 500;
const MAX_GROUPS = 500;

const textIn = (claims: Claims, name: string): string | null => {
  const value = claims[name];
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && text.trim() !== "" && text.length <= MAX_TEXT
    ? text.trim()
    : null;
};

const deepIn = (claims: Claims, name: string): unknown =>
  Object.hasOwn(claims, name)
    ? claims[name]
    : name
        .split(".")
        .reduce<unknown>(
          (value, part) =>
            typeof value === "object" && value !== null ? (value as Claims)[part] : undefined,
          claims,
        );

const textsIn = (claims: Claims, name: string): string[] => {
  const value = deepIn(claims, name);
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list
    .filter((text) => typeof text === "string" && text !== "" && text.length <= MAX_TEXT)
    .slice(0, MAX_GROUPS) as string[];
};

/** Returns null where the claim that is the person is missing. */
export const identityIn = (
  issuer: string,
  claims: Claims,
  names: ClaimNames,
  assumesVerified: boolean,
): Identity | null => {
  const subject = textIn(claims, names.subject);
  if (subject === null) return null;
  const email = textIn(claims, names.email);
  // What says whether an address is verified is about the standard claim alone.
  const isVerified =
    names.email === "email" &&
    (claims["email_verified"] === true || claims["email_verified"] === "true");
  return {
    issuer,
    subject,
    email,
    emailVerified: email !== null && (isVerified || assumesVerified),
    name: textIn(claims, names.name),
    username: textIn(claims, names.username),
    picture: textIn(claims, names.picture),
    groups: textsIn(claims, names.groups),
  };
};
