// Whom and what a listener does not want to see, kept beside an open stream, and the judgement of
// each event by it: the same as belongsInList in statuses/rules.ts, over facts instead of a view.

import type { App } from "../../platform/app.ts";
import type { StatusFacts } from "../timelines/streams.ts";
import { selectChosenLanguages, selectHidden } from "./queries.ts";

export type Audience = {
  /** Hidden accounts, and until when in milliseconds. */
  hidden: Map<string, number>;
  /** null: all */
  languages: string[] | null;
};

/** Two queries, however much there is. */
export const loadAudience = async (app: App, accountId: string): Promise<Audience> => {
  const [rows, languages] = await Promise.all([
    selectHidden(app.sql, accountId, app.clock.now()),
    selectChosenLanguages(app.sql, accountId),
  ]);
  const hidden = new Map<string, number>();
  for (const { id, until } of rows) {
    const end = until?.getTime() ?? Number.POSITIVE_INFINITY;
    hidden.set(id, Math.max(end, hidden.get(id) ?? 0));
  }
  return { hidden, languages: languages?.length ? languages : null };
};

/** Does the status belong on a stream of this audience at `now`? A mute that has ended hides nothing. */
export const isWanted = (
  audience: Audience,
  facts: StatusFacts,
  now: Date,
  byLanguage: boolean,
): boolean => {
  const at = now.getTime();
  const isHidden = (id: string | null) => id !== null && (audience.hidden.get(id) ?? 0) > at;
  if (isHidden(facts.authorId) || isHidden(facts.rebloggedAuthorId)) return false;
  const { languages } = audience;
  if (!byLanguage || languages === null || facts.language === null) return true;
  return languages.includes(facts.language);
};
