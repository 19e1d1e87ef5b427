// Row types of the cards slice.

import type { AccountView } from "../../people/accounts/tables.ts";

export type CardType = "link" | "photo" | "video" | "rich";

/** A card: what a page says about itself, checked and bounded. Texts are plain, addresses http or https. */
export type CardData = {
  type: CardType;
  title: string;
  description: string;
  author_name: string;
  author_url: string;
  provider_name: string;
  provider_url: string;
  /** Made here of checked parts (oembed.ts); "" for `link` and `photo`. */
  html: string;
  /** Address of a photo, where its page names it. */
  embed_url: string;
  /** Size of what is shown: the embedded frame, or the picture. */
  width: number;
  height: number;
  language: string | null;
  /** ISO 8601. */
  published_at: string | null;
  image_description: string;
  blurhash: string | null;
  /** Address of its picture. */
  image_url: string | null;
};

/** A card as it is loaded with the statuses that have its link. */
export type CardRow = CardData & {
  /** Link as it was first seen, without its fragment. */
  url: string;
  image_key: string | null;
  creator_id: string | null;
};

export type CardView = CardRow & {
  /** The account that the page names as its author; whether it agrees is not checked here. */
  creator: AccountView | null;
};
