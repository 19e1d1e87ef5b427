// Applies one line of a file by the same commands as everywhere, with their limits. Applying it twice does no harm.

import { instantOf } from "../../../platform/time.ts";
import type { App } from "../../../platform/app.ts";
import { NotFound, Unprocessable } from "../../../platform/errors.ts";
import { hostIn } from "../../../platform/json/read.ts";
import { says } from "../../../platform/text/texts.ts";
import { asPerson } from "../../../platform/viewer.ts";
import { findHandle, findKnownId, localiseDomain } from "../../people/accounts/find.ts";
import { ACTIONS, CONTEXTS } from "../../posts/filters/tables.ts";
import { keepFilter } from "../../posts/filters/keep.ts";
import { removeFilter } from "../../posts/filters/write.ts";
import { removeSavedSearch, saveSearch } from "../../reading/saved-searches/save.ts";
import { isListed, keepInList } from "../../people/lists/keep.ts";
import { findList } from "../../people/lists/load.ts";
import { removeFromList } from "../../people/lists/write.ts";
import { block } from "../../people/relationships/block.ts";
import {
  blockDomain,
  normaliseBlocked,
  unblockDomain,
} from "../../people/relationships/block-domain.ts";
import { follow } from "../../people/relationships/follow.ts";
import { loadRelations } from "../../people/relationships/load.ts";
import { mute, unmute } from "../../people/relationships/mute.ts";
import { writeNote } from "../../people/relationships/note.ts";
import { unblock } from "../../people/relationships/unblock.ts";
import { unfollow } from "../../people/relationships/unfollow.ts";
import { bookmark, unbookmark } from "../../posts/statuses/acts.ts";
import { loadVisible } from "../../posts/statuses/load.ts";
import { followTag, unfollowTag } from "../../posts/tags/feature-tag.ts";
import { muteTag, unmuteTag } from "../../posts/tags/mute-tag.ts";
import { parseTypedTag } from "../../posts/tags/rules.ts";
import { NotFoundYet } from "./faults.ts";
import type { Entry, FilterEntry, ImportKind, Kind } from "./tables.ts";

/** Makes the error for a missing account: a local one will not appear later. */
const missingAccount = (app: App, acct: string): Error => {
  const [name, domain = null, rest] = acct.split("@");
  if (!name || domain === "" || rest !== undefined || acct.length > 2100) {
    return new Unprocessable(says("import.no_address"));
  }
  return localiseDomain(app, domain) === null
    ? new Unprocessable(says("import.account_missing"))
    : new NotFoundYet("import.account_unknown");
};

/** Recognises addresses of profiles, by which some exports name accounts. */
const isAddress = (acct: string): boolean => /^https?:\/\//.test(acct);

const accountAt = async (app: App, uri: string): Promise<string> => {
  const target = await app.remote.address(uri);
  if (target?.kind === "account") return target.id;
  if (target?.kind === "status") throw new Unprocessable(says("import.post_address"));
  throw localiseDomain(app, hostIn(uri)) === null
    ? new Unprocessable(says("import.account_missing"))
    : new NotFoundYet("import.account_unknown");
};

const account = async (app: App, acct: string): Promise<string> => {
  if (isAddress(acct)) return accountAt(app, acct);
  const id = acct.length <= 2100 ? await findHandle(app, acct) : null;
  if (id === null) throw missingAccount(app, acct);
  return id;
};

const secondsUntil = (app: App, at: string | null): number | null => {
  const time = at === null ? null : instantOf(at);
  return time && Math.ceil((time.getTime() - app.clock.now().getTime()) / 1000);
};

type Apply<K extends Kind> = (app: App, accountId: string, entry: Entry[K]) => Promise<string>;

const following: Apply<"following"> = async (app, accountId, { acct, ...options }) => {
  const targetId = await account(app, acct);
  await follow(app, { accountId, targetId, options });
  return targetId;
};

const blocks: Apply<"blocks"> = async (app, accountId, { acct }) => {
  const targetId = await account(app, acct);
  await block(app, { accountId, targetId });
  return targetId;
};

const mutes: Apply<"mutes"> = async (app, accountId, { acct, notifications, endsAt = null }) => {
  const duration = secondsUntil(app, endsAt) ?? 0;
  if (duration < 0) throw new Unprocessable(says("import.time_passed"));
  const targetId = await account(app, acct);
  await mute(app, { accountId, targetId, notifications, duration });
  return targetId;
};

const domainBlocks: Apply<"domain_blocks"> = async (app, accountId, { domain }) => {
  const name = normaliseBlocked(domain);
  if (name === null) throw new Unprocessable(says("import.no_domain"));
  await blockDomain(app, accountId, domain);
  return name;
};

/** Only followed accounts can be in a list. */
const lists: Apply<"lists"> = async (app, accountId, { title, acct }) => {
  const targetId = await account(app, acct);
  const listId = await isListed(app, accountId, title, targetId);
  if (listId !== null) return `${listId}/${targetId}`;
  const relation = (await loadRelations(app, accountId, [targetId])).get(targetId)!;
  const isKnown = targetId === accountId || relation.following || relation.requested;
  if (!isKnown) await follow(app, { accountId, targetId });
  return `${await keepInList(app, accountId, title, targetId)}/${targetId}`;
};

const missingPost = (app: App, uri: string): Error =>
  localiseDomain(app, hostIn(uri)) === null
    ? new Unprocessable(says("import.post_missing"))
    : new NotFoundYet("import.post_unknown");

/** A post that the person may not see counts as missing, too. */
const bookmarks: Apply<"bookmarks"> = async (app, accountId, { uri }) => {
  const missing = missingPost(app, uri);
  const target = await app.remote.address(uri);
  if (target?.kind !== "status") throw missing;
  try {
    return (await bookmark(app, asPerson(accountId), target.id)).id;
  } catch (error) {
    throw error instanceof NotFound ? missing : error;
  }
};

/** Known posts of a filter that are imported. */
const MAX_FILTERED_POSTS = 100;

const knownStatuses = async (app: App, accountId: string, uris: string[]): Promise<string[]> => {
  const ids: string[] = [];
  for (const uri of uris.slice(0, MAX_FILTERED_POSTS)) {
    const target = await app.remote.address(uri, false);
    if (target?.kind === "status") ids.push(target.id);
  }
  return (await loadVisible(app, ids, asPerson(accountId))).map(({ id }) => id);
};

const filters: Apply<"filters"> = async (app, accountId, entry: FilterEntry) => {
  const expires = secondsUntil(app, entry.expire_at);
  if (expires !== null && expires <= 0) throw new Unprocessable(says("import.filter_expired"));
  const draft = {
    title: entry.title,
    context: entry.context.filter((name) => (CONTEXTS as readonly string[]).includes(name)),
    filter_action: ACTIONS.find((action) => action === entry.action) ?? ("warn" as const),
    expires_in: expires,
  };
  const statuses = await knownStatuses(app, accountId, entry.statuses);
  return keepFilter(app, accountId, draft, entry.keywords_attributes, statuses);
};

const accountNotes: Apply<"account_notes"> = async (app, accountId, { acct, note }) => {
  const targetId = await account(app, acct);
  await writeNote(app, { accountId, targetId }, note);
  return targetId;
};

const followedTags: Apply<"followed_tags"> = async (app, accountId, { name }) => {
  const tag = parseTypedTag(name);
  if (!tag) throw new Unprocessable(says("import.no_tag"));
  await followTag(app, accountId, tag);
  return tag.name;
};

const mutedTags: Apply<"muted_tags"> = async (app, accountId, { name }) => {
  const tag = parseTypedTag(name);
  if (!tag) throw new Unprocessable(says("import.no_tag"));
  await muteTag(app, accountId, tag, 0);
  return tag.name;
};

const savedSearches: Apply<"saved_searches"> = async (app, accountId, { q }) =>
  (await saveSearch(app, accountId, q)).id;

const APPLY: { [K in Kind]: Apply<K> } = {
  following,
  blocks,
  mutes,
  domain_blocks: domainBlocks,
  lists,
  bookmarks,
  filters,
  account_notes: accountNotes,
  followed_tags: followedTags,
  muted_tags: mutedTags,
  saved_searches: savedSearches,
};

/** Returns what the line named. Throws NotFoundYet, or a DomainError with the reason. */
export const applyEntry = (
  app: App,
  kind: Kind,
  accountId: string,
  entry: Entry[Kind],
): Promise<string> => (APPLY[kind] as Apply<Kind>)(app, accountId, entry);

/** Returns the key of what a failed line names, where it is known here, so that it is not removed. */
export const keyOf = async (app: App, kind: ImportKind, data: object): Promise<string | null> => {
  const { acct, domain } = data as { acct?: string; domain?: string };
  if (kind === "domain_blocks") return normaliseBlocked(domain ?? "");
  if (!ACCOUNT_KINDS.has(kind) || acct === undefined) return null;
  if (!isAddress(acct)) return findKnownId(app, acct);
  const target = await app.remote.address(acct, false);
  return target?.kind === "account" ? target.id : null;
};

const ACCOUNT_KINDS: ReadonlySet<ImportKind> = new Set([
  "following",
  "blocks",
  "mutes",
  "account_notes",
]);

type Undo = (app: App, accountId: string, key: string) => Promise<unknown>;

const unlist: Undo = async (app, accountId, key) => {
  const [listId = "", memberId = ""] = key.split("/");
  const list = await findList(app, accountId, listId);
  if (list) await removeFromList(app, list, [memberId]);
};

const UNDO: Record<Kind, Undo> = {
  following: (app, accountId, targetId) => unfollow(app, { accountId, targetId }),
  blocks: (app, accountId, targetId) => unblock(app, { accountId, targetId }),
  mutes: (app, accountId, targetId) => unmute(app, { accountId, targetId }),
  domain_blocks: unblockDomain,
  lists: unlist,
  bookmarks: (app, accountId, id) => unbookmark(app, asPerson(accountId), id),
  filters: removeFilter,
  account_notes: (app, accountId, targetId) => writeNote(app, { accountId, targetId }, ""),
  saved_searches: removeSavedSearch,
  muted_tags: (app, accountId, name) => unmuteTag(app, accountId, { name, display: name }),
  followed_tags: (app, accountId, name) => unfollowTag(app, accountId, { name, display: name }),
};

/** Removes something that the person has and the file has not. */
export const undoEntry = async (
  app: App,
  kind: Kind,
  accountId: string,
  key: string,
): Promise<void> => {
  try {
    await UNDO[kind](app, accountId, key);
  } catch (error) {
    // It is removed already.
    if (!(error instanceof NotFound)) throw error;
  }
};
