// How much waits for a decision of the member, who is of the staff.

import type { CredentialAccount } from "../api/entities.ts";
import type { Get } from "../api/get.ts";
import { isStaff } from "../api/staff.ts";

/** Returns 0 for others, without a request. */
export const loadWaiting = async (get: Get, me: CredentialAccount | null): Promise<number> => {
  if (!isStaff(me?.role?.permissions)) return 0;
  return (await get<{ count: number }>("/api/v1/staff/waiting")).body.count;
};
