// The entities that pages show, by id, each in a signal: a change by an act, a stream or a response is redrawn wherever
// the entity is shown. The server fills a store for a page, and the browser continues with its content.

import { batch, signal } from "@preact/signals";
import type { Signal } from "@preact/signals";
import type { Account, GroupPost, Relationship, Status } from "../api/entities.ts";

/** A status whose boosted status is a separate entry of the store, so that all boosts of it agree. */
export type StoredStatus = Omit<Status, "reblog"> & {
  reblog: string | null;
  /** True when it was deleted after it was shown. */
  isGone?: boolean;
  /** What became of an own post in groups that it names, where it was asked for. */
  groups?: readonly GroupPost[];
};

/** A status with its author's id; `authors` has the authors, who often wrote several posts of a page. */
type PackedStatus = Omit<StoredStatus, "account"> & { account: string };

/** The content of a store as plain data. */
export type Snapshot = {
  statuses: PackedStatus[];
  authors: Account[];
  accounts: Account[];
  relationships: Relationship[];
  unread: number;
  waiting: number;
  groupsWaiting: number | null;
};

type Table<T> = Map<string, Signal<T>>;

export type Store = {
  statuses: Table<StoredStatus>;
  accounts: Table<Account>;
  relationships: Table<Relationship>;
  /** Domains that were blocked while the window was open. */
  hiddenDomains: Set<string>;
  /** Grows whenever posts are deleted, or their authors hidden or shown again; lists are then drawn again. */
  removals: Signal<number>;
  /** Notifications that the person has not seen, here or in another app. */
  unread: Signal<number>;
  /** Decisions that people wait for; 0 for who is not of the staff. */
  waiting: Signal<number>;
  /** The same for who runs groups; null for who runs none. */
  groupsWaiting: Signal<number | null>;
};

const put = <T extends { id: string }>(table: Table<T>, entity: T): string => {
  const known = table.get(entity.id);
  if (known) known.value = entity;
  else table.set(entity.id, signal(entity));
  return entity.id;
};

const values = <T>(table: Table<T>): T[] => [...table.values()].map((each) => each.value);

export const createStore = (from?: Snapshot): Store => {
  const store: Store = {
    statuses: new Map(),
    accounts: new Map(),
    relationships: new Map(),
    hiddenDomains: new Set(),
    removals: signal(0),
    unread: signal(from?.unread ?? 0),
    waiting: signal(from?.waiting ?? 0),
    groupsWaiting: signal(from?.groupsWaiting ?? null),
  };
  const authors = new Map(from?.authors.map((account) => [account.id, account]));
  for (const status of from?.statuses ?? [])
    put(store.statuses, { ...status, account: authors.get(status.account)! } as StoredStatus);
  for (const account of from?.accounts ?? []) put(store.accounts, account);
  for (const relationship of from?.relationships ?? []) put(store.relationships, relationship);
  return store;
};

export const statusesOf = (store: Store): StoredStatus[] => values(store.statuses);

export const packed = (status: StoredStatus): PackedStatus => ({
  ...status,
  account: status.account.id,
});

/** Returns each author once. */
export const authorsOf = (statuses: readonly StoredStatus[]): Account[] => [
  ...new Map(statuses.map(({ account }) => [account.id, account])).values(),
];

/** Returns what a snapshot has beside posts. */
export const othersOf = (store: Store): Omit<Snapshot, "statuses" | "authors"> => ({
  accounts: values(store.accounts),
  relationships: values(store.relationships),
  unread: store.unread.peek(),
  waiting: store.waiting.peek(),
  groupsWaiting: store.groupsWaiting.peek(),
});

export const snapshotOf = (store: Store): Snapshot => {
  const statuses = statusesOf(store);
  return { statuses: statuses.map(packed), authors: authorsOf(statuses), ...othersOf(store) };
};

type Own = "favourited" | "reblogged" | "bookmarked" | "muted" | "pinned";
const OWN: readonly Own[] = ["favourited", "reblogged", "bookmarked", "muted", "pinned"];

/** Returns `status` with what this person did to it, as far as the window knows. */
const withOwn = (known: StoredStatus, status: Omit<Status, "reblog">): Omit<Status, "reblog"> => {
  const { filtered, event, poll, reactions } = known;
  const mine = new Set(reactions?.flatMap(({ name, me }) => (me ? name : [])));
  const votes = poll?.voted !== undefined && { voted: poll.voted, own_votes: poll.own_votes ?? [] };
  return {
    ...(filtered && { filtered }),
    ...status,
    ...Object.fromEntries(OWN.flatMap((mark) => (mark in known ? [[mark, known[mark]]] : []))),
    ...(event && status.event && { event: { ...status.event, answer: event.answer } }),
    ...(status.poll && { poll: { ...votes, ...status.poll } }),
    ...(status.reactions && {
      reactions: status.reactions.map((each) => ({ ...each, me: mine.has(each.name) })),
    }),
  };
};

const withoutBoost = ({ reblog: _reblog, ...status }: Status): Omit<Status, "reblog"> => status;

/** Frozen statuses as they are stored: the server has them in the stores of several pages. */
const frozen = new WeakMap<Status, StoredStatus>();

const frozenOf = (whole: Status): StoredStatus => {
  const known = frozen.get(whole);
  if (known) return known;
  const stored = Object.freeze({ ...withoutBoost(whole), reblog: whole.reblog?.id ?? null });
  frozen.set(whole, stored);
  return stored;
};

/**
 * Puts a status and what it boosts into the store; returns its id. A member that the new one lacks is gone, as are the
 * reactions once the last is taken back. What the person did stays as it is where the status is for many people, or
 * `isReport` says that somebody else's act is its reason: it may have been made before the last act of this window.
 */
export const keepStatus = (store: Store, whole: Status, isReport = false): string => {
  const boosted = whole.reblog ? keepStatus(store, whole.reblog, isReport) : null;
  const known = store.statuses.get(whole.id)?.peek();
  if (!known && Object.isFrozen(whole)) return put(store.statuses, frozenOf(whole));
  const status = withoutBoost(whole);
  const isOthers = isReport || status.favourited === undefined;
  const isGone = known?.isGone && { isGone: true };
  const groups = known?.groups && { groups: known.groups };
  const now = known && isOthers ? withOwn(known, status) : status;
  return put(store.statuses, { ...now, ...isGone, ...groups, reblog: boosted } as StoredStatus);
};

/** Adds statuses that were in a store before; those that are here are newer. */
export const restoreStatuses = (store: Store, statuses: readonly StoredStatus[]): void => {
  for (const status of statuses) if (!store.statuses.has(status.id)) put(store.statuses, status);
};

/** Forgets the statuses that nothing shows, but keeps what those in `used` boost. */
export const forgetUnused = (store: Store, used: ReadonlySet<string>): void => {
  const boosted = new Set([...used].map((id) => store.statuses.get(id)?.peek().reblog));
  for (const id of store.statuses.keys())
    if (!used.has(id) && !boosted.has(id)) store.statuses.delete(id);
};

const quotedIn = ({ quote }: Pick<Status, "quote">): string | undefined =>
  quote?.state === "accepted" && "quoted_status" in quote ? quote.quoted_status?.id : undefined;

/** Counts a new or deleted status among its author's, and the replies and quotes of what it replies to and quotes. */
export const countWith = (
  store: Store,
  status: Pick<Status, "account" | "in_reply_to_id" | "quote" | "visibility">,
  by: 1 | -1,
): void => {
  const quoted = quotedIn(status);
  const author = store.accounts.get(status.account.id);
  const counted = (count: number): number => Math.max(0, count + by);
  if (author && status.visibility !== "direct")
    author.value = {
      ...author.peek(),
      statuses_count: counted(author.peek().statuses_count),
    };
  if (status.in_reply_to_id !== null)
    changeStatus(store, status.in_reply_to_id, ({ replies_count: count }) => ({
      replies_count: counted(count),
    }));
  if (quoted !== undefined)
    changeStatus(store, quoted, ({ quotes_count: count }) => ({ quotes_count: counted(count) }));
};

/** Removes a deleted status from everything that shows it. */
export const dropStatus = (store: Store, id: string): void => {
  const known = store.statuses.get(id);
  if (!known || known.peek().isGone) return;
  batch(() => {
    known.value = { ...known.peek(), isGone: true };
    // The end of a boost is not counted, as its beginning is not.
    if (known.peek().reblog === null) countWith(store, known.peek(), -1);
    store.removals.value += 1;
  });
};

/** Whether a status, or what it boosts, was deleted. */
export const isGone = (store: Store, id: string): boolean => {
  const status = store.statuses.get(id)?.peek();
  if (!status || status.isGone) return true;
  return status.reblog !== null && store.statuses.get(status.reblog)?.peek().isGone === true;
};

export const keepStatuses = (store: Store, statuses: readonly Status[]): string[] =>
  statuses.map((status) => keepStatus(store, status));

/** Returns an account that the window knows, by its name; its posts have it as well. */
export const accountNamed = ({ accounts, statuses }: Store, acct: string): Account | null => {
  const isNamed = (account: Account) => account.acct === acct;
  for (const account of accounts.values()) if (isNamed(account.peek())) return account.peek();
  for (const status of statuses.values()) {
    const { account } = status.peek();
    if (isNamed(account)) return account;
  }
  return null;
};

export const keepAccount = (store: Store, account: Account): string => put(store.accounts, account);

const hides = (relation: Relationship | undefined): boolean =>
  relation !== undefined && (relation.muting || relation.blocking || relation.domain_blocking);

const domainOf = ({ acct }: Account): string => acct.split("@")[1]?.toLowerCase() ?? "";

/** Shows that a domain is blocked, or no more. */
export const keepDomainBlock = (store: Store, domain: string, isBlocked: boolean): void => {
  const name = domain.toLowerCase();
  if (isBlocked) store.hiddenDomains.add(name);
  else store.hiddenDomains.delete(name);
  for (const [id, account] of store.accounts)
    if (domainOf(account.peek()) === name)
      changeRelationship(store, id, { domain_blocking: isBlocked });
  store.removals.value += 1;
};

/** Whether the viewer has muted or blocked the author of a status, or of what it boosts. */
export const isUnwanted = (store: Store, id: string): boolean => {
  const status = store.statuses.get(id)?.peek();
  if (!status) return false;
  if (hides(store.relationships.get(status.account.id)?.peek())) return true;
  if (store.hiddenDomains.has(domainOf(status.account))) return true;
  return status.reblog !== null && isUnwanted(store, status.reblog);
};

export const keepRelationship = (store: Store, relationship: Relationship): string => {
  const before = store.relationships.get(relationship.id)?.peek();
  put(store.relationships, relationship);
  if (hides(before) !== hides(relationship)) store.removals.value += 1;
  return relationship.id;
};

/** Changes a part of a stored status. */
export const changeStatus = (
  store: Store,
  id: string,
  change: (status: StoredStatus) => Partial<StoredStatus>,
): void => {
  const known = store.statuses.get(id);
  if (known) known.value = { ...known.value, ...change(known.value) };
};

export const changeRelationship = (
  store: Store,
  id: string,
  change: Partial<Relationship>,
): void => {
  const known = store.relationships.get(id);
  if (known) keepRelationship(store, { ...known.peek(), ...change });
};
