// Scripts in a cluster that find the names in their slot by themselves. While the slot moves to another node some of
// its keys are here and some there, and a script would take those for missing that are at the other one. A cluster
// refuses what names two keys that are at neither (TRYAGAIN), so these scripts do: then they run at one node that has
// the whole slot, or not at all.

/** For KEYS, where all names in the slot begin with `prefix`; no feed or channel has either name. */
export const wholeSlot = (prefix: string): [string, string] => [prefix, `${prefix}-`];

/** Refused because the slot is moving; the client has gone to and fro between its nodes. */
export const isMoving = (error: unknown): boolean =>
  error instanceof Error && /TRYAGAIN|Too many Cluster redirections/.test(error.message);
