// Builds the text that a draft-cavage-12 signature covers, for signing and for verifying.

/** Header values by lower-case name, as node gives them; repeated ones are joined with ", ". */
export type HeaderValues = Record<string, string | string[] | undefined>;

type SigningInput = {
  method: string;
  /** Path and query, exactly as in the request line. */
  target: string;
  headers: HeaderValues;
  created: number | null;
  expires: number | null;
};

/** Returns one header as a single string; undefined when it is missing. */
export const headerValue = (headers: HeaderValues, name: string): string | undefined => {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
  return Array.isArray(value) ? value.join(", ") : value;
};

/** Returns the lines in the order of `names` (draft-cavage-12, 2.3); null when one of them has no value. */
export const signingString = (names: string[], input: SigningInput): string | null => {
  const lines = names.map((name) => {
    const value = valueOf(name, input);
    return value === undefined || value === null ? null : `${name}: ${value}`;
  });
  return lines.includes(null) ? null : lines.join("\n");
};

const valueOf = (name: string, input: SigningInput): string | number | null | undefined => {
  if (name === "(request-target)") return `${input.method.toLowerCase()} ${input.target}`;
  if (name === "(created)") return input.created;
  if (name === "(expires)") return input.expires;
  return headerValue(input.headers, name)?.trim();
};
