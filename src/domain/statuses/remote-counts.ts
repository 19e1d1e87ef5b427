// How often a remote post was favourited, boosted and answered, as its own server says: what is known here is only a
// part of it.

import type { App } from "../../platform/app.ts";
import { raiseCounts } from "./queries-write.ts";

export type RemoteCounts = {
  favourites: number | null;
  reblogs: number | null;
  replies: number | null;
};

/** Never below what is stored here. Its own server counts what happens here too. */
export const setRemoteCounts = async (
  app: App,
  id: string,
  counts: RemoteCounts,
): Promise<void> => {
  if (Object.values(counts).some((count) => count !== null)) await raiseCounts(app.sql, id, counts);
};
