// Whose home a status goes into: the same rules as in queries-home.ts, by which homes are rebuilt.

import type { App } from "../../platform/app.ts";
import type { RemovedStatus } from "../statuses/events.ts";
import type { StatusView } from "../statuses/tables.ts";
import { listedPublicly, openToFollowers } from "../statuses/visibility.ts";
import { cachedAudiences, cachedTagReaders, readerOf } from "./cached-readers.ts";
import type { Audience, Reader } from "./cached-readers.ts";

/** Public posts of people in good standing reach those who follow a tag of theirs. */
const reachesByTag = (view: StatusView): boolean =>
  listedPublicly(view) &&
  view.reblog_of_id === null &&
  view.tags.length > 0 &&
  view.account.silenced_at === null &&
  view.account.suspended_at === null;

const tagsOf = (view: StatusView): string[] =>
  reachesByTag(view) ? view.tags.map((tag) => tag.name) : [];

/** Whom it replies to, where that is not its author. */
const repliedToId = ({ account_id, in_reply_to_account_id: id }: StatusView): string | null =>
  id === account_id ? null : id;

type Known = {
  audience: (authorId: string) => Audience;
  byTag: (name: string) => Reader[];
};

const isWanted = ({ preferences }: Audience, view: StatusView, reader: Reader): boolean => {
  const preference = preferences.get(reader.id);
  if (!preference) return true;
  const { reblogs, languages } = preference;
  return (
    (reblogs || view.reblog_of_id === null) &&
    (!view.language || !languages || languages.includes(view.language))
  );
};

/** Followers whose home wants it. */
const followersFor = (known: Known, view: StatusView): Reader[] => {
  const audience = known.audience(view.account_id);
  let found = audience.readers;
  if (audience.preferences.size > 0) found = found.filter((one) => isWanted(audience, view, one));
  const repliedTo = repliedToId(view);
  if (repliedTo !== null) {
    const also = new Set([repliedTo, ...known.audience(repliedTo).readers.map(({ id }) => id)]);
    found = found.filter(({ id }) => also.has(id));
  }
  if (!openToFollowers(view)) {
    const named = new Set(view.mentions.map(({ id }) => id));
    found = found.filter(({ id }) => named.has(id));
  }
  return found;
};

const readersFor = (app: App, known: Known, view: StatusView): Reader[] => {
  const { inExclusiveList } = known.audience(view.account_id);
  const byTag = tagsOf(view)
    .flatMap(known.byTag)
    .filter(({ id }) => id !== view.account_id);
  let found = followersFor(known, view);
  if (byTag.length > 0) found = [...new Set([...found, ...byTag])];
  if (inExclusiveList.size > 0) found = found.filter(({ id }) => !inExclusiveList.has(id));
  return view.account.domain === null ? [...found, readerOf(app, view.account_id)] : found;
};

const load = async (app: App, authorIds: string[], tags: string[]): Promise<Known> => {
  const [audiences, taggers] = await Promise.all([
    cachedAudiences(app, authorIds),
    cachedTagReaders(app, tags),
  ]);
  return {
    audience: (authorId) => audiences.get(authorId)!,
    byTag: (name) => taggers.get(name)!.readers,
  };
};

/** Local people whose home gets a status, each once, with a local author. */
export const loadReaders = async (
  app: App,
  views: StatusView[],
): Promise<(view: StatusView) => Reader[]> => {
  const authorIds = views.flatMap((view) => [view.account_id, repliedToId(view) ?? []].flat());
  const known = await load(app, authorIds, views.flatMap(tagsOf));
  return (view) => readersFor(app, known, view);
};

/** Local people who may have it at home: by its author, and by its tags. */
export const loadPossibleReaders = async (
  app: App,
  removed: RemovedStatus[],
): Promise<(one: RemovedStatus) => Reader[]> => {
  const tagsOfOne = (one: RemovedStatus) => (listedPublicly(one) ? one.tags : []);
  const authorIds = removed.map((one) => one.accountId);
  const known = await load(app, authorIds, removed.flatMap(tagsOfOne));
  return (one) => [
    ...new Set([
      ...[one.accountId, ...one.mentionIds].map((id) => readerOf(app, id)),
      ...known.audience(one.accountId).readers,
      ...tagsOfOne(one).flatMap(known.byTag),
    ]),
  ];
};

/** Those whose author is in somebody's list. */
export const listedOf = async (app: App, views: StatusView[]): Promise<StatusView[]> => {
  const audiences = await cachedAudiences(
    app,
    views.map((view) => view.account_id),
  );
  return views.filter((view) => audiences.get(view.account_id)!.isListed);
};
