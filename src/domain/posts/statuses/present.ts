// Presents status views as JSON entities. https://docs.joinmastodon.org/entities/Status/

import type { FullConfig } from "../../../platform/config/config.ts";
import { isoTime } from "../../../platform/ids/index.ts";
import { accountEntity, acct, asciiAcct } from "../../people/accounts/present.ts";
import { emojiEntity } from "../../base/emojis/present.ts";
import { collectionEntity } from "../../people/collections/present.ts";
import { cardEntity } from "../cards/present.ts";
import { filterResultEntity } from "../filters/present.ts";
import { mediaEntity } from "../../base/media/present.ts";
import type { MediaView } from "../../base/media/tables.ts";
import { tagUrl } from "../tags/present.ts";
import { eventHead, linesOfRow } from "../events/lines.ts";
import { eventEntity } from "../events/present.ts";
import { pollEntity } from "../polls/present.ts";
import { policyLists } from "../../people/accounts/policies.ts";
import { shownLink } from "./links.ts";
import { interactionMembers } from "./present-policies.ts";
import { isSensitive, quoteRight, quoteState } from "./rules.ts";
import type { QuoteRight, ShownState } from "./rules.ts";
import type { CountedReaction, QuoteView, Reaction, SeenStatus, StatusView } from "./tables.ts";
import { openToFollowers, visibilityMembers } from "./visibility.ts";

export type Site = FullConfig["site"];

const mentionEntities = (view: StatusView) =>
  view.mentions
    .filter((mention) => !mention.silent)
    .map((mention) => ({
      id: mention.id,
      username: mention.username,
      url: mention.url,
      acct: acct(mention),
    }));

const application = (view: StatusView) =>
  view.app_name === null ? null : { name: view.app_name, website: view.app_website };

export const mayPin = (view: StatusView): boolean =>
  view.viewer?.id === view.account_id && !view.reblog && openToFollowers(view);

export const viewerMembers = (view: StatusView) => {
  if (!view.viewer) return {};
  const { favourited, reblogged, bookmarked, pinned } = view.viewer.flags;
  return {
    favourited,
    // A reblog counts as reblogged, too, for a viewer who reblogged the original.
    reblogged: reblogged || (view.reblog?.viewer?.flags.reblogged ?? false),
    muted: view.viewer.muted,
    bookmarked,
    ...(mayPin(view) && { pinned }),
    filtered: view.viewer.filtered.map(filterResultEntity),
  };
};

type Shown = Pick<StatusView, "local" | "content" | "event">;

const counts = (view: StatusView) => ({
  replies_count: Number(view.replies_count),
  reblogs_count: Number(view.reblogs_count),
  favourites_count: Number(view.favourites_count),
  quotes_count: Number(view.quotes_count),
});

/** Presents the media of one version. */
export const mediaOf = ({ account }: StatusView, media: MediaView[], site: Site) =>
  media.map((attachment) => mediaEntity(attachment, site, account.suspended_at !== null));

/** Returns the text; for local events it is preceded by time and place, which remote ones have in their texts. */
export const shownContent = ({ local, content, event }: Shown): string =>
  local && event ? eventHead(event.name, linesOfRow(event)) + content : content;

const body = (view: StatusView, site: Site) => ({
  content: shownContent(view),
  spoiler_text: view.spoiler_text,
  sensitive: isSensitive(view),
  language: view.language,
  media_attachments: mediaOf(view, view.media, site),
  mentions: mentionEntities(view),
  tags: view.tags.map(({ name }) => ({ name, url: tagUrl(site, name) })),
  emojis: view.emojis.map(emojiEntity),
});

/** Returns both addresses: a local reblog has the URL of its activity, and a remote status without a page its URI. */
const addresses = (view: StatusView) => ({
  uri: view.uri,
  url: view.reblog_of_id && view.local ? view.uri : (view.url ?? view.uri),
});

/** Shows a card only for a link that the status has. */
const card = (view: StatusView, site: Site) => {
  if (!view.card) return null;
  const url = shownLink(view, site) ?? view.card.url;
  return cardEntity(view.card, url, view.viewer?.id ?? null, site);
};

const isOwnReaction = ({ by }: CountedReaction, { viewer }: StatusView): boolean =>
  by !== null && viewer !== null && by.includes(viewer.id);

/** Returns the viewer's own reaction; "" for none. */
export const reactionKey = (view: StatusView): string =>
  view.reactions.find((reaction) => isOwnReaction(reaction, view))?.name ?? "";

export const reactionFace = ({ name, emoji }: Reaction) => ({
  name: emoji?.shortcode ?? name,
  ...(emoji && { url: emoji.url, static_url: emoji.static_url }),
});

/** Makes the entity of https://docs.joinmastodon.org/entities/Reaction/ */
export const reactionEntity = (reaction: CountedReaction, view: StatusView) => {
  const { name, ...picture } = reactionFace(reaction);
  return { name, count: reaction.count, me: isOwnReaction(reaction, view), ...picture };
};

/**
 * Returns reactions by the names of glitch-soc, of Akkoma and Fedibird, and of Pleroma, whose apps read `pleroma` of
 * every post (extensions).
 */
const reactionMembers = (view: StatusView) => {
  const reactions = view.reactions.map((reaction) => reactionEntity(reaction, view));
  return {
    ...(reactions.length > 0 && { reactions, emoji_reactions: reactions }),
    pleroma: { local: view.local, emoji_reactions: reactions },
  };
};

/** Presents the poll of a status that has one, as the status's viewer sees it. */
export const ownPollEntity = (view: StatusView) =>
  pollEntity(view.poll!, view.viewer?.id === view.account_id, view.emojis);

/** Presents the event of a status that has one, as the status's viewer sees it (an extension). */
const eventMember = ({ id, account, event }: StatusView, site: Site) =>
  event && { event: eventEntity(event, `${site.origin}/@${asciiAcct(account)}/${id}/event.ics`) };

/** Returns the members that are the same for every viewer, except for polls, events and reactions. */
export const impersonalMembers = (view: StatusView, site: Site) => ({
  id: view.id,
  ...addresses(view),
  created_at: isoTime(view.created_at),
  edited_at: view.edited_at && isoTime(view.edited_at),
  ...(view.expires_at && { expires_at: isoTime(view.expires_at) }),
  in_reply_to_id: view.in_reply_to_id,
  in_reply_to_account_id: view.in_reply_to_account_id,
  ...visibilityMembers(view),
  ...counts(view),
  ...body(view, site),
  application: application(view),
  card: card(view, site),
  poll: view.poll && ownPollEntity(view),
  ...eventMember(view, site),
  ...reactionMembers(view),
});

/** States in which the quoted status is included; clients ask before they show the last three. */
const SHOWN = new Set<ShownState>([
  "accepted",
  "blocked_account",
  "blocked_domain",
  "muted_account",
]);

type ShownQuote = {
  state: ShownState;
  /** Null where it is not shown to the viewer. */
  status: StatusView | null;
};

/** Returns null also for a legacy quote that is not accepted, whose link is in the text. */
export const shownQuote = (quote: QuoteView | null): ShownQuote | null => {
  if (!quote || (quote.legacy && quote.state !== "accepted")) return null;
  const state = quoteState(quote);
  return { state, status: SHOWN.has(state) ? quote.status : null };
};

/** How much of a quoted status is included: the whole, or inside another quote only its id. */
export type Depth = "whole" | "shallow";

export const quoteEntity = (view: StatusView, site: Site, depth: Depth) => {
  const shown = shownQuote(view.quote);
  if (!shown) return null;
  const { state, status } = shown;
  return depth === "shallow"
    ? { state, quoted_status_id: status && status.id }
    : { state, quoted_status: status && entityAt(status, site, "shallow") };
};

export const approval = (policy: number, right: QuoteRight) => ({
  ...policyLists(policy),
  current_user: right,
});

/** Uses the original of a reblog, since quoting a reblog quotes that. */
const quoteApproval = (view: StatusView) => {
  const target = view.reblog ?? view;
  return approval(target.quote_policy, quoteRight(target));
};

/** Returns the members that state who may act on it, where not everybody who sees it may (extensions). */
export const policyMembers = (view: StatusView) => {
  const target = view.reblog ?? view;
  return target.interaction_policy === 0 ? null : interactionMembers(target);
};

/** Returns the id of the quoted post that is shown, by the name of Fedibird, Akkoma and Sharkey (an extension). */
export const quoteIdMember = (view: StatusView) => {
  const status = shownQuote(view.quote)?.status;
  return status && { quote_id: status.id };
};

export const taggedCollections = (view: StatusView, site: Site) =>
  view.collections.map((collection) => collectionEntity(collection, site));

const entityAt = (view: StatusView, site: Site, depth: Depth): Record<string, unknown> => ({
  ...impersonalMembers(view, site),
  account: accountEntity(view.account, site),
  quote: quoteEntity(view, site, depth),
  ...quoteIdMember(view),
  quote_approval: quoteApproval(view),
  ...policyMembers(view),
  tagged_collections: taggedCollections(view, site),
  reblog: view.reblog && entityAt(view.reblog, site, depth),
  ...viewerMembers(view),
});

/** Makes the Status entity, with the viewer's members where somebody is signed in. */
export const statusEntity = (view: SeenStatus, site: Site): Record<string, unknown> =>
  entityAt(view, site, "whole");

/** Returns the members that place a post in its thread. */
export const referenceEntity = ({ id, in_reply_to_id, account_id }: SeenStatus) => ({
  id,
  in_reply_to_id,
  account_id,
});
