// The rules of the server: kept in memory until the database tells of a change.
// https://docs.joinmastodon.org/entities/Rule/

import type { App } from "../../platform/app.ts";
import { keepWhileHeard } from "../../platform/db/heard.ts";
import type { Heard } from "../../platform/db/heard.ts";
import { parseId } from "../../platform/db/paging.ts";
import { NotFound } from "../../platform/errors.ts";
import { deleteRule, insertRule, selectRules, updateTranslation } from "./queries.ts";
import type { RuleRow } from "./tables.ts";

const caches = new WeakMap<App, Heard<RuleRow[]>>();

const cacheOf = (app: App): Heard<RuleRow[]> => {
  const present = caches.get(app);
  if (present) return present;
  const made = keepWhileHeard(app, "settings", async () => [...(await selectRules(app.sql))]);
  caches.set(app, made);
  return made;
};

/** The rules in force, in order; the same array until one changes. */
export const currentRules = async (app: App): Promise<RuleRow[]> =>
  app.config.caches.statuses ? cacheOf(app).get() : selectRules(app.sql);

export const ruleEntity = ({ id, text, hint, translations }: RuleRow) => ({
  id,
  text,
  hint,
  translations,
});

/** Those of the ids that belong to rules in force, as they are stored. */
export const knownRules = async (app: App, ids: string[]): Promise<string[]> => {
  const known = new Set((await currentRules(app)).map((rule) => rule.id));
  return ids.flatMap((id) => {
    const parsed = parseId(id);
    return parsed !== null && known.has(parsed) ? [parsed] : [];
  });
};

const changed = (app: App): void => caches.get(app)?.forget();

/** Appends the rule; returns its id. */
export const addRule = async (app: App, text: string, hint: string): Promise<string> => {
  const id = await insertRule(app.sql, text, hint);
  changed(app);
  return id;
};

/** `language` is a code such as `de`. NotFound for an unknown rule. */
export const translateRule = async (
  app: App,
  id: string,
  language: string,
  words: { text: string; hint: string },
): Promise<void> => {
  const parsed = parseId(id);
  if (!parsed || !(await updateTranslation(app.sql, parsed, language, words))) {
    throw new NotFound(`There is no rule ${id}.`);
  }
  changed(app);
};

export const removeRule = async (app: App, id: string): Promise<void> => {
  const parsed = parseId(id);
  if (!parsed || !(await deleteRule(app.sql, parsed, app.clock.now()))) {
    throw new NotFound(`There is no rule ${id}.`);
  }
  changed(app);
};
