// Presents status views as JSON entities. https://docs.joinmastodon.org/entities/Status/

import type { HeldPost } from "./spam-check.ts";
import type { FullConfig } from "../../../platform/config/config.ts";
import { listParts, listPartsInTurns, ownBytes } from "../../../platform/http/json-bytes.ts";
import { isoTime } from "../../../platform/ids/index.ts";
import { PLAIN, readWritten } from "../../../platform/text/written.ts";
import { accountEntity, accountJson, acct, asciiAcct } from "../../people/accounts/present.ts";
import { emojiEntity } from "../../base/emojis/present.ts";
import { collectionEntity } from "../../people/collections/present.ts";
import { cardEntity, missesAttribution } from "../cards/present.ts";
import { filterResultEntity } from "../filters/present.ts";
import { mediaEntity } from "../../base/media/present.ts";
import type { MediaView } from "../../base/media/tables.ts";
import { tagUrl } from "../tags/present.ts";
import { eventHead, linesOfRow } from "../events/lines.ts";
import { eventEntity } from "../events/present.ts";
import { pollEntity } from "../polls/present.ts";
import { policyLists } from "../../people/accounts/policies.ts";
import type { WrittenFor } from "./circle.ts";
import { shownLink } from "./links.ts";
import type { ScheduledRow } from "./queries-scheduled.ts";
import {
  replyApproval,
  replyRight,
  restrictsReplies,
  isSensitive,
  quoteRight,
  quoteState,
} from "./rules.ts";
import type { QuoteRight, ShownState } from "./rules.ts";
import type {
  CountedReaction,
  QuoteView,
  SeenStatus,
  StatusEditRow,
  StatusView,
} from "./tables.ts";
import { openToFollowers, rewrittenMembers, visibilityMembers } from "./visibility.ts";

type Site = FullConfig["site"];

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

const mayPin = (view: StatusView): boolean =>
  view.viewer?.id === view.account_id && !view.reblog && openToFollowers(view);

const viewerMembers = (view: StatusView) => {
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
const mediaOf = ({ account }: StatusView, media: MediaView[], site: Site) =>
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
const reactionKey = (view: StatusView): string =>
  view.reactions.find((reaction) => isOwnReaction(reaction, view))?.name ?? "";

/** Makes the entity of https://docs.joinmastodon.org/entities/Reaction/ */
const reactionEntity = (reaction: CountedReaction, view: StatusView) => {
  const { name, count, emoji } = reaction;
  return {
    name: emoji?.shortcode ?? name,
    count,
    me: isOwnReaction(reaction, view),
    ...(emoji && { url: emoji.url, static_url: emoji.static_url }),
  };
};

/** Presents the poll of a status that has one, as the status's viewer sees it. */
export const ownPollEntity = (view: StatusView) =>
  pollEntity(view.poll!, view.viewer?.id === view.account_id, view.emojis);

/** Presents the event of a status that has one, as the status's viewer sees it (an extension). */
const eventMember = ({ id, account, event }: StatusView, site: Site) =>
  event && { event: eventEntity(event, `${site.origin}/@${asciiAcct(account)}/${id}/event.ics`) };

/** Returns the members that are the same for every viewer, except for polls, events and reactions. */
const impersonalMembers = (view: StatusView, site: Site) => ({
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
  // This is an extension: Mastodon has reactions in announcements only.
  ...(view.reactions.length > 0 && {
    reactions: view.reactions.map((reaction) => reactionEntity(reaction, view)),
  }),
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
const shownQuote = (quote: QuoteView | null): ShownQuote | null => {
  if (!quote || (quote.legacy && quote.state !== "accepted")) return null;
  const state = quoteState(quote);
  return { state, status: SHOWN.has(state) ? quote.status : null };
};

/** How much of a quoted status is included: the whole, or inside another quote only its id. */
type Depth = "whole" | "shallow";

const quoteEntity = (view: StatusView, site: Site, depth: Depth) => {
  const shown = shownQuote(view.quote);
  if (!shown) return null;
  const { state, status } = shown;
  return depth === "shallow"
    ? { state, quoted_status_id: status && status.id }
    : { state, quoted_status: status && entityAt(status, site, "shallow") };
};

const approval = (policy: number, right: QuoteRight) => ({
  ...policyLists(policy),
  current_user: right,
});

/** Uses the original of a reblog, since quoting a reblog quotes that. */
const quoteApproval = (view: StatusView) => {
  const target = view.reblog ?? view;
  return approval(target.quote_policy, quoteRight(target));
};

/** Returns the member that states who may answer, where not everybody who sees it may (an extension). */
const replyMember = (view: StatusView) => {
  const reply_approval = replyApproval(view.reblog ?? view);
  return reply_approval && { reply_approval };
};

const taggedCollections = (view: StatusView, site: Site) =>
  view.collections.map((collection) => collectionEntity(collection, site));

const entityAt = (view: StatusView, site: Site, depth: Depth): Record<string, unknown> => ({
  ...impersonalMembers(view, site),
  account: accountEntity(view.account, site),
  quote: quoteEntity(view, site, depth),
  quote_approval: quoteApproval(view),
  ...replyMember(view),
  tagged_collections: taggedCollections(view, site),
  reblog: view.reblog && entityAt(view.reblog, site, depth),
  ...viewerMembers(view),
});

/** Makes the Status entity, with the viewer's members where somebody is signed in. */
export const statusEntity = (view: SeenStatus, site: Site): Record<string, unknown> =>
  entityAt(view, site, "whole");

const makeBytes = (view: StatusView, site: Site): Buffer =>
  ownBytes(`${JSON.stringify(impersonalMembers(view, site)).slice(0, -1)},"account":`);

/**
 * Returns the JSON of the members before `account` as bytes, cached with the row. They are not cached with reactions, a
 * poll or an event, whose members depend on the viewer or the time; nor with an account in the card, nor where
 * moderators marked the author.
 */
const impersonalBytes = (view: StatusView, site: Site): Buffer =>
  view.poll ||
  view.event ||
  view.card?.creator ||
  view.account.sensitized_at !== null ||
  reactionKey(view) !== ""
    ? makeBytes(view, site)
    : (view.row.derived.bytes ??= makeBytes(view, site));

const REBLOG = Buffer.from(',"reblog":');
const NO_QUOTE = Buffer.from(',"quote":null');
/** Caches the end of the entity with the viewer's members: by their flags there are 49 different texts. */
const endings = { withReblog: [] as Buffer[], without: [] as Buffer[] };
const NOBODY = 24;

const endingIndex = (view: StatusView): number => {
  if (!view.viewer) return NOBODY;
  const { flags, muted } = view.viewer;
  const { favourited, reblogged, bookmarked, pinned } = flags;
  const isReblogged = reblogged || view.reblog?.viewer?.flags.reblogged === true;
  const pin = mayPin(view) ? (pinned ? 2 : 1) : 0;
  const marks = (favourited ? 1 : 0) + (isReblogged ? 2 : 0) + (bookmarked ? 4 : 0) + pin * 8;
  return marks + (muted ? NOBODY + 1 : 0);
};

const makeEnding = (view: StatusView): Buffer => {
  const members = view.viewer ? `,${JSON.stringify(viewerMembers(view)).slice(1)}` : "}";
  return Buffer.from(`${view.reblog ? "" : ',"reblog":null'}${members}`);
};

const ending = (view: StatusView): Buffer => {
  if (view.viewer && view.viewer.filtered.length > 0) return makeEnding(view);
  const known = view.reblog ? endings.withReblog : endings.without;
  return (known[endingIndex(view)] ??= makeEnding(view));
};

const QUOTE = Buffer.from(',"quote":');
const NULL = Buffer.from("null");
const END = Buffer.from("}");
const RIGHTS: QuoteRight[] = ["automatic", "manual", "denied", "unknown"];
/** Caches approvals by the policy and the viewer's right: a few texts for all statuses. */
const approvals: Buffer[] = [];

const approvalBytes = (view: StatusView): Buffer => {
  const target = view.reblog ?? view;
  const right = quoteRight(target);
  const index = target.quote_policy * RIGHTS.length + RIGHTS.indexOf(right);
  const make = () => JSON.stringify(approval(target.quote_policy, right));
  return (approvals[index] ??= Buffer.from(`,"quote_approval":${make()}`));
};

const NO_COLLECTIONS = Buffer.from(',"tagged_collections":[]');

const collectionBytes = (view: StatusView, site: Site): Buffer =>
  view.collections.length === 0
    ? NO_COLLECTIONS
    : Buffer.from(`,"tagged_collections":${JSON.stringify(taggedCollections(view, site))}`);

const quoteParts = (view: StatusView, site: Site, parts: Buffer[], depth: Depth): void => {
  const shown = depth === "whole" ? shownQuote(view.quote) : null;
  if (!shown?.status) {
    const entity = quoteEntity(view, site, depth);
    parts.push(QUOTE, entity ? Buffer.from(JSON.stringify(entity)) : NULL);
  } else {
    parts.push(QUOTE, Buffer.from(`{"state":"${shown.state}","quoted_status":`));
    statusParts(shown.status, site, parts, "shallow");
    parts.push(END);
  }
};

/** Returns the same entity as parts of its JSON; joined they equal JSON.stringify's result. */
const statusParts = (
  view: StatusView,
  site: Site,
  parts: Buffer[],
  depth: Depth = "whole",
): Buffer[] => {
  parts.push(impersonalBytes(view, site), accountJson(view.account, site));
  if (view.quote) quoteParts(view, site, parts, depth);
  else parts.push(NO_QUOTE);
  parts.push(approvalBytes(view));
  const reply = replyMember(view);
  if (reply) parts.push(Buffer.from(`,${JSON.stringify(reply).slice(1, -1)}`));
  parts.push(collectionBytes(view, site));
  if (view.reblog) {
    parts.push(REBLOG);
    statusParts(view.reblog, site, parts, depth);
  }
  parts.push(ending(view));
  return parts;
};

/**
 * Returns the entity as JSON bytes, joined from what is cached, which is a tenth of the work on a page of 20.
 * cache.test.ts compares it with `statusEntity`.
 */
export const statusJson = (view: SeenStatus, site: Site): Buffer =>
  Buffer.concat(statusParts(view, site, []));

const pollKey = ({ poll, viewer, account_id: authorId }: StatusView): string =>
  poll && viewer ? `${poll.ownVotes?.join() ?? "-"}${viewer.id === authorId ? "!" : ""}` : "";

const eventKey = ({ event }: StatusView): string => event?.answer ?? "";

/** Differs for the person whom the page names as its author, since only they are told. */
const cardKey = ({ card: shown, viewer }: StatusView): string =>
  shown && viewer && missesAttribution(shown, viewer.id) ? viewer.id : "";

const quoteKey = (view: StatusView): string => {
  const shown = shownQuote(view.quote);
  return shown ? `${shown.state} ${shown.status ? viewerKey(shown.status) : "-"}` : "";
};

const replyKey = (view: StatusView): string => (restrictsReplies(view) ? replyRight(view) : "");

/** Differs for each viewer whose filters matched. */
const filterKey = ({ viewer }: StatusView): string =>
  viewer && viewer.filtered.length > 0 ? viewer.id : "";

/** Returns a key of everything that differs between viewers in the JSON of one status: equal keys mean equal JSON. */
export const viewerKey = (view: StatusView): string =>
  [
    endingIndex(view),
    quoteRight(view.reblog ?? view),
    replyKey(view.reblog ?? view),
    filterKey(view),
    pollKey(view),
    eventKey(view),
    cardKey(view),
    quoteKey(view),
    reactionKey(view),
    view.reblog ? viewerKey(view.reblog) : "",
  ].join("|");

/** Appends the parts of the entity's JSON, for an entity that contains it. */
export const appendStatus = (view: SeenStatus, site: Site, parts: Buffer[]): void => {
  statusParts(view, site, parts);
};

/** Returns the parts of a JSON array of statuses, for Buffer.concat. */
export const statusListParts = (views: SeenStatus[], site: Site): Buffer[] =>
  listParts(views, (view, parts) => appendStatus(view, site, parts));

/** Returns the parts of an array of thousands of statuses, and lets other work run in between. */
export const statusListPartsInTurns = (views: SeenStatus[], site: Site): Promise<Buffer[]> =>
  listPartsInTurns(views, (view, parts) => appendStatus(view, site, parts));

/** Makes the entity of a held post, which is shown to the author alone. */
export const heldEntity = ({ id, createdAt, text, spoilerText, statusId }: HeldPost) => ({
  id,
  created_at: createdAt.toISOString(),
  text,
  spoiler_text: spoilerText,
  edited_status_id: statusId,
});

/** Returns the members that place a post in its thread. */
export const referenceEntity = ({ id, in_reply_to_id, account_id }: SeenStatus) => ({
  id,
  in_reply_to_id,
  account_id,
});

/** Makes the answer to a deletion, the only entity with the text as it was written. */
export const deletedStatusEntity = (view: SeenStatus, site: Site) => {
  const { content: _content, ...rest } = statusEntity(view, site);
  return {
    ...rest,
    ...rewrittenMembers(view),
    text: view.text,
    content_type: view.content_type ?? PLAIN,
  };
};

/** Makes the entity of a circle, which is shown to the author alone. */
export const circleEntity = ({ lists, accounts }: WrittenFor, site: Site) => ({
  lists,
  accounts: accounts.map((account) => accountEntity(account, site)),
});

export const sourceEntity = (view: SeenStatus) => ({
  id: view.id,
  text: view.text,
  spoiler_text: view.spoiler_text,
  content_type: view.content_type ?? PLAIN,
});

/** Presents a text that is not posted yet. */
export const previewEntity = ({ content, emojis }: Pick<StatusView, "content" | "emojis">) => ({
  content,
  emojis: emojis.map(emojiEntity),
});

/**
 * Renders a local version again from its text, with mentions as plain text: clients know it so (test/golden,
 * status/history), and a version does not store who was mentioned.
 */
const editContent = (edit: StatusEditRow, view: StatusView, site: Site): string =>
  view.local
    ? readWritten(edit.text, edit.content_type).html({
        mentions: new Map(),
        tagUrl: (name) => tagUrl(site, name),
      })
    : edit.content;

const editEntity = (edit: StatusEditRow, view: StatusView, site: Site) => ({
  content: editContent(edit, view, site),
  spoiler_text: edit.spoiler_text,
  sensitive: edit.sensitive,
  created_at: isoTime(edit.created_at),
  account: accountEntity(view.account, site),
  ...(edit.poll_options && { poll: { options: edit.poll_options.map((title) => ({ title })) } }),
  media_attachments: mediaOf(view, edit.media, site),
  emojis: edit.emojis.map(emojiEntity),
  // The quote is the same in all versions.
  quote: quoteEntity(view, site, "shallow"),
});

/** Returns every version, oldest first; the last is the current one. */
export const historyEntities = (view: SeenStatus, edits: StatusEditRow[], site: Site) => {
  const present = editEntity(
    {
      ...view,
      poll_options: view.poll?.options ?? null,
      created_at: view.edited_at ?? view.created_at,
    },
    view,
    site,
  );
  return [...edits.map((edit) => editEntity(edit, view, site)), present];
};

const wholeNumber = (id: string | null): number | null =>
  id !== null && Number.isSafeInteger(Number(id)) ? Number(id) : null;

/** `params` are what was sent; absent ones are null, except for the visibility, which is the one that it will have. */
export const scheduledEntity = (
  { id, scheduled_at, draft, app_id }: ScheduledRow,
  media: Map<string, MediaView[]>,
  site: FullConfig["site"],
) => ({
  id,
  scheduled_at: isoTime(scheduled_at),
  params: {
    text: draft.status ?? "",
    poll: draft.poll ?? null,
    ...(draft.event && { event: draft.event }),
    media_ids: draft.media_ids?.length ? draft.media_ids : null,
    sensitive: draft.sensitive ?? null,
    spoiler_text: draft.spoiler_text ?? null,
    // Rows of an earlier version have no visibility; apps need one, and this is not too wide.
    ...rewrittenMembers({ visibility: draft.visibility ?? "private" }),
    language: draft.language ?? null,
    in_reply_to_id: draft.in_reply_to_id ?? null,
    quoted_status_id: draft.quoted_status_id ?? null,
    quote_approval_policy: draft.quote_approval_policy ?? null,
    ...(draft.reply_approval_policy && { reply_approval_policy: draft.reply_approval_policy }),
    ...(draft.list_ids?.length && { list_ids: draft.list_ids }),
    ...(draft.content_type && { content_type: draft.content_type }),
    allowed_mentions: draft.allowed_mentions ?? null,
    ...(draft.thread && { thread: draft.thread }),
    ...(draft.reblog_of_id && { reblog_of_id: draft.reblog_of_id }),
    ...(draft.expires_in && { expires_in: draft.expires_in }),
    ...(draft.expires_at && { expires_at: draft.expires_at }),
    application_id: wholeNumber(app_id),
    scheduled_at: null,
    idempotency: null,
    with_rate_limit: false,
  },
  media_attachments: (media.get(id) ?? []).map((attachment) => mediaEntity(attachment, site)),
});
