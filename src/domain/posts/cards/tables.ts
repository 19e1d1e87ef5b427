// Row types of the cards slice.

import type { AccountView } from "../../people/accounts/tables.ts";

export type CardType = "link" | "photo" | "video" | "rich";

/** What a page says about itself, checked and bounded. Texts are plain, addresses http or https. */
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
  /** Of a photo, where its page says so. */
  embed_url: string;
  /** Of what is shown: the embedded frame, or the picture. */
  width: number;
  height: number;
  language: string | null;
  /** ISO 8601. */
  published_at: string | null;
  image_description: string;
  blurhash: string | null;
  /** Where its picture came from. */
  image_url: string | null;
};

/** A card as it is read with the statuses that have its link. */
export type CardRow = CardData & {
  /** As it was first seen, without its fragment. */
  url: string;
  image_key: string | null;
  creator_id: string | null;
};

export type CardView = CardRow & {
  /** The account that the page names as its author; whether they agree is not checked here. */
  creator: AccountView | null;
};
