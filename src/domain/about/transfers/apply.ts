// Applies and undoes lines of each kind of file by the same commands as everywhere, with their limits.

import { instantOf } from "../../../platform/time.ts";
import type { App } from "../../../platform/app.ts";
import { NotFound, Unprocessable, nullOn } from "../../../platform/errors.ts";
import { hostIn } from "../../../platform/json/read.ts";
import { says } from "../../../platform/text/texts.ts";
import { asPerson } from "../../../platform/viewer.ts";
import { findHandle, findKnownId, localiseDomain } from "../../people/accounts/find.ts";
import { ACTIONS, CONTEXTS } from "../../posts/filters/tables.ts";
import { keepFilter } from "../../posts/filters/write.ts";
import { removeFilter } from "../../posts/filters/write.ts";
import { removeSavedSearch, saveSearch } from "../../reading/saved-searches/save.ts";
import { isListed, keepInList } from "../../people/lists/write.ts";
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
import { unblock } from "../../people/relationships/block.ts";
import { unfollow } from "../../people/relationships/unfollow.ts";
import { bookmark, unbookmark } from "../../posts/statuses/acts.ts";
import { loadVisible } from "../../posts/statuses/load.ts";
import { followTag, unfollowTag } from "../../posts/tags/feature-tag.ts";
import { muteTag, unmuteTag } from "../../posts/tags/mute-tag.ts";
import { parseTypedTag } from "../../posts/tags/rules.ts";
import { NotFoundYet } from "./faults.ts";
import type { Entry, Kind } from "./tables.ts";

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

/** What is done with a line of a file. Applying it twice does no harm. */
type Acts<K extends Kind> = {
  /** Returns what the line named. Throws NotFoundYet, or a DomainError with the reason. */
  apply: (app: App, accountId: string, entry: Entry[K]) => Promise<string>;
  /** Removes something that the person has and the file has not. */
  undo: (app: App, accountId: string, key: string) => Promise<unknown>;
  /** Returns the key of what a failed line names, where it is known here, so that it is not removed. */
  keyOf?: (app: App, line: { acct?: string; domain?: string }) => Promise<string | null>;
  /** Lines run one by one, since two of them may both want to make the same. */
  oneByOne?: true;
};

const accountKey: Acts<"blocks">["keyOf"] = async (app, { acct }) => {
  if (acct === undefined) return null;
  if (!isAddress(acct)) return findKnownId(app, acct);
  const target = await app.remote.address(acct, false);
  return target?.kind === "account" ? target.id : null;
};

type Pair = { accountId: string; targetId: string };

/** Makes the acts of a file whose lines name accounts. */
const ofAccounts = <K extends "following" | "blocks" | "account_notes">(
  act: (app: App, pair: Pair, entry: Entry[K]) => Promise<unknown>,
  undo: (app: App, pair: Pair) => Promise<unknown>,
): Acts<K> => ({
  apply: async (app, accountId, entry) => {
    const targetId = await account(app, entry.acct);
    await act(app, { accountId, targetId }, entry);
    return targetId;
  },
  undo: (app, accountId, targetId) => undo(app, { accountId, targetId }),
  keyOf: accountKey,
});

const mutes: Acts<"mutes"> = {
  apply: async (app, accountId, { acct, notifications, endsAt = null }) => {
    const duration = secondsUntil(app, endsAt) ?? 0;
    if (duration < 0) throw new Unprocessable(says("import.time_passed"));
    const targetId = await account(app, acct);
    await mute(app, { accountId, targetId, notifications, duration });
    return targetId;
  },
  undo: (app, accountId, targetId) => unmute(app, { accountId, targetId }),
  keyOf: accountKey,
};

const domainBlocks: Acts<"domain_blocks"> = {
  apply: async (app, accountId, { domain }) => {
    const name = normaliseBlocked(domain);
    if (name === null) throw new Unprocessable(says("import.no_domain"));
    await blockDomain(app, accountId, domain);
    return name;
  },
  undo: unblockDomain,
  keyOf: async (_app, { domain }) => normaliseBlocked(domain ?? ""),
};

/** Only followed accounts can be in a list. */
const lists: Acts<"lists"> = {
  apply: async (app, accountId, { title, acct }) => {
    const targetId = await account(app, acct);
    const listId = await isListed(app, accountId, title, targetId);
    if (listId !== null) return `${listId}/${targetId}`;
    const relation = (await loadRelations(app, accountId, [targetId])).get(targetId)!;
    const isKnown = targetId === accountId || relation.following || relation.requested;
    if (!isKnown) await follow(app, { accountId, targetId });
    return `${await keepInList(app, accountId, title, targetId)}/${targetId}`;
  },
  undo: async (app, accountId, key) => {
    const [listId = "", memberId = ""] = key.split("/");
    const list = await findList(app, accountId, listId);
    if (list) await removeFromList(app, list, [memberId]);
  },
  oneByOne: true,
};

const missingPost = (app: App, uri: string): Error =>
  localiseDomain(app, hostIn(uri)) === null
    ? new Unprocessable(says("import.post_missing"))
    : new NotFoundYet("import.post_unknown");

/** A post that the person may not see counts as missing, too. */
const bookmarks: Acts<"bookmarks"> = {
  apply: async (app, accountId, { uri }) => {
    const missing = missingPost(app, uri);
    const target = await app.remote.address(uri);
    if (target?.kind !== "status") throw missing;
    try {
      return (await bookmark(app, asPerson(accountId), target.id)).id;
    } catch (error) {
      throw error instanceof NotFound ? missing : error;
    }
  },
  undo: (app, accountId, id) => unbookmark(app, asPerson(accountId), id),
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

const filters: Acts<"filters"> = {
  apply: async (app, accountId, entry) => {
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
  },
  undo: removeFilter,
  oneByOne: true,
};

/** Makes the acts of a file of hashtags, whose keys are their names. */
const ofTags = (act: typeof followTag, undo: typeof followTag): Acts<"followed_tags"> => ({
  apply: async (app, accountId, { name }) => {
    const tag = parseTypedTag(name);
    if (!tag) throw new Unprocessable(says("import.no_tag"));
    await act(app, accountId, tag);
    return tag.name;
  },
  undo: (app, accountId, name) => undo(app, accountId, { name, display: name }),
});

const savedSearches: Acts<"saved_searches"> = {
  apply: async (app, accountId, { q }) => (await saveSearch(app, accountId, q)).id,
  undo: removeSavedSearch,
};

const ACTS = {
  following: ofAccounts<"following">(
    (app, pair, { acct: _acct, ...options }) => follow(app, { ...pair, options }),
    unfollow,
  ),
  blocks: ofAccounts<"blocks">(block, unblock),
  mutes,
  domain_blocks: domainBlocks,
  lists,
  bookmarks,
  filters,
  account_notes: ofAccounts<"account_notes">(
    (app, pair, { note }) => writeNote(app, pair, note),
    (app, pair) => writeNote(app, pair, ""),
  ),
  followed_tags: ofTags(followTag, unfollowTag),
  muted_tags: ofTags((app, accountId, tag) => muteTag(app, accountId, tag, 0), unmuteTag),
  saved_searches: savedSearches,
};

export const actsOf = (kind: Kind): Acts<Kind> => ACTS[kind] as Acts<Kind>;

/** Removes it, unless it is removed already. */
export const undoEntry = async (
  app: App,
  kind: Kind,
  accountId: string,
  key: string,
): Promise<void> => {
  await nullOn((error) => error instanceof NotFound, ACTS[kind].undo(app, accountId, key));
};
