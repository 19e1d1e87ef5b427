// Files reports, by a local account, or by another server about a local account.

import { randomUUID } from "node:crypto";
import type { App } from "../../../platform/app.ts";
import { parseId } from "../../../platform/ids/index.ts";
import { invalidField, invalidFields, NotFound, tooLong } from "../../../platform/errors.ts";
import { tally } from "../../../platform/http/rate-limit.ts";
import type { Limit } from "../../../platform/http/rate-limit.ts";
import { asPerson } from "../../../platform/viewer.ts";
import { getShownAccount } from "../../people/accounts/load.ts";
import type { AccountView } from "../../people/accounts/tables.ts";
import { collectionsOf, collectionsAt } from "../../people/collections/load.ts";
import { knownRules } from "../../base/rules/rules.ts";
import { loadVisible } from "../../posts/statuses/load.ts";
import { openlyAddressed } from "../../posts/statuses/rules.ts";
import type { StatusView } from "../../posts/statuses/tables.ts";
import "./events.ts";
import { insertReport, selectInboxes, selectLocalTargets, selectReportable } from "./queries.ts";
import type { Category, NewReport } from "./tables.ts";

/** Characters of a comment (limits.json of the contract, report). */
export const MAX_COMMENT = 1000;

/** Limit of a server's reports: as many as a local person may file; further ones are dropped. */
export const FROM_SERVER: Limit = {
  name: "reports:server",
  by: "request",
  count: 400,
  seconds: 86_400,
};

type ReportInput = {
  account_id?: string | undefined;
  status_ids?: string[] | undefined;
  collection_ids?: string[] | undefined;
  rule_ids?: string[] | undefined;
  comment?: string | null | undefined;
  category?: Category | undefined;
  forward?: boolean | undefined;
  forward_to_domains?: string[] | undefined;
};

const checkComment = (comment: string): string => {
  if ([...comment].length <= MAX_COMMENT) return comment;
  throw invalidFields([tooLong("comment", MAX_COMMENT)]);
};

const distinctIds = (ids: string[] | undefined): string[] => [
  ...new Set((ids ?? []).map((id) => parseId(id) ?? "0")),
];

/** Returns posts of the reported account; throws NotFound when the reporter cannot see one of them. */
const reportedStatuses = async (
  app: App,
  reporterId: string,
  target: AccountView,
  ids: string[],
): Promise<StatusView[]> => {
  const views = await loadVisible(app, ids, asPerson(reporterId));
  const own = views.filter((view) => view.account_id === target.id && !view.reblog);
  if (own.length < ids.length) throw new NotFound();
  return own;
};

/** Returns the ids of rules in force; null when none is given. */
const checkRules = async (app: App, ids: string[] | undefined): Promise<string[] | null> => {
  if (!ids?.length) return null;
  const distinct = [...new Set(ids)];
  const known = await knownRules(app, distinct);
  if (known.length === distinct.length) return known;
  throw invalidField("rule_ids", "does not reference valid rules");
};

const checkCollections = async (app: App, target: AccountView, rawIds: string[] | undefined) => {
  const ids = distinctIds(rawIds);
  if ((await collectionsOf(app, target.id, ids)).length < ids.length) throw new NotFound();
  return ids;
};

/** Returns the accounts that the posts reply to or mention, whose servers may get the report as well. */
const involved = (target: AccountView, statuses: StatusView[]): string[] => [
  target.id,
  ...statuses.flatMap((view) => [
    ...(view.in_reply_to_account_id ? [view.in_reply_to_account_id] : []),
    ...openlyAddressed(view).map((mention) => mention.id),
  ]),
];

/** Returns the domains that get the report: the account's own unless others are named, and only involved ones. */
const forwardDomains = async (
  app: App,
  target: AccountView,
  statuses: StatusView[],
  input: ReportInput,
): Promise<string[]> => {
  if (!input.forward || target.domain === null) return [];
  const { forward_to_domains: named } = input;
  if (!named?.length) return [target.domain];
  const inboxes = await selectInboxes(app.sql, involved(target, statuses));
  const domains = new Set(named.map((domain) => domain.toLowerCase()));
  return inboxes.map(({ domain }) => domain).filter((domain) => domains.has(domain.toLowerCase()));
};

const store = (app: App, report: NewReport, forwardTo: string[]): Promise<string | null> =>
  app.sql.begin(async (tx) => {
    const id = await insertReport(tx, report, app.clock.now());
    if (id !== null) await app.jobs.add(tx, "report.created", { id, forwardTo });
    return id;
  });

/**
 * Files a person's report; returns its id. NotFound for an account, post or collection that the reporter
 * cannot see or that is not the account's; Unprocessable for unknown rules and long comments.
 */
export const fileReport = async (
  app: App,
  reporterId: string,
  input: ReportInput,
): Promise<string> => {
  const target = await getShownAccount(app, input.account_id ?? "");
  const statusIds = distinctIds(input.status_ids);
  const statuses = await reportedStatuses(app, reporterId, target, statusIds);
  const ruleIds = await checkRules(app, input.rule_ids);
  const forwardTo = await forwardDomains(app, target, statuses, input);
  const report: NewReport = {
    account_id: reporterId,
    target_account_id: target.id,
    status_ids: statuses.map((view) => view.id),
    collection_ids: await checkCollections(app, target, input.collection_ids),
    rule_ids: ruleIds,
    comment: checkComment(input.comment ?? ""),
    category: ruleIds ? "violation" : (input.category ?? "other"),
    forwarded: forwardTo.length > 0,
    uri: forwardTo.length > 0 ? `${app.config.site.origin}/${randomUUID()}` : null,
  };
  return (await store(app, report, forwardTo))!;
};

type RemoteReport = {
  /** Id of the sender, usually the other server's own actor. */
  accountId: string;
  domain: string;
  uri: string;
  comment: string;
  /** URIs of accounts, posts and collections. */
  objects: string[];
};

/** Returns as many of the accounts as the server may still report today. */
const withinLimit = async (app: App, domain: string, targets: Set<string>): Promise<string[]> => {
  const within: string[] = [];
  for (const targetId of targets) {
    if ((await tally(app, FROM_SERVER, domain)).over) break;
    within.push(targetId);
  }
  if (within.length < targets.size) {
    app.log.warn({ domain }, "a server sends more reports than are taken in a day");
  }
  return within;
};

/** Files another server's report, once for each local account that it names or whose posts or collections it names. */
export const fileRemoteReport = async (app: App, remote: RemoteReport): Promise<void> => {
  const { accountId, domain, uri, comment, objects } = remote;
  const [named, posts, collections] = await Promise.all([
    selectLocalTargets(app.sql, objects),
    selectReportable(app.sql, objects, domain),
    collectionsAt(app, objects),
  ]);
  const shown = [...collections.values()];
  const targets = new Set([
    ...named.map(({ id }) => id),
    ...[...posts, ...shown].map((post) => post.account_id),
  ]);
  await Promise.all(
    (await withinLimit(app, domain, targets)).map((targetId, index) => {
      const report: NewReport = {
        account_id: accountId,
        target_account_id: targetId,
        status_ids: posts.filter((post) => post.account_id === targetId).map(({ id }) => id),
        collection_ids: shown.filter((view) => view.account_id === targetId).map(({ id }) => id),
        rule_ids: null,
        comment: Array.from(comment.slice(0, 2 * MAX_COMMENT))
          .slice(0, MAX_COMMENT)
          .join(""),
        category: "other",
        forwarded: false,
        uri: index === 0 ? uri : `${uri}#${targetId}`,
      };
      return store(app, report, []);
    }),
  );
};

/** Returns the inboxes at these domains, of accounts involved in the report. */
export const inboxesOf = async (
  app: App,
  target: AccountView,
  statuses: StatusView[],
  domains: string[],
): Promise<string[]> => {
  const rows = await selectInboxes(app.sql, involved(target, statuses));
  return rows.filter(({ domain }) => domains.includes(domain)).map(({ inbox }) => inbox);
};
