// Manages the rules of the server, cached until the database notifies of a change.
// https://docs.joinmastodon.org/entities/Rule/

import type { App } from "../../../platform/app.ts";
import { listenedValue } from "../../../platform/caches/listened.ts";
import { lockNamed } from "../../../platform/db/lock-named.ts";
import type { Db } from "../../../platform/db/index.ts";
import { invalidate } from "../../../platform/db/commits.ts";
import { requireAsDrawn } from "../../../platform/drawn.ts";
import { parseId } from "../../../platform/ids/index.ts";
import { NotFound, Unprocessable, checkAll, faultIf } from "../../../platform/errors.ts";
import { says } from "../../../platform/text/texts.ts";
import {
  deleteRule,
  insertRule,
  selectRules,
  swapRule,
  updateRule,
  updateTranslation,
} from "./queries.ts";
import type { RuleRow } from "./tables.ts";

/** Key that invalidates the cached rules. */
const CHANGED = "rules:";

/** Caches the rules in force, in order; the list is the same object until one changes. */
export const currentRules = listenedValue<RuleRow[]>({
  name: "rules",
  channel: "settings",
  key: CHANGED,
  read: async (db) => [...(await selectRules(db))],
});

export const ruleEntity = ({ id, text, hint, translations }: RuleRow) => ({
  id,
  text,
  hint,
  translations,
});

/** Returns those of the ids that belong to rules in force, as they are stored. */
export const knownRules = async (app: App, ids: string[]): Promise<string[]> => {
  const known = new Set((await currentRules(app)).map((rule) => rule.id));
  return ids.flatMap((id) => {
    const parsed = parseId(id);
    return parsed !== null && known.has(parsed) ? [parsed] : [];
  });
};

const MAX_RULES = 100;
const MAX_TEXT = 1000;
const MAX_HINT = 5000;

type Words = { text: string; hint: string };

const checked = ({ text, hint }: Words): Words => {
  const words = { text: text.trim(), hint: hint.trim() };
  const long = says("staff.rules.long", { text: MAX_TEXT, hint: MAX_HINT });
  checkAll(
    faultIf(words.text === "", "text", says("staff.rules.empty")),
    faultIf(words.text.length > MAX_TEXT, "text", long),
    faultIf(words.hint.length > MAX_HINT, "hint", long),
  );
  return words;
};

/** Adds a rule at the end and returns its id. */
export const addRule = async (db: Db, words: Words): Promise<string> => {
  const { text, hint } = checked(words);
  await lockNamed(db, "rules");
  if ((await selectRules(db)).length >= MAX_RULES) {
    throw new Unprocessable(says("staff.rules.many", { count: MAX_RULES }));
  }
  const id = await insertRule(db, text, hint);
  invalidate(db, CHANGED);
  return id;
};

/** `write` returns whether there was such a rule. */
const changing = async (db: Db, id: string, write: (parsed: string) => Promise<boolean>) => {
  const parsed = parseId(id);
  if (!parsed || !(await write(parsed))) throw new NotFound(`There is no rule ${id}.`);
  invalidate(db, CHANGED);
};

/** `language` is a code such as `de`. This and the commands below throw NotFound for an unknown rule. */
export const translateRule = (db: Db, id: string, language: string, words: Words): Promise<void> =>
  changing(db, id, (parsed) => updateTranslation(db, parsed, language, words));

/** `mark`: that of the form (platform/drawn.ts). */
export const rewordRule = (db: Db, id: string, words: Words, mark?: string): Promise<void> =>
  changing(db, id, async (parsed) => {
    const change = checked(words);
    await lockNamed(db, "rules");
    const rule = (await selectRules(db)).find((each) => each.id === parsed);
    if (rule) requireAsDrawn({ text: rule.text, hint: rule.hint }, mark, change);
    return updateRule(db, parsed, change);
  });

/** Moves a rule up or down by one place; the first and the last stay where they are. */
export const moveRule = (db: Db, id: string, up: boolean): Promise<void> =>
  changing(db, id, async (parsed) => {
    await swapRule(db, parsed, up);
    return true;
  });

export const removeRule = (app: App, db: Db, id: string): Promise<void> =>
  changing(db, id, (parsed) => deleteRule(db, parsed, app.clock.now()));
