// Maps an error to HTTP: its status, headers and body.

import { DomainError, Unauthorized } from "../errors.ts";
import type { Meaning } from "../errors.ts";
import type { Said } from "../text/texts.ts";

const STATUS: Record<Meaning, number> = {
  malformed: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  gone: 410,
  too_large: 413,
  invalid: 422,
  too_many: 429,
  unavailable: 503,
  disk_full: 507,
};

type Headers = Record<string, string>;
type About = {
  body?: Record<string, unknown>;
  headers?: Headers | undefined;
  /** The message in other languages, for people. */
  said?: Said | undefined;
};

/** An error that only HTTP knows: a status that no meaning has, or headers and a body of a protocol on top of HTTP. */
export class HttpError extends Error {
  status: number;
  body: Record<string, unknown> | undefined;
  headers: Headers;
  said: Said | undefined;
  constructor(status: number, message: string, { body, headers = {}, said }: About = {}) {
    super(message);
    this.status = status;
    this.body = body;
    this.headers = headers;
    this.said = said;
  }
}

export type KnownError = DomainError | HttpError;

/** Whether an error's message is meant for the requester. */
export const isKnown = (error: unknown): error is KnownError =>
  error instanceof DomainError || error instanceof HttpError;

export const statusOf = (error: KnownError): number =>
  error instanceof HttpError ? error.status : STATUS[error.meaning];

/** Returns a WWW-Authenticate header (RFC 6750, 3); characters that would end the quoted text are removed. */
const challenge = (message: string): string => {
  const description = message.replaceAll(/["\\\r\n]/g, "");
  return `Bearer realm="Rookery", error="invalid_token", error_description="${description}"`;
};

/** Returns an error's own headers, and when to try again (RFC 9110, 10.2.3). */
export const headersOf = (error: KnownError): Headers => {
  if (error instanceof HttpError) return error.headers;
  const { message, retryAfter } = error;
  return {
    ...(error as { headers?: Headers }).headers,
    ...(error instanceof Unauthorized && { "www-authenticate": challenge(message) }),
    ...(retryAfter !== undefined && { "retry-after": String(retryAfter) }),
  };
};

export const bodyOf = (error: KnownError): Record<string, unknown> =>
  error instanceof HttpError
    ? (error.body ?? { error: error.message })
    : { error: error.message, ...error.details };
