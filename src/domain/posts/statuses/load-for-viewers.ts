// Loads statuses as each of many viewers sees them, for events that go to all of them at once, with one query for all
// marks that are not cached, and one for their exclusions.

import { baseApp } from "../../../platform/app.ts";
import type { App } from "../../../platform/app.ts";
import { asPerson } from "../../../platform/viewer.ts";
import type { AccountView } from "../../people/accounts/tables.ts";
import { ANSWERS } from "../events/tables.ts";
import type { Answer } from "../events/tables.ts";
import type { CollectionView } from "../../people/collections/tables.ts";
import { applyFilters, assemble } from "./load.ts";
import { ownMarks, withDomains } from "./cache.ts";
import { cachedExclusionsOf } from "./exclusions.ts";
import type { OwnMarks } from "./cache.ts";
import type { Exclusions } from "./exclusions.ts";
import { ANSWER, selectManyMarks, VOTE } from "./queries.ts";
import { MARKS } from "./queries-acts.ts";
import type { ManyMarkRow, ManyLookups, Pair } from "./queries.ts";
import type { CachedRow, StatusView } from "./tables.ts";

export type Showing = {
  /** The status, loaded without a viewer. */
  view: StatusView;
  viewerIds: string[];
  /** Whether it was just created, so that nobody has marked it yet. */
  isNew: boolean;
};

/** A status with those that it reblogs and quotes. */
type Parts = {
  rows: Map<string, CachedRow>;
  accounts: Map<string, AccountView>;
  /** Maps statuses to the collections that they link to, the same for every viewer. */
  shared: Map<string, CollectionView[]>;
};

/** The data of one viewer. */
type ViewerState = {
  id: string;
  own: OwnMarks;
  exclusions: Exclusions;
  /** Choices in polls. */
  choices: Map<string, number[]>;
  /** Answers to events. */
  answers: Map<string, Answer>;
};

const collect = (view: StatusView, parts: Parts): Parts => {
  parts.rows.set(view.id, view.row);
  parts.accounts.set(view.account_id, view.account);
  parts.shared.set(view.id, view.collections);
  if (view.reblog) collect(view.reblog, parts);
  if (view.quote?.status) collect(view.quote.status, parts);
  return parts;
};

const partsOf = (view: StatusView): Parts =>
  collect(view, { rows: new Map(), accounts: new Map(), shared: new Map() });

/** Reads exclusions from the caches in a job too: the event of the job changed a status, not the exclusions. */
const statesOf = async (app: App, ids: string[]): Promise<Map<string, ViewerState>> => {
  const exclusions = await cachedExclusionsOf(baseApp(app), ids);
  const stateOf = (id: string): ViewerState => ({
    id,
    own: ownMarks(app, id),
    exclusions: exclusions.get(id)!,
    choices: new Map(),
    answers: new Map(),
  });
  return new Map(ids.map((id) => [id, stateOf(id)]));
};

/** Collects the lookups of one query, each once. */
const newLookups = (now: Date) => {
  const list: ManyLookups = {
    statuses: [],
    authors: [],
    polls: [],
    events: [],
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

type Prepared = { showing: Showing; parts: Parts };

/** Adds lookups for what is not cached. On a new status the viewer has no marks yet. */
const addLookups = (
  add: ReturnType<typeof newLookups>["add"],
  { id, own }: ViewerState,
  { showing: { view, isNew }, parts }: Prepared,
): void => {
  for (const row of parts.rows.values()) {
    const isFresh = isNew && row.id === view.id;
    if (!isFresh && own.ofStatus(row) === undefined) add("statuses", id, row.id);
    if (!isFresh && row.poll) add("polls", id, row.poll.id);
    if (!isFresh && row.event) add("events", id, row.id);
  }
  for (const account of parts.accounts.values()) {
    if (own.ofAuthor(account) === undefined) add("authors", id, account.id);
  }
};

/** Returns marks by viewer and status, and by viewer and author; 0 where there are none. */
const bitsOf = (lookups: ManyLookups, results: ManyMarkRow[]) => {
  const key = ({ viewerId, id }: Pair) => `${viewerId} ${id}`;
  const ofStatus = new Map(lookups.statuses.map((pair) => [key(pair), 0]));
  const ofAuthor = new Map(lookups.authors.map((pair) => [key(pair), 0]));
  for (const { viewer, mark, id } of results) {
    if (mark === VOTE || mark === ANSWER) continue;
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
    if (mark === VOTE) state.choices.set(id, [...(state.choices.get(id) ?? []), choice!]);
    if (mark === ANSWER) state.answers.set(id, ANSWERS[choice!]!);
  }
  const { ofStatus, ofAuthor } = bitsOf(lookups, results);
  for (const { showing, parts } of all) {
    for (const viewerId of showing.viewerIds) {
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

const show = (app: App, state: ViewerState, { showing, parts }: Prepared): StatusView | null => {
  const now = () => app.clock.now();
  const { id, own: marks, choices, answers } = state;
  const { domains, threads: mutedThreads, filters } = state.exclusions;
  const read = (row: CachedRow, account: AccountView): number =>
    (marks.ofStatus(row) ?? 0) | (marks.ofAuthor(account) ?? 0);
  const own = {
    viewer: asPerson(id),
    marks: withDomains(read, domains),
    mutedThreads,
    choices,
    answers,
    collections: (row: CachedRow) => parts.shared.get(row.id) ?? [],
    now,
  };
  const view = assemble({ ...parts, ...own, incomplete: false }, showing.view.id);
  if (view) applyFilters(filters, [view], now);
  return view;
};

/**
 * Returns each status as one of its viewers sees it, the same as loadStatuses for that viewer; null where it was
 * deleted.
 */
export const loadForViewers = async (
  app: App,
  showings: Showing[],
): Promise<(showing: Showing, viewerId: string) => StatusView | null> => {
  const ids = [...new Set(showings.flatMap(({ viewerIds }) => viewerIds))];
  const states = await statesOf(app, ids);
  const all = new Map(
    showings.map((showing) => [showing, { showing, parts: partsOf(showing.view) }]),
  );
  const lookups = newLookups(app.clock.now());
  for (const prepared of all.values()) {
    for (const id of prepared.showing.viewerIds) addLookups(lookups.add, states.get(id)!, prepared);
  }
  if (!lookups.isEmpty()) {
    const results = await selectManyMarks(app.sql, lookups.list);
    storeResults(states, [...all.values()], lookups.list, [...results]);
  }
  return (showing, viewerId) => show(app, states.get(viewerId)!, all.get(showing)!);
};
