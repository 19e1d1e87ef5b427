// Why something of another server could not be had, as one error that says what to do about it.

import { HttpError } from "../platform/errors.ts";

/**
 * `gone` (the origin says that there is none: 404 or 410), `unreachable` (for now: network, 5xx,
 * 429), `unacceptable` (refused by us or by them: a wrong type, a claim that does not hold).
 */
export type RemoteFaultKind = "gone" | "unreachable" | "unacceptable";

const STATUS: Record<RemoteFaultKind, number> = { gone: 404, unreachable: 503, unacceptable: 422 };

/** An HttpError, so that a caller who lets it pass answers sensibly; 503 alone is worth a retry. */
export class RemoteFault extends HttpError {
  kind: RemoteFaultKind;
  constructor(kind: RemoteFaultKind, message: string) {
    super(STATUS[kind], message);
    this.name = "RemoteFault";
    this.kind = kind;
  }
}

export const unacceptable = (message: string): RemoteFault =>
  new RemoteFault("unacceptable", message);

/** What `work` gives, or null where the thing is gone or not acceptable. Lets `unreachable` pass. */
export const nullUnlessTemporary = async <T>(work: Promise<T>): Promise<T | null> => {
  try {
    return await work;
  } catch (error) {
    if (error instanceof RemoteFault && error.kind !== "unreachable") return null;
    throw error;
  }
};

/** As nullUnlessTemporary, and null for a server that is away as well. */
export const nullOnAnyFault = async <T>(work: Promise<T>): Promise<T | null> => {
  try {
    return await work;
  } catch (error) {
    if (error instanceof RemoteFault) return null;
    throw error;
  }
};
