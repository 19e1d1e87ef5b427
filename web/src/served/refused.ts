// Finds the form that was refused among the parts of a page, so that it is open wherever it is drawn.

import type { Refused } from "./pages.ts";

/** What of a form, a button or a row says where it is sent. */
type Sending = Partial<Record<"action" | "to", unknown>>;

/** Whether a form or a button among these parts, at any depth, sends to the address; searches in lists are not refused. */
const sendsTo = (part: unknown, address: string): boolean => {
  if (typeof part !== "object" || part === null) return false;
  const { action, to } = part as Sending;
  if (action === address || to === address) return true;
  return Object.entries(part).some(
    ([kind, inside]) => kind !== "filters" && sendsTo(inside, address),
  );
};

/** Whether the form, or one among the parts, was just refused. */
export const isRefused = (part: unknown, refused: Refused | undefined): boolean =>
  refused !== undefined && sendsTo(part, refused.action);
