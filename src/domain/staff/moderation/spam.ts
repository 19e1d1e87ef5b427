// Manages rules against spam for moderators: dry runs, switching on, undoing, and deciding held posts.

import type { VerbOf } from "../../base/audit/actions.ts";
import type { App } from "../../../platform/app.ts";
import type { Tx } from "../../../platform/db/index.ts";
import { Unprocessable, isRefusal } from "../../../platform/errors.ts";
import { says } from "../../../platform/text/texts.ts";
import { addDays, idAt } from "../../../platform/ids/index.ts";
import type { JobHandler } from "../../../platform/jobs/table.ts";
import { getAccount } from "../../people/accounts/load.ts";
import { acct } from "../../people/accounts/present.ts";
import { liftLimit, limitAccount } from "../../people/accounts/standing.ts";
import { audit } from "../../base/audit/audit.ts";
import { fileReport } from "../../reading/reports/file.ts";
import { reportsAbout, resolveReports } from "../../reading/reports/moderate.ts";
import type { Actor } from "../../base/roles/permissions.ts";
import { COMMAND_LINE } from "../../base/roles/permissions.ts";
import { readFacts } from "../../base/spam/judge.ts";
import { hashOf, matches, textOf } from "../../base/spam/match.ts";
import {
  addRule,
  changeRule,
  decide,
  enableRule,
  getMatch,
  getRule,
  listHeld,
  listMatches,
  listRules,
  noteOfMatch,
  removeRule,
  ruleWasTried,
} from "../../base/spam/rules.ts";
import type { RuleInput } from "../../base/spam/rules.ts";
import type { Judged, MatchRow, RuleRow } from "../../base/spam/tables.ts";
import { createStatuses } from "../../posts/statuses/create.ts";
import { editWithin } from "../../posts/statuses/write-edit.ts";
import { judgedOf } from "../../posts/statuses/spam-check.ts";
import { isOfPersonHere, revived, revivedEdit } from "../../posts/statuses/held-posts.ts";
import { accountTarget, strike } from "./accounts.ts";
import { requireMay } from "../../base/roles/acts.ts";
import "./events.ts";
import { selectAnOwner, selectRecentPosts } from "./queries.ts";
import type { RecentPost } from "./queries.ts";
import { recorded } from "../../base/audit/recorded.ts";

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** Undo a slice of what a rule did, before the match `before`. */
    "spam.undo": { ruleId: string; before: string | null };
  }
}

const entryOf = (verb: VerbOf<"spam_rule">, rule: Pick<RuleRow, "id" | "name">) => ({
  action: `spam_rule.${verb}` as const,
  target: { type: "spam_rule", id: rule.id, label: rule.name },
});

export const listSpamRules = (app: App, actor: Actor): Promise<RuleRow[]> => {
  requireMay(actor, "spam.read");
  return listRules(app);
};

export const getSpamRule = (app: App, actor: Actor, id: string): Promise<RuleRow> => {
  requireMay(actor, "spam.read");
  return getRule(app, id);
};

export const addSpamRule = (app: App, actor: Actor, input: RuleInput): Promise<string> =>
  recorded(app, actor, "spam.write", async (tx) => {
    const id = await addRule(app, tx, actor.accountId, input);
    return { entry: entryOf("create", { id, name: input.name ?? "" }), result: id };
  });

export const changeSpamRule = (app: App, actor: Actor, rule: RuleRow, input: RuleInput) =>
  recorded(app, actor, "spam.write", async (tx) => {
    await changeRule(app, tx, rule, input);
    return { entry: entryOf("update", rule) };
  });

export const enableSpamRule = (app: App, actor: Actor, rule: RuleRow, enabled: boolean) =>
  recorded(app, actor, "spam.write", async (tx) => {
    await enableRule(tx, rule, enabled);
    return { entry: entryOf(enabled ? "enable" : "disable", rule) };
  });

/** Also discards what it held. */
export const removeSpamRule = (app: App, actor: Actor, rule: RuleRow) =>
  recorded(app, actor, "spam.write", async (tx) => {
    await removeRule(tx, rule);
    return { entry: entryOf("delete", rule) };
  });

const DRY_RUN_POSTS = 10_000;
const DRY_RUN_SLICE = 500;
const SAMPLES = 50;

const recentPosts = async (app: App): Promise<RecentPost[]> => {
  const now = app.clock.now();
  const posts: RecentPost[] = [];
  let below = idAt(addDays(now, 1));
  while (posts.length < DRY_RUN_POSTS) {
    const range = { from: idAt(addDays(now, -1)), below };
    const slice = [...(await selectRecentPosts(app.sql, range, DRY_RUN_SLICE))];
    posts.push(...slice);
    if (slice.length < DRY_RUN_SLICE) break;
    below = slice.at(-1)!.id;
  }
  return posts;
};

const judgedRecent = ({ options, descriptions, ...post }: RecentPost): Judged =>
  judgedOf({
    ...post,
    accountId: post.account_id,
    warning: post.spoiler_text,
    poll: options && { options },
    files: { described: descriptions, uploadIds: [] },
    createdAt: post.created_at,
  });

/** Maps each text to the accounts that wrote it. */
const writersOf = (posts: Judged[]): Map<string, Set<string>> => {
  const writers = new Map<string, Set<string>>();
  for (const post of posts) {
    const hash = hashOf(textOf(post))?.toString("hex");
    if (hash) writers.set(hash, (writers.get(hash) ?? new Set()).add(post.accountId));
  }
  return writers;
};

export type DryRun = {
  /** Posts of the last day that were looked at. */
  looked: number;
  matched: number;
  accounts: number;
  /** Some matches that everybody may see. */
  samples: { id: string; accountId: string; text: string }[];
};

/**
 * Returns what the rule would have matched in the last day, and does nothing else. The rule can be switched on
 * afterwards.
 */
export const trySpamRule = async (app: App, actor: Actor, rule: RuleRow): Promise<DryRun> => {
  requireMay(actor, "spam.write");
  const posts = await recentPosts(app);
  const judged = posts.map(judgedRecent);
  const writers = rule.conditions.same_text === undefined ? null : writersOf(judged);
  const counts = (hash: string): number => writers?.get(hash)?.size ?? 0;
  const similar: { post: RecentPost; text: string }[] = [];
  for (let at = 0; at < posts.length; at += DRY_RUN_SLICE) {
    const slice = judged.slice(at, at + DRY_RUN_SLICE);
    const read = await readFacts(app.sql, slice, [rule.conditions], app.clock.now(), counts);
    for (const [n, candidate] of read.entries()) {
      const isMatch = candidate && !candidate.staff && matches(rule.conditions, candidate.facts);
      if (isMatch) similar.push({ post: posts[at + n]!, text: candidate.text });
    }
  }
  const tried = {
    looked: posts.length,
    matched: similar.length,
    accounts: new Set(similar.map(({ post }) => post.account_id)).size,
  };
  await ruleWasTried(app, rule, tried);
  return {
    ...tried,
    samples: similar
      .filter(({ post }) => post.open)
      .slice(0, SAMPLES)
      .map(({ post, text }) => ({
        id: post.id,
        accountId: post.account_id,
        text: text.slice(0, 300),
      })),
  };
};

export const listHeldPosts = (app: App, actor: Actor): Promise<MatchRow[]> => {
  requireMay(actor, "spam.read");
  return listHeld(app);
};

export const listSpamMatches = (app: App, actor: Actor, rule: RuleRow): Promise<MatchRow[]> => {
  requireMay(actor, "spam.read");
  return listMatches(app, rule.id, null);
};

/** Applies the held edit, unless the post was edited again since. */
const publishEdit = async (
  app: App,
  tx: Tx,
  match: MatchRow,
  { statusId, change }: NonNullable<ReturnType<typeof revivedEdit>>,
): Promise<void> => {
  if ((await editWithin(app, tx, { id: statusId, authorId: match.account_id }, change)) !== true) {
    throw new Unprocessable(says("moderation.spam.edited_again"));
  }
  await decide(tx, match.id, ["held", "rejected"], "approved", statusId);
};

/** Publishes it with its old date, and with everything that follows a new post, or an edit. */
const publish = async (app: App, tx: Tx, match: MatchRow): Promise<void> => {
  if (!match.post) throw new Unprocessable(says("moderation.spam.not_stored"));
  const author = await getAccount(app, match.account_id, tx);
  if (author.suspended_at !== null)
    throw new Unprocessable(says("moderation.spam.author_suspended"));
  const edit = revivedEdit(match.post);
  if (edit) return publishEdit(app, tx, match, edit);
  const [created] = await createStatuses(app, tx, [revived(match.post)]);
  await decide(tx, match.id, ["held", "rejected"], "approved", created?.id ?? null);
};

/** Labels a post by its author in the log, since its text may be private. */
const labelled = async (app: App, tx: Tx, verb: VerbOf<"held_post">, match: MatchRow) => {
  const author = await getAccount(app, match.account_id, tx);
  return {
    action: `held_post.${verb}` as const,
    target: { type: "held_post", id: match.id, label: `@${acct(author)}` },
  };
};

/** Publishes a held post; throws 422 for one that was decided. */
export const approveHeld = async (app: App, actor: Actor, id: string): Promise<void> => {
  const match = await getMatch(app, id);
  await recorded(app, actor, "spam.write", async (tx) => {
    if (match.state !== "held") throw new Unprocessable(says("moderation.decided_already"));
    await publish(app, tx, match);
    return { entry: await labelled(app, tx, "approve", match) };
  });
};

export const discardHeld = async (app: App, actor: Actor, id: string): Promise<void> => {
  const match = await getMatch(app, id);
  await recorded(app, actor, "spam.write", async (tx) => {
    if (!(await decide(tx, match.id, ["held"], "discarded"))) {
      throw new Unprocessable(says("moderation.decided_already"));
    }
    return { entry: await labelled(app, tx, "discard", match) };
  });
};

const limit = (app: App, rule: RuleRow, match: MatchRow): Promise<void> =>
  app.sql.begin(async (tx) => {
    const target = await getAccount(app, match.account_id, tx);
    if (target.silenced_at !== null || target.suspended_at !== null) return;
    await limitAccount(app, tx, target.id, "silence");
    await app.jobs.add(tx, "account.standing_changed", { id: target.id });
    const warning = {
      action: "silence" as const,
      text: "",
      reportId: null,
      statusIds: null,
      mail: true,
    };
    await strike(app, tx, COMMAND_LINE, target, warning);
    const details = { spam_rule: rule.name };
    await audit(app, tx, COMMAND_LINE, {
      action: "account.silence",
      target: accountTarget(target),
      details,
    });
    await noteOfMatch(tx, match.id, { limited: true });
  });

const report = async (app: App, rule: RuleRow, match: MatchRow): Promise<void> => {
  const reporterId = rule.account_id ?? (await selectAnOwner(app.sql));
  if (reporterId === null || reporterId === match.account_id) return;
  // Moderators look at the account already.
  if ((await reportsAbout(app, match.account_id)).length > 0) return;
  const input = {
    account_id: match.account_id,
    comment: `Rule against spam: ${rule.name}`,
    category: "spam" as const,
  };
  const statusIds = match.status_id === null ? [] : [match.status_id];
  const id = await fileReport(app, reporterId, { ...input, status_ids: statusIds }).catch(
    (error) => {
      // The reporter may not see the post.
      if (isRefusal(error)) return fileReport(app, reporterId, input);
      throw error;
    },
  );
  await noteOfMatch(app.sql, match.id, { report_id: id });
};

/** Handles the job `spam.matched`. */
export const onSpamMatched = async (app: App, { id }: { id: string }): Promise<void> => {
  const match = await getMatch(app, id).catch(() => null);
  const rule = match && (await getRule(app, match.rule_id).catch(() => null));
  if (!match || !rule) return;
  if (rule.actions.includes("limit") && !match.limited) await limit(app, rule, match);
  if (rule.actions.includes("report") && match.report_id === null) await report(app, rule, match);
};

/**
 * Switches the rule off; a job publishes what it held or refused of other servers, lifts its limits, and resolves its
 * reports.
 */
export const undoSpamRule = (app: App, actor: Actor, rule: RuleRow) =>
  recorded(app, actor, "spam.write", async (tx) => {
    await enableRule(tx, rule, false);
    await app.jobs.add(tx, "spam.undo", { ruleId: rule.id, before: null });
    return { entry: entryOf("undo", rule) };
  });

const lift = async (app: App, tx: Tx, { account_id: id }: MatchRow): Promise<void> => {
  const target = await getAccount(app, id, tx);
  if (!(await liftLimit(tx, id, "silence"))) return;
  await audit(app, tx, COMMAND_LINE, {
    action: "account.unsilence",
    target: accountTarget(target),
  });
  await app.jobs.add(tx, "account.standing_changed", { id });
};

const undoOne = (app: App, match: MatchRow): Promise<void> =>
  app.sql.begin(async (tx) => {
    // Local authors of refused posts got that answer, and may have posted again.
    const { state, post } = match;
    const isOpen = post && (state === "held" || (state === "rejected" && !isOfPersonHere(post)));
    if (isOpen) await publish(app, tx, match);
    if (match.limited) await lift(app, tx, match);
    if (match.report_id) await resolveReports(app, tx, [match.report_id], null);
  });

const UNDO_SLICE = 50;

/** Handles the job `spam.undo`. */
export const onSpamUndo: JobHandler<"spam.undo"> = async (app, { ruleId, before }) => {
  const slice = await listMatches(app, ruleId, before, UNDO_SLICE);
  for (const match of slice) {
    try {
      await undoOne(app, match);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      app.log.info(
        { match: match.id, why: (error as Error).message },
        "what a rule did is not undone",
      );
    }
  }
  if (slice.length < UNDO_SLICE) return;
  await app.jobs.add(app.sql, "spam.undo", { ruleId, before: slice.at(-1)!.id });
};
