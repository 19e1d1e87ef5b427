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
  /** Set for collections of other servers: the address, that of the page, and when it was read. */
  uri: string | null;
  url: string | null;
  fetched_at: Date | null;
};

type ItemState = "pending" | "accepted" | "revoked";

export type ItemRow = {
  id: string;
  collection_id: string;
  account_id: string;
  state: ItemState;
  created_at: Date;
  /** Its address in a collection of another server. */
  uri: string | null;
  /** Address of the consent of a remote account. */
  approval_uri: string | null;
};

/** An item of another server's collection whose account and consent have yet to be read. */
export type UncheckedItem = { id: string; object_uri: string; approval_uri: string | null };

/** A collection as one person may see it. */
export type CollectionView = CollectionRow & {
  owner: AccountView;
  items: ItemRow[];
};
