// Errors by meaning. One handler (platform/http/error-handler.ts) maps them to HTTP statuses and bodies;
// all other code throws these and never sets a status itself.

/** When to try again, in seconds (RFC 9110, 10.2.3). */
const retryAfter = (seconds: number | undefined): Record<string, string> | undefined =>
  seconds === undefined ? undefined : { "retry-after": String(seconds) };

/** An error with an HTTP status; `body` replaces the default `{error: message}` when given. */
export class HttpError extends Error {
  status: number;
  body: Record<string, unknown> | undefined;
  headers: Record<string, string> | undefined;
  constructor(
    status: number,
    message: string,
    body?: Record<string, unknown>,
    headers?: Record<string, string>,
  ) {
    super(message);
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** 400: the request itself is malformed or a required parameter is missing. */
export class BadRequest extends HttpError {
  constructor(message = "Bad request", body?: Record<string, unknown>) {
    super(400, message, body);
  }
}

/** 413: the request's body is longer than the route takes. */
export class TooLarge extends HttpError {
  constructor(message = "The request is too large") {
    super(413, message);
  }
}

/** 401: no usable token. Clients compare this text: do not change it. */
export class Unauthorized extends HttpError {
  constructor(message = "The access token is invalid") {
    const description = message.replaceAll(/["\\\r\n]/g, "");
    super(401, message, undefined, {
      "www-authenticate": `Bearer realm="Rookery", error="invalid_token", error_description="${description}"`,
    });
  }
}

/** 403: the requester is known, but not allowed to do this. */
export class Forbidden extends HttpError {
  constructor(message = "This action is not allowed") {
    super(403, message);
  }
}

/** 404: missing, or not visible to the requester; the answer is the same for both. */
export class NotFound extends HttpError {
  constructor(message = "Record not found") {
    super(404, message);
  }
}

/** 409: another request changed it in the meantime. */
export class Conflict extends HttpError {
  constructor(message = "Conflict during update, please try again") {
    super(409, message);
  }
}

/** 410: it existed and was deleted for good. */
export class Gone extends HttpError {
  constructor(message = "This resource is no longer available") {
    super(410, message);
  }
}

/** 422: well-formed but invalid. `body` is added to `{error}`. */
export class Unprocessable extends HttpError {
  constructor(message: string, body?: Record<string, unknown>) {
    super(422, message, body && { error: message, ...body });
  }
}

/** One fault of a field, as in the ValidationError entity. */
export type FieldFault = { field: string; code: string; description: string };

/** 422 with `Validation failed: …` and the details by field. */
export const invalidFields = (faults: FieldFault[]): Unprocessable => {
  const details: Record<string, { error: string; description: string }[]> = {};
  for (const { field, code, description } of faults) {
    (details[field] ??= []).push({ error: code, description });
  }
  const label = (field: string) => {
    const words = field.replaceAll("_", " ");
    return words.charAt(0).toUpperCase() + words.slice(1);
  };
  const text = faults.map((fault) => `${label(fault.field)} ${fault.description}`).join(", ");
  return new Unprocessable(`Validation failed: ${text}`, { details });
};

/** 429: over a rate limit. */
export class TooManyRequests extends HttpError {
  constructor(message = "Too many requests", retryAfterSeconds?: number) {
    super(429, message, undefined, retryAfter(retryAfterSeconds));
  }
}

/** 503: a service that this depends on is unavailable for now. */
export class Unavailable extends HttpError {
  constructor(message = "Remote data could not be fetched", retryAfterSeconds?: number) {
    super(503, message, undefined, retryAfter(retryAfterSeconds));
  }
}

/** Whether the same may go well later: what a job does is tried again, and is not refused for good. */
export const isTemporary = (error: unknown): boolean =>
  !(error instanceof HttpError) || error.status >= 500 || [409, 429].includes(error.status);

/** A command or the server cannot run as configured; the message is one sentence that says how to fix it. */
export class ConfigError extends Error {}

/** 507: nothing more can be stored. */
export class DiskFull extends HttpError {
  constructor() {
    super(
      507,
      "The disk of this server is full, so nothing can be saved until its admin makes room",
    );
  }
}
