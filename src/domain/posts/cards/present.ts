// Presents cards as the PreviewCard entity. https://docs.joinmastodon.org/entities/PreviewCard/

import type { FullConfig } from "../../../platform/config/config.ts";
import { fileUrl } from "../../../platform/storage/index.ts";
import { accountEntity } from "../../people/accounts/present.ts";
import type { AccountView } from "../../people/accounts/tables.ts";
import type { CardView } from "./tables.ts";

type Site = FullConfig["site"];

/** Returns whether the account agrees to be named as the author of pages there (attributionDomains). */
const agrees = (creator: AccountView, url: string): boolean => {
  const { host = "", hostname = "" } = URL.parse(url) ?? {};
  const covers = (domain: string): boolean =>
    host === domain || hostname === domain || hostname.endsWith(`.${domain}`);
  return (
    creator.suspended_at === null &&
    creator.attribution_domains.some((domain) => covers(domain.toLowerCase()))
  );
};

/** Returns the account that the page names as its author, if it agrees. */
const cardAuthor = ({ creator, url }: CardView): AccountView | null =>
  creator && agrees(creator, url) ? creator : null;

const authorsOf = (card: CardView, site: Site) => {
  const account = cardAuthor(card);
  const { author_name: name, author_url: url } = card;
  if (!account && name === "" && url === "") return [];
  return [
    {
      name: name || (account ? account.display_name || account.username : ""),
      url: url || (account?.url ?? ""),
      account: account && accountEntity(account, site),
    },
  ];
};

/** Returns whether the page names the viewer as its author, who has not agreed to that (attributionDomains). */
export const missesAttribution = ({ creator, url }: CardView, viewerId: string | null): boolean =>
  creator !== null && creator.id === viewerId && !agrees(creator, url);

/** `url` is the link as the post has it. */
export const cardEntity = (card: CardView, url: string, viewerId: string | null, site: Site) => ({
  url,
  title: card.title,
  description: card.description,
  language: card.language,
  type: card.type,
  authors: authorsOf(card, site),
  author_name: card.author_name,
  author_url: card.author_url,
  provider_name: card.provider_name,
  provider_url: card.provider_url,
  html: card.html,
  width: card.width,
  height: card.height,
  image: card.image_key && fileUrl(site, card.image_key),
  image_description: card.image_description,
  embed_url: card.embed_url,
  blurhash: card.blurhash,
  published_at: card.published_at,
  missing_attribution: missesAttribution(card, viewerId),
});

/** Returns the host and path, in place of a title. */
const titleOf = (address: string): string => {
  const { host, pathname } = new URL(address);
  return `${host}${pathname === "/" ? "" : pathname}`;
};

/** Returns the card of a link of whose page nothing is known. */
export const bareCard = (url: string, language: string | null): CardView => ({
  url,
  type: "link",
  title: titleOf(url),
  description: "",
  author_name: "",
  author_url: "",
  provider_name: new URL(url).host,
  provider_url: "",
  html: "",
  embed_url: "",
  width: 0,
  height: 0,
  language,
  published_at: null,
  image_description: "",
  blurhash: null,
  image_url: null,
  image_key: null,
  creator_id: null,
  creator: null,
});
