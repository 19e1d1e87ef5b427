// Errors by meaning, for commands and jobs, pages and routes alike. Nothing here knows of HTTP:
// platform/http/http-error.ts says which status and headers each meaning has.

import { englishOf, says } from "./text/texts.ts";
import type { Said } from "./text/texts.ts";

export type Meaning =
  | "malformed"
  | "unauthorized"
  | "forbidden"
  | "not_found"
  | "conflict"
  | "gone"
  | "too_large"
  | "invalid"
  | "too_many"
  | "unavailable"
  | "disk_full";

class Spoken extends Error {
  /** The message in other languages, for people. Programs get it in English. */
  said: Said | undefined;
  constructor(message: string | Said) {
    super(typeof message === "string" ? message : englishOf(message));
    this.said = typeof message === "string" ? undefined : message;
  }
}

/** A command cannot do what was asked; the message tells the requester why. `details` are for programs. */
export class DomainError extends Spoken {
  meaning: Meaning;
  field: string | undefined;
  details: Record<string, unknown> | undefined;
  /** Seconds after which the same request may succeed. */
  retryAfter: number | undefined;
  constructor(meaning: Meaning, message: string | Said, details?: Record<string, unknown>) {
    super(message);
    this.meaning = meaning;
    this.details = details;
  }
}

/** The request itself is malformed, or a required parameter is missing. `field` is what was left empty. */
export class BadRequest extends DomainError {
  constructor(message = "Bad request", field?: string) {
    super("malformed", message);
    this.field = field;
  }
}

/** The request is longer than the limit for what it asks. */
export class TooLarge extends DomainError {
  constructor(message: string | Said = "The request is too large") {
    super("too_large", message);
  }
}

/** The request has no valid token. Clients compare this text: do not change it. */
export class Unauthorized extends DomainError {
  constructor(message = "The access token is invalid") {
    super("unauthorized", message);
  }
}

/** The requester is known, but not allowed to do this. `field` is what they may not enter. */
export class Forbidden extends DomainError {
  constructor(message: string | Said = "This action is not allowed", field?: string) {
    super("forbidden", message);
    this.field = field;
  }
}

/** Missing, or not visible to the requester; the answer is the same for both. */
export class NotFound extends DomainError {
  constructor(message: string | Said = "Record not found") {
    super("not_found", message);
  }
}

/** Returns what was looked for; throws NotFound where there is none. */
export const orNotFound = <T>(value: T | null | undefined): T => {
  if (value === null || value === undefined) throw new NotFound();
  return value;
};

/** Another request changed the same thing in the meantime. */
export class Conflict extends DomainError {
  constructor(
    message: string | Said = "Conflict during update, please try again",
    details?: Record<string, unknown>,
  ) {
    super("conflict", message, details);
  }
}

/** The thing existed and was deleted for good. */
export class Gone extends DomainError {
  constructor(message = "This resource is no longer available") {
    super("gone", message);
  }
}

/** Well-formed but invalid. */
export class Unprocessable extends DomainError {
  constructor(message: string | Said, details?: Record<string, unknown>) {
    super("invalid", message, details);
  }
}

/**
 * One fault of a field, as in the ValidationError entity. `count` is the limit that was exceeded, for people; `said` is
 * the whole sentence that they read.
 */
export type FieldFault = {
  field: string;
  code: string;
  description: string;
  count?: number;
  said?: Said;
  /** Name of the form's input, where it is another one than the field. */
  input?: string;
};

/** Values that were entered wrongly, with every fault of each field. */
export class InvalidFields extends Unprocessable {
  faults: FieldFault[];
  constructor(
    message: string | Said,
    details: Record<string, unknown> | undefined,
    faults: FieldFault[],
  ) {
    super(message, details);
    this.faults = faults;
  }
}

/** Makes the refusal of one field's value; programs get the sentence alone. */
export const faultOf = (field: string, said: Said, details?: Record<string, unknown>) =>
  new InvalidFields(said, details, [
    { field, code: "ERR_INVALID", description: englishOf(said), said },
  ]);

/** Describes a word that is none of these. */
export const notIncluded = (words: readonly unknown[]): string =>
  `is not included in the list (${words.join(", ")})`;

export const blank = (field: string): FieldFault => ({
  field,
  code: "ERR_BLANK",
  description: "can't be blank",
});

export const taken = (field: string): FieldFault => ({
  field,
  code: "ERR_TAKEN",
  description: "has already been taken",
});

export const tooLong = (field: string, max: number): FieldFault => ({
  field,
  code: "ERR_TOO_LONG",
  description: `is too long (maximum is ${max} characters)`,
  count: max,
});

/** Makes a check for checkAll, which refuses the field's value where `isWrong`. */
export const faultIf = (isWrong: boolean, field: string, said: Said) => (): void => {
  if (isWrong) throw faultOf(field, said);
};

/**
 * Makes all checks and returns what they return; throws what they refuse as one refusal, so that a form marks every
 * wrong field.
 */
export const checkAll = <Results extends readonly unknown[]>(
  ...checks: { [N in keyof Results]: () => Results[N] }
): Results => {
  const refused: InvalidFields[] = [];
  const results = checks.map((check) => {
    try {
      return check();
    } catch (error) {
      if (!(error instanceof InvalidFields)) throw error;
      return void refused.push(error);
    }
  });
  const [first, ...others] = refused;
  if (!first) return results as unknown as Results;
  if (others.length === 0) throw first;
  const faults = refused.flatMap((error) => error.faults);
  if (refused.every(({ details }) => details?.["details"])) throw invalidFields(faults);
  throw new InvalidFields(refused.map(({ message }) => message).join(" "), undefined, faults);
};

/** Makes the error `Validation failed: …` with the details by field. */
export const invalidFields = (faults: FieldFault[]): InvalidFields => {
  const details: Record<string, { error: string; description: string }[]> = {};
  for (const { field, code, description } of faults) {
    (details[field] ??= []).push({ error: code, description });
  }
  const label = (field: string) => {
    if (field.includes("[")) return field;
    const words = field.replaceAll("_", " ");
    return words.charAt(0).toUpperCase() + words.slice(1);
  };
  const text = faults.map((fault) => `${label(fault.field)} ${fault.description}`).join(", ");
  return new InvalidFields(`Validation failed: ${text}`, { details }, faults);
};

/** The same for one field's value; `said` says it in the reader's language. */
export const invalidField = (field: string, description: string, said?: Said): InvalidFields =>
  invalidFields([{ field, code: "ERR_INVALID", description, ...(said && { said }) }]);

/** Refuses all of these values that are empty, before a form counts as a guess or a search. */
export const checkFilled = (values: Readonly<Record<string, string>>): void => {
  const empty = Object.keys(values).filter((field) => values[field] === "");
  if (empty.length > 0) throw invalidFields(empty.map(blank));
};

/** The requester exceeded a rate limit. */
export class TooManyRequests extends DomainError {
  constructor(message = "Too many requests", retryAfterSeconds?: number) {
    super("too_many", message);
    this.retryAfter = retryAfterSeconds;
  }
}

/** A service that this server depends on is unavailable for now. */
export class Unavailable extends DomainError {
  constructor(message = "Remote data could not be fetched", retryAfterSeconds?: number) {
    super("unavailable", message);
    this.retryAfter = retryAfterSeconds;
  }
}

/** The disk is full, so nothing more can be stored. */
export class DiskFull extends DomainError {
  constructor() {
    super("disk_full", says("fault.disk_full"));
  }
}

const TEMPORARY: readonly Meaning[] = ["conflict", "too_many", "unavailable", "disk_full"];

/** Whether an error is final, so that retrying is useless. After any other error the same attempt may succeed later. */
export const isRefusal = (error: unknown): error is DomainError =>
  error instanceof DomainError && !TEMPORARY.includes(error.meaning);

/** Returns the result, or null where the work fails with an error of this kind. Any other is thrown. */
export const nullOn = async <T>(
  isExpected: (error: unknown) => boolean,
  work: Promise<T>,
): Promise<T | null> => {
  try {
    return await work;
  } catch (error) {
    if (isExpected(error)) return null;
    throw error;
  }
};

/** A command or the server cannot run as configured; the message is one sentence that says how to fix it. */
export class ConfigError extends Spoken {}
