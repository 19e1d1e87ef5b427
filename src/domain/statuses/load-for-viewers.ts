// Statuses as each of many viewers sees them, for events that go to all of them at once: one query
// for all marks that are not cached, and one for filters.

import { baseApp } from "../../platform/app.ts";
import type { App } from "../../platform/app.ts";
import { asPerson } from "../../platform/viewer.ts";
import type { AccountView } from "../accounts/tables.ts";
import { cachedFiltersOf } from "../filters/cached-filters.ts";
import type { FilterSet } from "../filters/match.ts";
import { cachedBlockedDomains } from "../relationships/blocked-domains.ts";
import { assemble } from "./assemble.ts";
import { applyFilters } from "./filtered.ts";
import { ownMarks } from "./viewer-marks.ts";
import type { OwnMarks } from "./viewer-marks.ts";
import { cachedMutedConversations } from "./mute-thread.ts";
import { MARKS, MUTED_CONVERSATION, selectManyMarks, VOTE } from "./queries-viewer.ts";
import type { ManyMarkRow, ManyLookups, Pair } from "./queries-viewer.ts";
import type { CachedRow, StatusView } from "./tables.ts";

export type WantedViews = {
  /** Without a viewer. */
  view: StatusView;
  viewerIds: string[];
  /** Just created: nobody has marked it yet. */
  isNew: boolean;
};

/** A status with what it reblogs and quotes. */
type Parts = { rows: Map<string, CachedRow>; accounts: Map<string, AccountView> };

/** What is known of one viewer. */
type ViewerState = {
  id: string;
  own: OwnMarks;
  /** From the caches; null: not cached, looked up for these statuses alone. */
  blockedDomains: ReadonlySet<string> | null;
  mutedThreads: ReadonlySet<string> | null;
  /** What was looked up: authors of blocked domains, muted conversations, choices in polls. */
  blockedAuthors: Set<string>;
  foundMutedThreads: Set<string>;
  choices: Map<string, number[]>;
};

const collect = (view: StatusView, parts: Parts): Parts => {
  parts.rows.set(view.id, view.row);
  parts.accounts.set(view.account_id, view.account);
  if (view.reblog) collect(view.reblog, parts);
  if (view.quote?.status) collect(view.quote.status, parts);
  return parts;
};

const partsOf = (view: StatusView): Parts =>
  collect(view, { rows: new Map(), accounts: new Map() });

/**
 * The viewer's own settings come from the caches in a job too: what the job follows from changed a
 * status, and not these.
 */
const stateOf = (app: App, id: string): ViewerState => ({
  id,
  own: ownMarks(app, id),
  blockedDomains: cachedBlockedDomains.cached(baseApp(app), id) ?? null,
  mutedThreads: cachedMutedConversations.cached(baseApp(app), id) ?? null,
  blockedAuthors: new Set(),
  foundMutedThreads: new Set(),
  choices: new Map(),
});

/** Collects the lookups of one query, each once. */
const newLookups = (now: Date) => {
  const list: ManyLookups = {
    statuses: [],
    authors: [],
    domains: [],
    conversations: [],
    polls: [],
    now,
  };
  const known = new Set<string>();
  const add = (kind: Exclude<keyof ManyLookups, "now">, viewerId: string, id: string): void => {
    const key = `${kind} ${viewerId} ${id}`;
    if (known.has(key)) return;
    known.add(key);
    list[kind].push({ viewerId, id });
  };
  return { list, add, isEmpty: () => known.size === 0 };
};

type Prepared = { one: WantedViews; parts: Parts };

/** Adds what is not cached. On a new status the viewer has no marks yet. */
const addLookups = (
  add: ReturnType<typeof newLookups>["add"],
  { id, own, blockedDomains, mutedThreads }: ViewerState,
  { one: { view, isNew }, parts }: Prepared,
): void => {
  for (const row of parts.rows.values()) {
    const isFresh = isNew && row.id === view.id;
    if (!isFresh && own.ofStatus(row) === undefined) add("statuses", id, row.id);
    if (!isFresh && row.poll) add("polls", id, row.poll.id);
    if (row.conversation_id !== null && !mutedThreads) {
      add("conversations", id, row.conversation_id);
    }
  }
  for (const account of parts.accounts.values()) {
    if (own.ofAuthor(account) === undefined) add("authors", id, account.id);
    if (account.domain !== null && !blockedDomains) add("domains", id, account.id);
  }
};

/** Marks by viewer and status, and by viewer and author; 0 where there are none. */
const bitsOf = (lookups: ManyLookups, results: ManyMarkRow[]) => {
  const key = ({ viewerId, id }: Pair) => `${viewerId} ${id}`;
  const ofStatus = new Map(lookups.statuses.map((pair) => [key(pair), 0]));
  const ofAuthor = new Map(lookups.authors.map((pair) => [key(pair), 0]));
  for (const { viewer, mark, id } of results) {
    if (mark >= MARKS.domainBlocking) continue;
    const of = mark < MARKS.following ? ofStatus : ofAuthor;
    const at = `${viewer} ${id}`;
    of.set(at, (of.get(at) ?? 0) | mark);
  }
  return { ofStatus, ofAuthor };
};

/** Stores the results in the viewers' states. */
const storeResults = (
  states: Map<string, ViewerState>,
  all: Prepared[],
  lookups: ManyLookups,
  results: ManyMarkRow[],
): void => {
  for (const { viewer, mark, id, choice } of results) {
    const state = states.get(viewer)!;
    if (mark === MARKS.domainBlocking) state.blockedAuthors.add(id);
    if (mark === MUTED_CONVERSATION) state.foundMutedThreads.add(id);
    if (mark === VOTE) state.choices.set(id, [...(state.choices.get(id) ?? []), choice!]);
  }
  const { ofStatus, ofAuthor } = bitsOf(lookups, results);
  for (const { one, parts } of all) {
    for (const viewerId of one.viewerIds) {
      const { own } = states.get(viewerId)!;
      for (const row of parts.rows.values()) {
        const bits = ofStatus.get(`${viewerId} ${row.id}`);
        if (bits !== undefined) own.putOfStatus(row, bits);
      }
      for (const account of parts.accounts.values()) {
        const bits = ofAuthor.get(`${viewerId} ${account.id}`);
        if (bits !== undefined) own.putOfAuthor(account, bits);
      }
    }
  }
};

const marksOf = ({ own, blockedDomains, blockedAuthors }: ViewerState) => {
  const isBlocked = ({ id, domain }: AccountView): boolean =>
    domain !== null && (blockedDomains ? blockedDomains.has(domain) : blockedAuthors.has(id));
  return (row: CachedRow, account: AccountView): number =>
    (own.ofStatus(row) ?? 0) |
    (own.ofAuthor(account) ?? 0) |
    (isBlocked(account) ? MARKS.domainBlocking : 0);
};

const show = (
  app: App,
  state: ViewerState,
  filters: FilterSet,
  { one, parts }: Prepared,
): StatusView | null => {
  const now = () => app.clock.now();
  const { choices } = state;
  const mutedThreads = state.mutedThreads ?? state.foundMutedThreads;
  const own = { viewer: asPerson(state.id), marks: marksOf(state), mutedThreads, choices, now };
  const view = assemble({ ...parts, ...own, incomplete: false }, one.view.id);
  if (view) applyFilters(filters, [view], now);
  return view;
};

/**
 * Each status as one of its viewers sees it, the same as loadStatuses for that viewer; null where it is
 * gone.
 */
export const loadForViewers = async (
  app: App,
  wanted: WantedViews[],
): Promise<(one: WantedViews, viewerId: string) => StatusView | null> => {
  const ids = [...new Set(wanted.flatMap(({ viewerIds }) => viewerIds))];
  const states = new Map(ids.map((id) => [id, stateOf(app, id)]));
  const all = new Map(wanted.map((one) => [one, { one, parts: partsOf(one.view) }]));
  const lookups = newLookups(app.clock.now());
  for (const prepared of all.values()) {
    for (const id of prepared.one.viewerIds) addLookups(lookups.add, states.get(id)!, prepared);
  }
  if (!lookups.isEmpty()) {
    const results = await selectManyMarks(app.sql, lookups.list);
    storeResults(states, [...all.values()], lookups.list, [...results]);
  }
  const filters = await cachedFiltersOf(baseApp(app), ids);
  return (one, viewerId) => show(app, states.get(viewerId)!, filters.get(viewerId)!, all.get(one)!);
};
