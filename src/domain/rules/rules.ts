// The rules of the server: cached until the database notifies of a change.
// https://docs.joinmastodon.org/entities/Rule/

import type { App } from "../../platform/app.ts";
import { listenedValue } from "../../platform/caches/listened.ts";
import { invalidate } from "../../platform/db/invalidate.ts";
import { parseId } from "../../platform/db/paging.ts";
import { NotFound } from "../../platform/errors.ts";
import { deleteRule, insertRule, selectRules, updateTranslation } from "./queries.ts";
import type { RuleRow } from "./tables.ts";

/** Invalidates them. */
const CHANGED = "rules:";

/** Those that hold, in order; the same list as long as none changes. */
export const currentRules = listenedValue<RuleRow[]>({
  name: "rules",
  channel: "settings",
  key: CHANGED,
  read: async (app) => [...(await selectRules(app.sql))],
});

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

/** Gives the new rule's id; it stands last. */
export const addRule = async (app: App, text: string, hint: string): Promise<string> => {
  const id = await insertRule(app.sql, text, hint);
  invalidate(app.sql, CHANGED);
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
  invalidate(app.sql, CHANGED);
};

export const removeRule = async (app: App, id: string): Promise<void> => {
  const parsed = parseId(id);
  if (!parsed || !(await deleteRule(app.sql, parsed, app.clock.now()))) {
    throw new NotFound(`There is no rule ${id}.`);
  }
  invalidate(app.sql, CHANGED);
};
