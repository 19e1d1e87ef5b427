// Explains why a resource of another server could not be fetched, as one error class that callers can act on.

import { DomainError, nullOn } from "../platform/errors.ts";

/**
 * `gone` (the origin says that it does not exist: 404 or 410), `unreachable` (temporary: network, 5xx,
 * 429), `unacceptable` (refused by them or by us: a wrong type, a claim that is not true).
 */
export type RemoteFaultKind = "gone" | "unreachable" | "unacceptable";

const MEANING = { gone: "not_found", unreachable: "unavailable", unacceptable: "invalid" } as const;

/** Becomes a sensible response where nobody catches it. Only `unreachable` is worth a retry. */
export class RemoteFault extends DomainError {
  kind: RemoteFaultKind;
  constructor(kind: RemoteFaultKind, message: string) {
    super(MEANING[kind], message);
    this.name = "RemoteFault";
    this.kind = kind;
  }
}

/**
 * Thrown without a request, because the budget of the host is spent (platform/fetch/budget.ts). The host may work well.
 */
export class BudgetSpent extends RemoteFault {
  constructor(host: string) {
    super("unreachable", `${host} was asked for too much lately`);
  }
}

export const unacceptable = (message: string): RemoteFault =>
  new RemoteFault("unacceptable", message);

const isFault = (error: unknown): error is RemoteFault => error instanceof RemoteFault;

/** Returns the result, or null where the resource is gone or unacceptable. Rethrows `unreachable`. */
export const nullUnlessTemporary = <T>(work: Promise<T>): Promise<T | null> =>
  nullOn((error) => isFault(error) && error.kind !== "unreachable", work);

/** Returns the result, or null for every RemoteFault. */
export const nullOnAnyFault = <T>(work: Promise<T>): Promise<T | null> => nullOn(isFault, work);
