// Presents statuses as bytes of JSON, joined from parts that are cached, and says what differs between viewers.

import { listParts, listPartsInTurns, ownBytes } from "../../../platform/http/json-bytes.ts";
import { accountJson } from "../../people/accounts/present.ts";
import { missesAttribution } from "../cards/present.ts";
import { quoteRight } from "./rules.ts";
import type { QuoteRight } from "./rules.ts";
import type { SeenStatus, StatusView } from "./tables.ts";
import {
  mayPin,
  viewerMembers,
  reactionKey,
  impersonalMembers,
  shownQuote,
  quoteEntity,
  approval,
  policyMembers,
  quoteIdMember,
  taggedCollections,
} from "./present.ts";
import type { Site, Depth } from "./present.ts";

const makeBytes = (view: StatusView, site: Site): Buffer =>
  ownBytes(`${JSON.stringify(impersonalMembers(view, site)).slice(0, -1)},"account":`);

/**
 * Returns the JSON of the members before `account` as bytes, cached with the row. They are not cached with reactions, a
 * poll or an event, whose members depend on the viewer or the time; nor with an account in the card, nor where
 * moderators marked the author, nor where the view counts an act that the row does not (favourite.ts).
 */
const impersonalBytes = (view: StatusView, site: Site): Buffer =>
  view.poll ||
  view.event ||
  view.card?.creator ||
  view.account.sensitized_at !== null ||
  view.favourites_count !== view.row.favourites_count ||
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

/** Adds members to an object that has some before them. */
const pushMembers = (parts: Buffer[], members: object | null | undefined): void => {
  if (members) parts.push(Buffer.from(`,${JSON.stringify(members).slice(1, -1)}`));
};

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
  pushMembers(parts, quoteIdMember(view));
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
  pushMembers(parts, policyMembers(view));
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

const policyKey = (view: StatusView): string => {
  const members = policyMembers(view);
  return members ? JSON.stringify(members) : "";
};

/** Differs for each viewer whose filters matched. */
const filterKey = ({ viewer }: StatusView): string =>
  viewer && viewer.filtered.length > 0 ? viewer.id : "";

/** Returns a key of everything that differs between viewers in the JSON of one status: equal keys mean equal JSON. */
export const viewerKey = (view: StatusView): string =>
  [
    endingIndex(view),
    quoteRight(view.reblog ?? view),
    policyKey(view.reblog ?? view),
    filterKey(view),
    pollKey(view),
    eventKey(view),
    cardKey(view),
    quoteKey(view),
    reactionKey(view),
    view.reblog ? viewerKey(view.reblog) : "",
  ].join("|");

/** Returns the parts of the entity's JSON, after those of an entity that contains it. */
export const appendStatus = (view: SeenStatus, site: Site, parts: Buffer[] = []): Buffer[] =>
  statusParts(view, site, parts);

/** Returns the parts of a JSON array of statuses, for Buffer.concat. */
export const statusListParts = (views: SeenStatus[], site: Site): Buffer[] =>
  listParts(views, (view, parts) => appendStatus(view, site, parts));

/** Returns the parts of an array of thousands of statuses, and lets other work run in between. */
export const statusListPartsInTurns = (views: SeenStatus[], site: Site): Promise<Buffer[]> =>
  listPartsInTurns(views, (view, parts) => appendStatus(view, site, parts));
