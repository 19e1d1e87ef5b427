// Row types of the collections slice.

import type { AccountView } from "../accounts/tables.ts";

export type CollectionRow = {
  id: string;
  account_id: string;
  name: string;
  description: string;
  language: string | null;
  tag_name: string | null;
  tag_display: string | null;
  sensitive: boolean;
  discoverable: boolean;
  created_at: Date;
  updated_at: Date;
};

export type ItemState = "pending" | "accepted" | "revoked";

export type ItemRow = {
  id: string;
  collection_id: string;
  account_id: string;
  state: ItemState;
  created_at: Date;
};

/** A collection as one person may see it. */
export type CollectionView = CollectionRow & {
  owner: AccountView;
  items: ItemRow[];
};
