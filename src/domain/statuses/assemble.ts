// Rows, accounts and the viewer's part → one status view.

import type { KnownViewer, Viewer } from "../../platform/viewer.ts";
import type { AccountView } from "../accounts/tables.ts";
import type { CardRow, CardView } from "../cards/tables.ts";
import type { CollectionView } from "../collections/tables.ts";
import { NO_MATCHES } from "../filters/match.ts";
import { pollView } from "../polls/load.ts";
import type { Choices } from "../polls/load.ts";
import type { Marks } from "./viewer-marks.ts";
import { collectionLinks } from "./links.ts";
import { MARKS } from "./queries-viewer.ts";
import type {
  CachedRow,
  QuoteRow,
  QuoteView,
  AuthorRelation,
  StatusView,
  ViewerFlags,
  ViewerPart,
} from "./tables.ts";

export type Parts = {
  rows: { get(id: string): CachedRow | undefined };
  accounts: { get(id: string): AccountView | undefined };
  viewer: Viewer;
  marks: Marks;
  /** Conversations that the viewer muted. */
  mutedThreads: ReadonlySet<string>;
  /** The viewer's votes in the polls of these rows; null: there are none; undefined: not loaded. */
  choices: Choices | null | undefined;
  /** Those that a row links to; undefined: not loaded. */
  collections: ((row: CachedRow) => CollectionView[]) | undefined;
  now: () => Date;
  /** Set when something was missing from these parts. */
  incomplete: boolean;
};

const flagsOf = (bits: number): ViewerFlags => ({
  favourited: (bits & MARKS.favourited) !== 0,
  reblogged: (bits & MARKS.reblogged) !== 0,
  bookmarked: (bits & MARKS.bookmarked) !== 0,
  pinned: (bits & MARKS.pinned) !== 0,
});

const relationOf = (bits: number): AuthorRelation => ({
  following: (bits & MARKS.following) !== 0,
  blocking: (bits & MARKS.blocking) !== 0,
  blocked_by: (bits & MARKS.blockedBy) !== 0,
  muting: (bits & (MARKS.muting | MARKS.mutingForNow)) !== 0,
  domain_blocking: (bits & MARKS.domainBlocking) !== 0,
});

/** How many bits the flags have; those of the relation are above them. */
const FLAG_BITS = 4;
/** Every combination, by its bits: views share these objects. */
const FLAGS = Array.from({ length: MARKS.following }, (_, bits) => flagsOf(bits));
const RELATIONS = Array.from({ length: (2 * MARKS.domainBlocking) / MARKS.following }, (_, bits) =>
  relationOf(bits << FLAG_BITS),
);

/** The viewer's part of a view, by the bits of MARKS. */
export const viewerPart = ({ kind, id }: KnownViewer, bits: number, muted = false): ViewerPart => ({
  kind,
  id,
  flags: FLAGS[bits & (MARKS.following - 1)]!,
  relation: RELATIONS[bits >> FLAG_BITS]!,
  filtered: NO_MATCHES,
  muted,
});

/** The view without a viewer, cached with its row: copying it is cheaper than making it. */
const plainView = (row: CachedRow, account: AccountView): StatusView => {
  const { plain } = row.derived;
  if (plain?.account === account) return plain;
  const { derived, ...rest } = row;
  derived.plain = {
    ...rest,
    row,
    account,
    reblog: null,
    viewer: null,
    poll: null,
    quote: null,
    card: null,
    collections: NO_COLLECTIONS,
  };
  return derived.plain;
};

/**
 * The quoted status and what that quotes, so that its state can be decided; deeper ones are left
 * out.
 */
const MAX_QUOTES = 2;

const quoteView = (parts: Parts, quote: QuoteRow, depth: number): QuoteView => {
  const id = quote.state === "accepted" && depth < MAX_QUOTES ? quote.quoted_status_id : null;
  return { ...quote, status: id === null ? null : assemble(parts, id, depth + 1) };
};

const cardView = (parts: Parts, card: CardRow): CardView => {
  if (card.creator_id === null) return { ...card, creator: null };
  const creator = parts.accounts.get(card.creator_id) ?? null;
  if (!creator) parts.incomplete = true;
  return { ...card, creator };
};

const missing = (parts: Parts): null => {
  parts.incomplete = true;
  return null;
};

const NO_COLLECTIONS: CollectionView[] = [];

/** The links of a row that may be to collections. */
export const sharedIn = (row: CachedRow): string[] =>
  (row.derived.shared ??= collectionLinks(row.content));

/** null: it is missing, or what it reblogs is. */
export const assemble = (parts: Parts, id: string, depth = 0): StatusView | null => {
  const row = parts.rows.get(id);
  const account = row && parts.accounts.get(row.account_id);
  if (!row || !account) return missing(parts);
  const { viewer } = parts;
  const view = { ...plainView(row, account) };
  if (viewer.kind !== "nobody") {
    const bits = parts.marks(row, account);
    if (bits === undefined) return missing(parts);
    const muted = row.conversation_id !== null && parts.mutedThreads.has(row.conversation_id);
    view.viewer = viewerPart(viewer, bits, muted);
  }
  if (row.reblog_of_id !== null) {
    view.reblog = assemble(parts, row.reblog_of_id, depth);
    if (view.reblog === null) return null;
  }
  if (row.poll) {
    if (parts.choices === undefined) return missing(parts);
    view.poll = pollView(row.poll, parts.choices, viewer, parts.now());
  }
  if (sharedIn(row).length > 0) {
    if (!parts.collections) return missing(parts);
    view.collections = parts.collections(row);
  }
  if (row.card) view.card = cardView(parts, row.card);
  if (row.quote) view.quote = quoteView(parts, row.quote, depth);
  return view;
};
