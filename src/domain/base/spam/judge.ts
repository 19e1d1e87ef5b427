// Judges new posts by the rules, all of a batch with a few statements, and with none where there are no rules.

import { baseApp } from "../../../platform/app.ts";
import type { App } from "../../../platform/app.ts";
import { listenedValue } from "../../../platform/caches/listened.ts";
import type { Db } from "../../../platform/db/index.ts";
import { parseId, timeOfId } from "../../../platform/ids/index.ts";
import { hashOf, hostsOf, matches, textOf, wholeText } from "./match.ts";
import {
  RULES_CHANGED,
  countTexts,
  selectAuthors,
  selectDescriptions,
  selectRules,
  selectStrangers,
} from "./queries.ts";
import type { AuthorFacts } from "./queries.ts";
import type { Conditions, Facts, Judged, RuleRow } from "./tables.ts";

type ActiveRule = Pick<RuleRow, "id" | "name" | "conditions" | "actions">;

const activeRules = listenedValue<ActiveRule[]>({
  name: "spam rules",
  channel: "settings",
  key: RULES_CHANGED,
  read: async (db) =>
    [...(await selectRules(db))]
      .filter(({ enabled }) => enabled)
      .map(({ id, name, conditions, actions }) => ({ id, name, conditions, actions })),
});

const HOUR = 3_600_000;

/** Returns the age of an account in hours since it was first seen here, since a remote server can claim any. */
const ageOf = ({ id, domain, created_at: createdAt }: AuthorFacts, at: Date): number => {
  const since = domain === null ? createdAt.getTime() : timeOfId(id).getTime();
  return (at.getTime() - since) / HOUR;
};

const strangersOf = async (db: Db, posts: Judged[]): Promise<Map<number, number>> => {
  const mentioned = posts.flatMap(({ accountId: authorId, mentionIds }, n) =>
    mentionIds.map((mentionedId) => ({ n, authorId, mentionedId })),
  );
  if (mentioned.length === 0) return new Map();
  return new Map((await selectStrangers(db, mentioned)).map(({ n, count }) => [n, count]));
};

const sameTexts = async (db: Db, posts: Judged[], hashes: (string | null)[], now: Date) => {
  const written = posts.flatMap(({ accountId }, n) =>
    hashes[n] ? [{ hash: hashes[n], accountId }] : [],
  );
  if (written.length === 0) return new Map<string, number>();
  const since = new Date(now.getTime() - HOUR);
  return new Map(
    (await countTexts(db, written, since, now)).map(({ hash, count }) => [hash, count]),
  );
};

/** Returns descriptions by the ids of files here; a client may name anything as an id. */
const descriptionsOf = async (db: Db, posts: Judged[]): Promise<Map<string, string>> => {
  const ids = posts.flatMap(({ uploadIds }) => uploadIds.flatMap((id) => parseId(id) ?? []));
  if (ids.length === 0) return new Map();
  const rows = await selectDescriptions(db, ids);
  return new Map(rows.map(({ id, description }) => [id, description]));
};

export type Read = { facts: Facts; text: string; staff: boolean } | null;

/** `counts` has the number of equal texts in a dry run. */
export const readFacts = async (
  db: Db,
  posts: Judged[],
  conditions: Conditions[],
  now: Date,
  counts?: (hash: string) => number,
): Promise<Read[]> => {
  const asks = (name: keyof Conditions) =>
    conditions.some((condition) => condition[name] !== undefined);
  const authors = new Map(
    [...(await selectAuthors(db, [...new Set(posts.map((post) => post.accountId))]))].map((row) => [
      row.id,
      row,
    ]),
  );
  const strangers = asks("strangers") ? await strangersOf(db, posts) : new Map<number, number>();
  const stored =
    asks("words") || asks("pattern") ? await descriptionsOf(db, posts) : new Map<string, string>();
  const texts = posts.map(textOf);
  const hashes = texts.map((text) => hashOf(text)?.toString("hex") ?? null);
  const same =
    asks("same_text") && !counts
      ? await sameTexts(db, posts, hashes, now)
      : new Map<string, number>();
  return posts.map((post, n) => {
    const author = authors.get(post.accountId);
    if (!author) return null;
    const hash = hashes[n];
    const uploads = post.uploadIds.flatMap((id) => stored.get(id) ?? []);
    const text = wholeText(texts[n]!, [...post.described, ...uploads]);
    const facts: Facts = {
      local: author.domain === null,
      domain: author.domain,
      ageHours: ageOf(author, post.createdAt),
      followers: Number(author.followers),
      text,
      linkHosts: hostsOf(post.links),
      links: post.links.length,
      mentions: post.mentionIds.length,
      strangers: strangers.get(n) ?? 0,
      sameText: hash ? (counts?.(hash) ?? same.get(hash) ?? 0) : 0,
    };
    return { facts, text, staff: author.staff };
  });
};

export type Verdict = { rule: ActiveRule; text: string };

/** Ranks rules: where two match, the one that does more applies. */
const severity = ({ actions }: ActiveRule): number =>
  (actions.includes("reject") ? 8 : 0) + (actions.includes("hold") ? 4 : 0) + actions.length;

/**
 * Returns for each post the rule that matches it, or null where none matches any of them. Posts of the staff are never
 * judged.
 */
export const judgePosts = async (
  app: App,
  db: Db,
  posts: (Judged | null)[],
): Promise<(Verdict | null)[] | null> => {
  const rules = await activeRules(baseApp(app));
  if (rules.length === 0) return null;
  const judged = posts.flatMap((post, at) => (post ? [{ post, at }] : []));
  if (judged.length === 0) return null;
  const conditions = rules.map((rule) => rule.conditions);
  const read = await readFacts(
    db,
    judged.map(({ post }) => post),
    conditions,
    app.clock.now(),
  );
  const verdicts: (Verdict | null)[] = posts.map(() => null);
  for (const [n, written] of read.entries()) {
    if (!written || written.staff) continue;
    const [rule] = rules
      .filter((candidate) => matches(candidate.conditions, written.facts))
      .toSorted((a, b) => severity(b) - severity(a));
    if (rule) verdicts[judged[n]!.at] = { rule, text: written.text };
  }
  return verdicts.some(Boolean) ? verdicts : null;
};
