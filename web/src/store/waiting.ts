// How much waits for a decision of the member, who is of the staff or runs groups.

import type { CredentialAccount, GroupsWaiting } from "../api/entities.ts";
import type { Get } from "../api/get.ts";
import { isStaff } from "../api/staff.ts";
import type { Store } from "./store.ts";

type Asking = { get: Get; store: Store; me: CredentialAccount | null };

/** Leaves it at 0 for others, without a request. */
export const countForStaff = async ({ get, store, me }: Asking): Promise<void> => {
  if (isStaff(me?.role?.permissions))
    store.waiting.value = (await get<{ count: number }>("/api/v1/staff/waiting")).body.count;
};

/** Whoever asks is a member. */
export const countForGroups = async ({ get, store }: Omit<Asking, "me">): Promise<void> => {
  const { count, groups } = (await get<GroupsWaiting>("/api/v1/groups/waiting")).body;
  store.groupsWaiting.value = groups > 0 ? count : null;
};
