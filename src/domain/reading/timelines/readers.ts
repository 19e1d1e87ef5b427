// Finds the people whose home a status goes into, by the rules in belongs.ts.

import type { App } from "../../../platform/app.ts";
import type { RemovedStatus } from "../../posts/statuses/removed.ts";
import type { StatusView } from "../../posts/statuses/tables.ts";
import { listedPublicly, openToFollowers } from "../../posts/statuses/visibility.ts";
import { anyTagMuted } from "../../posts/tags/mute-tag.ts";
import { IN_HOME, assume, holds } from "./belongs.ts";
import type { Fact, Known as Facts } from "./belongs.ts";
import { cachedAudiences, cachedTagReaders, eachAudiencePart, readerOf } from "./cached-readers.ts";
import type { Audience, AudiencePart, Reader } from "./cached-readers.ts";
import { selectEarlierCounts, selectFollowersAmong, selectTagMuters } from "./queries-readers.ts";

/** Returns the facts of the status that do not depend on the reader. */
const factsOf = (view: StatusView) => ({
  open: openToFollowers(view),
  listed: listedPublicly(view),
  inGoodStanding: view.account.silenced_at === null && view.account.suspended_at === null,
  boost: view.reblog_of_id !== null,
  reply: repliedToId(view) !== null,
  own: false,
});

const [BY_AUTHOR, BY_TAG] = [
  { followed: true, tagFollowed: false },
  { followed: false, tagFollowed: true },
];

/** Returns the tags by which it may reach readers. */
const tagsOf = (view: StatusView): string[] =>
  view.tags.length === 0 || assume(IN_HOME, { ...factsOf(view), ...BY_TAG }) === false
    ? []
    : view.tags.map(({ name }) => name);

/** Returns the account that it replies to, except for its own author. */
const repliedToId = ({ account_id, in_reply_to_account_id: id }: StatusView): string | null =>
  id === account_id ? null : id;

type Known = {
  audience: (authorId: string) => Audience;
  /** Returns the ids of followers of the replied to account, at least those who also read the status's author. */
  followerIds: (authorId: string) => ReadonlySet<string>;
  /** Maps statuses of authors with daily limits to the number of earlier posts of the day. */
  earlier: Map<string, number>;
  /** Maps statuses to people who mute a tag of them or of their threads. */
  muters: Map<string, Set<string>>;
  byTag: (name: string) => Reader[];
};

/** Returns the facts of one reader; `same` has those that are the same for all. */
const readerFacts = (known: Known, view: StatusView) => {
  const { inExclusiveList, preferences, isLimited } = known.audience(view.account_id);
  const muters = known.muters.get(view.id);
  const repliedTo = repliedToId(view);
  const followers = repliedTo === null ? null : known.followerIds(repliedTo);
  const named = new Set(view.mentions.map(({ id }) => id));
  const facts: Partial<Record<Fact, (id: string) => boolean>> = {
    tagMuted: (id) => muters?.has(id) ?? false,
    exclusive: (id) => inExclusiveList.has(id),
    named: (id) => named.has(id),
    boostsWanted: (id) => preferences.get(id)?.reblogs ?? true,
    languageWanted: (id) => {
      const languages = preferences.get(id)?.languages;
      return !view.language || !languages || languages.includes(view.language);
    },
    replyWanted: (id) => id === repliedTo || followers?.has(id) === true,
    repliesShown: (id) => preferences.get(id)?.replies ?? true,
    withinLimit: (id) => {
      const limit = preferences.get(id)?.limit ?? null;
      return limit === null || (known.earlier.get(view.id) ?? 0) < limit;
    },
  };
  const same: Facts = {
    ...factsOf(view),
    ...(!muters && { tagMuted: false }),
    ...(inExclusiveList.size === 0 && { exclusive: false }),
    ...(preferences.size === 0 && { boostsWanted: true, languageWanted: true, repliesShown: true }),
    ...(!isLimited && { withinLimit: true }),
  };
  return { facts, same };
};

const choose = (known: Known, view: StatusView, readers: Reader[], more: Facts): Reader[] => {
  if (readers.length === 0) return readers;
  const { facts, same } = readerFacts(known, view);
  const rule = assume(IN_HOME, { ...same, ...more });
  if (rule === true) return readers;
  return readers.filter(({ id }) => holds(rule, (fact) => facts[fact]!(id)));
};

const readersByAuthor = (known: Known, view: StatusView): Reader[] =>
  choose(known, view, known.audience(view.account_id).readers, BY_AUTHOR);

const readersByTag = (known: Known, view: StatusView): Reader[] =>
  choose(known, view, tagsOf(view).flatMap(known.byTag), BY_TAG);

const readersFor = (app: App, known: Known, view: StatusView): Reader[] => {
  const byAuthor = readersByAuthor(known, view);
  const byTag = readersByTag(known, view);
  const own = view.account.domain === null ? [readerOf(app, view.account_id)] : [];
  return byTag.length > 0 ? [...new Set([...byAuthor, ...byTag, ...own])] : [...byAuthor, ...own];
};

const load = async (app: App, authorIds: string[], tags: string[]): Promise<Known> => {
  const [audiences, taggers] = await Promise.all([
    cachedAudiences(app, authorIds),
    cachedTagReaders(app, tags),
  ]);
  const idsOf = new Map<string, ReadonlySet<string>>();
  return {
    audience: (authorId) => audiences.get(authorId)!,
    // Makes a set once, however many of the statuses reply to somebody with a hundred thousand readers.
    followerIds(authorId) {
      const present = idsOf.get(authorId);
      if (present) return present;
      const ids = new Set(audiences.get(authorId)!.readers.map(({ id }) => id));
      idsOf.set(authorId, ids);
      return ids;
    },
    earlier: new Map(),
    muters: new Map(),
    byTag: (name) => taggers.get(name)!.readers,
  };
};

const loadEarlier = async (app: App, views: StatusView[]): Promise<Map<string, number>> => {
  if (views.length === 0) return new Map();
  const ids = views.map(({ id }) => id);
  return new Map((await selectEarlierCounts(app.sql, ids)).map(({ id, count }) => [id, count]));
};

const loadMuters = async (app: App, views: StatusView[]): Promise<Map<string, Set<string>>> => {
  if (!(await anyTagMuted(app))) return new Map();
  const ids = views.map(({ id }) => id);
  const rows = await selectTagMuters(app.sql, ids);
  return new Map(rows.map((row) => [row.id, new Set(row.account_ids)]));
};

const loadKnown = async (app: App, views: StatusView[]): Promise<Known> => {
  const authorIds = views.flatMap((view) => [view.account_id, repliedToId(view) ?? []].flat());
  const known = await load(app, authorIds, views.flatMap(tagsOf));
  const limited = views.filter((view) => known.audience(view.account_id).isLimited);
  const [earlier, muters] = await Promise.all([loadEarlier(app, limited), loadMuters(app, views)]);
  return { ...known, earlier, muters };
};

/** Reads which readers of the authors follow the replied to accounts, where these have too many followers to cache. */
const withFollowersAmong = async (app: App, known: Known, views: StatusView[]): Promise<Known> => {
  const ids = new Set<string>();
  const both = new Map<string, Set<string>>();
  for (const view of views) {
    const repliedTo = repliedToId(view);
    if (repliedTo === null || !known.audience(repliedTo).isWide) continue;
    both.set(repliedTo, new Set());
    for (const { id } of known.audience(view.account_id).readers) ids.add(id);
  }
  if (both.size === 0) return known;
  const rows = ids.size > 0 ? await selectFollowersAmong(app.sql, [...both.keys()], [...ids]) : [];
  for (const row of rows) both.get(row.target_account_id)!.add(row.id);
  return { ...known, followerIds: (id) => both.get(id) ?? known.followerIds(id) };
};

/** Returns local people whose home gets a status, each once, with a local author; see also `eachPartOfReaders`. */
export const loadReaders = async (
  app: App,
  views: StatusView[],
): Promise<(view: StatusView) => Reader[]> => {
  const known = await withFollowersAmong(app, await loadKnown(app, views), views);
  return (view) => readersFor(app, known, view);
};

/** Returns statuses that may be in homes because of authors with too many followers to cache. */
const ofWide = async (app: App, views: StatusView[]): Promise<StatusView[]> => {
  const authorIds = views.map((view) => view.account_id);
  const audiences = await cachedAudiences(app, authorIds);
  return views.filter(
    (view) =>
      audiences.get(view.account_id)!.isWide &&
      assume(IN_HOME, { ...factsOf(view), ...BY_AUTHOR }) !== false,
  );
};

/** Yields in parts the people who get a status because of an author with very many followers here. */
export const eachPartOfReaders = async (
  app: App,
  views: StatusView[],
  give: (view: StatusView, readers: Reader[]) => Promise<void>,
): Promise<void> => {
  const wide = await ofWide(app, views);
  if (wide.length === 0) return;
  const known = await loadKnown(app, wide);
  for (const view of wide) {
    const audience = known.audience(view.account_id);
    const tagged = new Set(readersByTag(known, view).map(({ id }) => id));
    const work = async (part: AudiencePart) => {
      const ofPart: Known = {
        ...known,
        audience: (id) => (id === view.account_id ? { ...audience, ...part } : known.audience(id)),
        ...(part.isLimited && { earlier: await loadEarlier(app, [view]) }),
      };
      const readers = readersByAuthor(await withFollowersAmong(app, ofPart, [view]), view);
      await give(view, tagged.size > 0 ? readers.filter(({ id }) => !tagged.has(id)) : readers);
    };
    const named = openToFollowers(view) ? null : view.mentions.map(({ id }) => id);
    await eachAudiencePart(app, view.account_id, work, named);
  }
};

/** Returns local people who may have it at home, by its author and by its tags. */
export const loadPossibleReaders = async (
  app: App,
  removed: RemovedStatus[],
): Promise<(status: RemovedStatus) => Reader[]> => {
  const tagsOfOne = (status: RemovedStatus) => (listedPublicly(status) ? status.tags : []);
  const authorIds = removed.map((status) => status.accountId);
  const known = await load(app, authorIds, removed.flatMap(tagsOfOne));
  return (status) => [
    ...new Set([
      ...[status.accountId, ...status.mentionIds].map((id) => readerOf(app, id)),
      ...(openToFollowers(status) ? known.audience(status.accountId).readers : []),
      ...tagsOfOne(status).flatMap(known.byTag),
    ]),
  ];
};

/** Works as `eachPartOfReaders`, for people who may have it at home. */
export const eachPartOfPossibleReaders = async (
  app: App,
  removed: RemovedStatus[],
  work: (status: RemovedStatus, readers: Reader[]) => Promise<void>,
): Promise<void> => {
  const open = removed.filter(openToFollowers);
  const authorIds = open.map(({ accountId }) => accountId);
  const audiences = await cachedAudiences(app, authorIds);
  for (const status of open) {
    if (!audiences.get(status.accountId)!.isWide) continue;
    await eachAudiencePart(app, status.accountId, ({ readers }) => work(status, readers));
  }
};

/** Returns those whose author is in somebody's list. */
export const listedOf = async (app: App, views: StatusView[]): Promise<StatusView[]> => {
  const audiences = await cachedAudiences(
    app,
    views.map((view) => view.account_id),
  );
  return views.filter((view) => audiences.get(view.account_id)!.isListed);
};
