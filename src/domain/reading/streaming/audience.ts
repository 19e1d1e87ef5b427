// Loads what the listener of an open stream does not want to see, and decides about each event: the same as
// belongsInList in statuses/rules.ts, on facts instead of a view, and the same filters.

import type { App } from "../../../platform/app.ts";
import { createBatcher } from "../../../platform/batcher.ts";
import { perApp } from "../../../platform/caches/index.ts";
import { matchOne } from "../../posts/filters/match.ts";
import type { FilterSet } from "../../posts/filters/match.ts";
import { filterResultEntity } from "../../posts/filters/present.ts";
import { cachedExclusionsOf } from "../../posts/statuses/exclusions.ts";
import { languagesOfPerson } from "../timelines/languages.ts";
import type { StatusFacts, StreamEvent } from "../timelines/streams.ts";
import { selectListeners } from "./queries.ts";
import type { ListenerRow } from "./queries.ts";

export type Audience = {
  /** Maps hidden accounts to the end of the mute, in milliseconds. */
  hidden: Map<string, number>;
  /** Blocked domains. */
  domains: ReadonlySet<string>;
  /** Null for all. */
  languages: string[] | null;
  filters: FilterSet;
  accountId: string;
};

const hiddenBy = ({ hidden, until }: ListenerRow): Map<string, number> => {
  const ends = new Map((until ?? []).map(({ id, at }) => [id, at]));
  for (const id of hidden?.split(",") ?? []) ends.set(id, Number.POSITIVE_INFINITY);
  return ends;
};

/** Reads many listeners at once, with two queries, and another where some have filters. */
const readAudiences = async (app: App, accountIds: string[]): Promise<Map<string, Audience>> => {
  const [rows, exclusions] = await Promise.all([
    selectListeners(app.sql, accountIds, app.clock.now()),
    // The exclusions are also used when statuses are made for these listeners (statuses/load-for-viewers.ts).
    cachedExclusionsOf(app, accountIds),
  ]);
  const audiences = new Map<string, Audience>();
  for (const row of rows) {
    const { id, locale, settings } = row;
    const { domains, filters } = exclusions.get(id)!;
    const languages =
      locale === null ? null : await languagesOfPerson(app, { locale, settings: settings ?? {} });
    const hidden = hiddenBy(row);
    audiences.set(id, { hidden, domains, languages, filters, accountId: id });
  }
  return audiences;
};

/** Reads waiting listeners together: after a start all come at the same time. */
const readingOf = perApp("listeners being read", (app) =>
  createBatcher<string, Audience>({
    async run(accountIds) {
      const audiences = await readAudiences(app, [...new Set(accountIds)]);
      return accountIds.map((id) => audiences.get(id)!);
    },
    gatherMs: 0,
    maxBatch: 100,
    maxWaiting: 20_000,
  }),
);

export const loadAudience = (app: App, accountId: string): Promise<Audience> =>
  readingOf(app).add(accountId);

/** Returns whether the status is shown on a stream of this audience at `now`; ended mutes hide nothing. */
export const isWanted = (
  audience: Audience,
  facts: StatusFacts,
  now: Date,
  byLanguage: boolean,
): boolean => {
  const at = now.getTime();
  const isHidden = (id: string | null) => id !== null && (audience.hidden.get(id) ?? 0) > at;
  const authors = [facts.authorId, facts.rebloggedAuthorId, facts.quotedAuthorId];
  if (authors.some(isHidden)) return false;
  const isAway = (domain: string | null) => domain !== null && audience.domains.has(domain);
  if ([facts.domain, facts.rebloggedDomain, facts.quotedDomain].some(isAway)) return false;
  const { languages } = audience;
  if (!byLanguage || languages === null || facts.language === null) return true;
  return languages.includes(facts.language);
};

/**
 * Returns the event as this listener gets it: with `filtered`, where the filters match a status of somebody else.
 * Otherwise it is the same object, so that its frame is made once for all.
 */
export const withFilters = (audience: Audience, event: StreamEvent, now: Date): StreamEvent => {
  const { facts, payload } = event;
  if (!facts || payload === undefined || audience.filters.filters.length === 0) return event;
  if ((facts.rebloggedAuthorId ?? facts.authorId) === audience.accountId) return event;
  const matches = matchOne(audience.filters, event.words ?? "", facts.ids, now);
  if (matches.length === 0) return event;
  const filtered = JSON.stringify(matches.map(filterResultEntity));
  const text = `${payload.slice(0, -1)},"filtered":${filtered}}`;
  return { event: event.event, payload: text };
};
