// Asks what became of an own post in the groups that it names: shared, held for their moderators, or removed.

import type { GroupPost, Status } from "../api/entities.ts";
import type { Asking } from "./feed.ts";
import { changeStatus } from "./store.ts";

/** Whether the post may be in a group: groups are accounts of this server, and replies stay in their thread. */
const mayBeInGroups = (status: Pick<Status, "mentions" | "in_reply_to_id">): boolean =>
  status.in_reply_to_id === null && status.mentions.some(({ acct }) => !acct.includes("@"));

/** Returns the groups, and shows what waits on the post; `status` is by the member. */
export const loadInGroups = async (
  { get, store }: Asking,
  status: Pick<Status, "id" | "mentions" | "in_reply_to_id">,
): Promise<readonly GroupPost[]> => {
  if (!mayBeInGroups(status)) return [];
  const { body: groups } = await get<GroupPost[]>(`/api/v1/statuses/${status.id}/groups`);
  changeStatus(store, status.id, () => ({ groups }));
  return groups;
};
