// Checks and stores the rules that moderators write; they are switched on only after a dry run. Moderation checks who
// may do it.

import type { App } from "../../../platform/app.ts";
import { lockNamed } from "../../../platform/db/lock-named.ts";
import type { Db } from "../../../platform/db/index.ts";
import { parseId } from "../../../platform/ids/index.ts";
import { Unprocessable, checkAll, invalidField, orNotFound } from "../../../platform/errors.ts";
import { says } from "../../../platform/text/texts.ts";
import { readDomain } from "../blocklists/domains.ts";
import { compilePattern } from "./match.ts";
import {
  countHeldMatches,
  deleteRule,
  insertRule,
  lockKeys,
  selectHeld,
  selectHeldOf,
  selectMatch,
  selectMatches,
  selectRule,
  selectRules,
  selectStopped,
  updateEnabled,
  updateRule,
  updateTried,
} from "./queries.ts";
import type { RuleValues, SentKey } from "./queries.ts";
import { ACTIONS } from "./tables.ts";
import type { Conditions, MatchRow, RuleRow, SpamAction, Tried } from "./tables.ts";

export {
  decideMatch as decide,
  insertMatches as addMatches,
  updateMatch as noteOfMatch,
} from "./queries.ts";

const MAX_RULES = 50;
const MAX_NUMBER = 1_000_000;
const MAX_ITEMS = 200;
const MAX_ITEM = 200;
const MAX_PATTERN = 500;

export type RuleInput = {
  name?: string | undefined;
  conditions?: Record<string, unknown> | undefined;
  actions?: string[] | undefined;
};

const NUMBERS = [
  "account_age_below",
  "followers_below",
  "links",
  "mentions",
  "strangers",
  "same_text",
] as const;
const LISTS = ["domains", "link_domains", "words"] as const;

const numberFrom = (name: string, value: unknown): number => {
  const number = Number(value);
  if (!Number.isSafeInteger(number) || number < 1 || number > MAX_NUMBER) {
    throw invalidField(
      name,
      "must be a whole number from 1 to 1000000",
      says("moderation.spam.whole_number", { max: MAX_NUMBER }),
    );
  }
  return number;
};

const itemFrom = (name: string, value: unknown): string => {
  const text = String(value).trim().toLowerCase().normalize("NFKC");
  const item = name === "words" ? text : (readDomain(text) ?? "");
  if (item === "" || item.length > MAX_ITEM) {
    const shown = text.slice(0, 50);
    throw invalidField(
      name,
      `has "${shown}", which cannot be used`,
      says("moderation.spam.bad_item", { text: shown }),
    );
  }
  return item;
};

const listFrom = (name: string, value: unknown): string[] => {
  const items = Array.isArray(value) ? value : String(value).split(/[\n,]/);
  const values = items.filter((item) => String(item).trim() !== "");
  if (values.length > MAX_ITEMS) {
    throw invalidField(
      name,
      `can have up to ${MAX_ITEMS}`,
      says("moderation.spam.too_many_items", { count: MAX_ITEMS }),
    );
  }
  return [...new Set(values.map((item) => itemFrom(name, item)))];
};

const patternFrom = (value: unknown): string => {
  const pattern = String(value);
  if (pattern.length > MAX_PATTERN)
    throw invalidField(
      "pattern",
      `can have up to ${MAX_PATTERN} characters`,
      says("moderation.spam.long_pattern", { count: MAX_PATTERN }),
    );
  try {
    compilePattern(pattern);
  } catch (error) {
    const why = (error as Error).message.slice(0, 200);
    throw invalidField(
      "pattern",
      `is no RE2 pattern: ${why}`,
      says("moderation.spam.no_pattern", { why }),
    );
  }
  return pattern;
};

const isGiven = (value: unknown): boolean =>
  value !== undefined &&
  value !== null &&
  value !== "" &&
  !(Array.isArray(value) && value.length === 0);

/** Returns undefined for a condition that says nothing. */
const conditionFrom = (name: string, value: unknown): unknown => {
  if (NUMBERS.some((known) => known === name)) return numberFrom(name, value);
  if (LISTS.some((known) => known === name)) return listFrom(name, value);
  if (name === "pattern") return patternFrom(value);
  if (value === "local" || value === "remote") return value;
  if (value === "any") return undefined;
  throw invalidField(
    "origin",
    "must be local, remote or any",
    says("moderation.spam.choose_origin"),
  );
};

/** Leaves out empty conditions; throws 422 for invalid ones, and where none is left. */
export const checkConditions = (input: Record<string, unknown>): Conditions => {
  const names = ["origin", ...NUMBERS, ...LISTS, "pattern"] as const;
  const present = names.filter((name) => isGiven(input[name]));
  const values = checkAll(...present.map((name) => () => conditionFrom(name, input[name])));
  const checked = Object.fromEntries(
    present.flatMap((name, n) => (values[n] === undefined ? [] : [[name, values[n]]])),
  );
  const kinds = Object.keys(checked).filter((name) => name !== "origin");
  if (kinds.length === 0)
    throw invalidField(
      "conditions",
      "would match every post: add one",
      says("moderation.spam.no_conditions"),
    );
  return checked as Conditions;
};

const checkActions = (names: string[]): SpamAction[] => {
  const actions = ACTIONS.filter((action) => names.includes(action));
  const isBoth = actions.includes("reject") && actions.includes("hold");
  if (
    actions.length === 0 ||
    isBoth ||
    names.some((name) => !ACTIONS.includes(name as SpamAction))
  ) {
    throw invalidField(
      "actions",
      `must be of ${ACTIONS.join(", ")}, and not both reject and hold`,
      says("moderation.spam.choose_actions"),
    );
  }
  return actions;
};

const MAX_NAME = 100;

const checkName = (text: string): string => {
  const name = text.trim();
  if (name === "") throw invalidField("name", "can't be blank", says("invalid.blank"));
  if (name.length <= MAX_NAME) return name;
  const description = `is too long (maximum is ${MAX_NAME} characters)`;
  throw invalidField("name", description, says("invalid.too_long", { count: MAX_NAME }));
};

const valuesFrom = (input: RuleInput, before?: RuleRow): RuleValues => {
  const [name, conditions, actions] = checkAll(
    () => checkName(input.name ?? before?.name ?? ""),
    () => (input.conditions ? null : before?.conditions) ?? checkConditions(input.conditions ?? {}),
    () => (input.actions ? null : before?.actions) ?? checkActions(input.actions ?? []),
  );
  return { name, conditions, actions };
};

export const listRules = async (app: App): Promise<RuleRow[]> => [...(await selectRules(app.sql))];

/** Throws NotFound for an unknown rule. */
export const getRule = async (app: App, rawId: string): Promise<RuleRow> => {
  const id = parseId(rawId);
  return orNotFound(id === null ? null : await selectRule(app.sql, id));
};

/** Adds a rule, which is switched off at first. */
export const addRule = async (app: App, db: Db, accountId: string | null, input: RuleInput) => {
  await lockNamed(db, "spam_rules");
  if ((await selectRules(db)).length >= MAX_RULES) {
    throw new Unprocessable(says("moderation.spam.too_many_rules", { count: MAX_RULES }));
  }
  return insertRule(db, { ...valuesFrom(input), account_id: accountId }, app.clock.now());
};

/** Changes a rule, which switches it off and requires a new dry run. */
export const changeRule = (app: App, db: Db, rule: RuleRow, input: RuleInput): Promise<void> =>
  updateRule(db, rule.id, valuesFrom(input, rule), app.clock.now());

/** Throws 422 before a dry run of the current conditions. */
export const enableRule = async (db: Db, rule: RuleRow, enabled: boolean): Promise<void> => {
  if (enabled && rule.tried_at === null) {
    throw new Unprocessable(says("moderation.spam.try_first"));
  }
  await updateEnabled(db, rule.id, enabled);
};

export const ruleWasTried = async (app: App, { id }: RuleRow, tried: Tried): Promise<void> => {
  await updateTried(app.sql, id, tried, app.clock.now());
};

export const removeRule = (db: Db, { id }: RuleRow): Promise<void> => deleteRule(db, id);

/** Returns posts that were stopped under these keys since then, the first of each key first. */
export const findStopped = async (db: Db, keys: SentKey[], since: Date) =>
  keys.length > 0 ? [...(await selectStopped(db, keys, since))] : [];

/** Finds stopped posts in a transaction that stores what is not found; others with the same keys wait for its end. */
export const findStoppedAlone = async (tx: Db, keys: SentKey[], since: Date) => {
  if (keys.length > 0) await lockKeys(tx, keys);
  return findStopped(tx, keys, since);
};

/** Matches that one page shows. */
const MAX_SHOWN = 100;

export const listHeldOf = (app: App, accountId: string): PromiseLike<MatchRow[]> =>
  selectHeldOf(app.sql, accountId, MAX_SHOWN);

/** Throws NotFound for an unknown match. */
export const getMatch = async (app: App, rawId: string): Promise<MatchRow> => {
  const id = parseId(rawId);
  return orNotFound(id === null ? null : await selectMatch(app.sql, id));
};

/** Returns the oldest first. */
export const listHeld = async (app: App): Promise<MatchRow[]> => [
  ...(await selectHeld(app.sql, 100)),
];

/** Counts held posts up to a bound. */
export const countHeld = (app: App): Promise<number> => countHeldMatches(app.sql);

const TOP = "9223372036854775807";

/** Returns the newest first. */
export const listMatches = async (app: App, ruleId: string, before: string | null, limit = 100) => [
  ...(await selectMatches(app.sql, ruleId, before ?? TOP, limit)),
];
