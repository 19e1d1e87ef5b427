// What the listener of an open stream does not want to see, and the decision about each event: the same
// as belongsInList in statuses/rules.ts, on facts instead of a view, and the same filters.

import type { App } from "../../platform/app.ts";
import { matchOne } from "../filters/match.ts";
import type { FilterSet } from "../filters/match.ts";
import { filterResultEntity } from "../filters/present.ts";
import { cachedUnwanted } from "../statuses/cache.ts";
import { languagesOfPerson } from "../timelines/languages.ts";
import type { StatusFacts, StreamEvent } from "../timelines/streams.ts";
import { selectChoices, selectHidden } from "./queries.ts";

export type Audience = {
  /** Hidden account → until when, in milliseconds. */
  hidden: Map<string, number>;
  /** Blocked domains. */
  domains: ReadonlySet<string>;
  /** null: all */
  languages: string[] | null;
  filters: FilterSet;
  accountId: string;
};

/** At most five queries. */
export const loadAudience = async (app: App, accountId: string): Promise<Audience> => {
  const [rows, choices, { domains, filters }] = await Promise.all([
    selectHidden(app.sql, accountId, app.clock.now()),
    selectChoices(app.sql, accountId),
    // Also in memory when statuses are made for this listener (statuses/load-for-viewers.ts).
    cachedUnwanted(app, accountId),
  ]);
  const hidden = new Map<string, number>();
  for (const { id, until } of rows) {
    const end = until?.getTime() ?? Number.POSITIVE_INFINITY;
    hidden.set(id, Math.max(end, hidden.get(id) ?? 0));
  }
  const languages = choices && (await languagesOfPerson(app, choices));
  return { hidden, domains, languages, filters, accountId };
};

/** Whether the status is shown on a stream of this audience at `now`; ended mutes hide nothing. */
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
 * The event as this listener gets it: with `filtered`, where the filters match a status of somebody else.
 * Otherwise the same object, so that its frame is made once for all.
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
