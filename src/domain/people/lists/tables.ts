// Row types of the lists slice.

import type { ListFields } from "./fields.ts";

export type ListRow = { id: string; account_id: string } & ListFields;

/** A list, for feeds and streams. */
export type ListRef = { id: string; ownerId: string };
