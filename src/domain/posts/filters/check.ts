// Validates requests about filters and returns the values to store.

import type { App } from "../../../platform/app.ts";
import { parseId } from "../../../platform/ids/index.ts";
import { blank, checkAll, invalidFields, tooLong, orNotFound } from "../../../platform/errors.ts";
import type { FieldFault } from "../../../platform/errors.ts";
import { says } from "../../../platform/text/texts.ts";
import type { FilterValues, KeywordValues } from "./queries.ts";
import { CONTEXTS } from "./tables.ts";
import type { FilterAction, FilterRow } from "./tables.ts";

// Characters of a title and of a keyword (limits.json of the contract, filter).
const MAX_TITLE = 256;
const MAX_KEYWORD = 512;

/** Seconds of the longest filter, a hundred years: timestamps have an end. */
const MAX_SECONDS = 100 * 365 * 24 * 3600;

export type FilterDraft = {
  title?: string | null | undefined;
  context?: string[] | null | undefined;
  filter_action?: FilterAction | undefined;
  /** Seconds from now; null for never; undefined for unchanged. */
  expires_in?: number | null | undefined;
};

export type KeywordDraft = {
  id?: string | null | undefined;
  keyword?: string | null | undefined;
  whole_word?: boolean | null | undefined;
  wildcards?: boolean | null | undefined;
  _destroy?: boolean | null | undefined;
};

const textFaults = (field: string, text: string, most: number): FieldFault[] => {
  if (text === "") return [blank(field)];
  return [...text].length > most ? [tooLong(field, most)] : [];
};

const contextFaults = (context: string[]): FieldFault[] => {
  const isKnown = (name: string) => (CONTEXTS as readonly string[]).includes(name);
  if (context.length > 0 && context.every(isKnown)) return [];
  const description = "None or invalid context supplied";
  const wrong = { field: "context", code: "ERR_INVALID", description };
  return context.length === 0 ? [blank("context"), wrong] : [wrong];
};

/** Returns when it expires; with 0 or less it has expired already. */
export const expiryOf = (app: App, seconds: number | null | undefined): Date | null =>
  seconds === null || seconds === undefined || seconds > MAX_SECONDS
    ? null
    : new Date(app.clock.now().getTime() + Math.max(0, seconds) * 1000);

/** Returns the values of a filter; missing ones are taken from `before`. Throws 422 with every fault. */
export const checkFilter = (
  app: App,
  draft: FilterDraft,
  before: FilterRow | null = null,
): FilterValues => {
  const title = (draft.title === undefined ? (before?.title ?? "") : (draft.title ?? "")).trim();
  const contexts = draft.context === undefined ? (before?.context ?? []) : (draft.context ?? []);
  const context = [...new Set(contexts.map((name) => name.trim()).filter((name) => name !== ""))];
  const faults = [...textFaults("title", title, MAX_TITLE), ...contextFaults(context)];
  if (faults.length > 0) throw invalidFields(faults);
  return {
    title,
    context,
    action: draft.filter_action ?? before?.action ?? "warn",
    expires_at:
      draft.expires_in === undefined
        ? (before?.expires_at ?? null)
        : expiryOf(app, draft.expires_in),
  };
};

/**
 * Bounds wildcards between letters, each of which multiplies the time for a text of one repeated letter; those at the
 * ends cost nothing.
 */
const wildcardFaults = (keyword: string): FieldFault[] => {
  const parts = keyword.split(/\*+/).filter((part) => part !== "");
  if (/^[*\s]+$/.test(keyword)) return [{ ...blank("keyword"), said: says("invalid.stars") }];
  if (parts.length <= 2) return [];
  const description = "may have one * between other letters";
  return [{ field: "keyword", code: "ERR_INVALID", description }];
};

/** Returns the values of a keyword; `whole_word` is true by default. */
export const checkKeyword = (
  draft: KeywordDraft,
  before: KeywordValues | null = null,
  input = "keyword",
): KeywordValues => {
  const keyword = (
    draft.keyword === undefined ? (before?.keyword ?? "") : (draft.keyword ?? "")
  ).trim();
  const wildcards = draft.wildcards ?? before?.wildcards ?? false;
  const faults = [
    ...textFaults("keyword", keyword, MAX_KEYWORD),
    ...(wildcards ? wildcardFaults(keyword) : []),
  ];
  if (faults.length > 0) throw invalidFields(faults.map((fault) => ({ ...fault, input })));
  return { keyword, whole_word: draft.whole_word ?? before?.whole_word ?? true, wildcards };
};

/** Changes by `keywords_attributes`: new, changed and removed keywords. Throws NotFound for another filter's. */
type KeywordChanges = {
  added: KeywordValues[];
  changed: (KeywordValues & { id: string })[];
  removed: string[];
};

export const checkKeywords = (drafts: KeywordDraft[], before: FilterRow | null): KeywordChanges => {
  const changes: KeywordChanges = { added: [], changed: [], removed: [] };
  const known = new Map(before?.keywords.map((row) => [row.id, row]));
  const checks = drafts.map((draft, index) => (): void => {
    const input = `keywords_attributes[${index}][keyword]`;
    if (!draft.id && draft._destroy === true) return;
    if (!draft.id) return void changes.added.push(checkKeyword(draft, null, input));
    const row = orNotFound(known.get(parseId(draft.id) ?? ""));
    if (draft._destroy === true) changes.removed.push(row.id);
    else changes.changed.push({ ...checkKeyword(draft, row, input), id: row.id });
  });
  checkAll(...checks);
  return changes;
};
