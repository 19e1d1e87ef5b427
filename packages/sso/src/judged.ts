// Turns whatever goes wrong at a provider into an SsoError, in which nothing is secret.

import { SsoError } from "./port.ts";
import type { SsoFault } from "./port.ts";

/** Says what went wrong and why, after what is known besides. */
export const reasonOf = (error: unknown, ...parts: string[]): string => {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (!parts.includes(cause.message)) parts.push(cause.message);
  return parts.join(": ").slice(0, 500);
};

/** Whether no answer came. */
export const isAway = (error: unknown): boolean => {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (/^Fetch(?:Failed|Refused)$/.test(cause.name)) return true;
  return false;
};

/** `faultOf` knows errors of a protocol's library; null for others. */
export const judging =
  (
    faultOf: (error: unknown) => SsoFault | null,
    reasonIn: (error: unknown) => string = (error) => reasonOf(error),
  ) =>
  async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof SsoError) throw error;
      const fault = faultOf(error) ?? (isAway(error) ? "unreachable" : "invalid");
      throw new SsoError(fault, reasonIn(error), { cause: error });
    }
  };
