// Verifies the links of a profile: the page that a field names links back with rel="me". Remote profiles are verified
// too, because what their servers say of it is not trusted. https://docs.joinmastodon.org/user/profile/#verification

import type { App } from "../../../platform/app.ts";
import { Unavailable } from "../../../platform/errors.ts";
import { takeFetch } from "../../../platform/fetch/budget.ts";
import type { Cause } from "../../../platform/fetch/budget.ts";
import type { JobRun } from "../../../platform/jobs/index.ts";
import { relMeLinks } from "../../../platform/text/rel-me.ts";
import type { AccountChanged } from "./events.ts";
import { planNextCheck, provableLink } from "./link-checks.ts";
import { lockFields, selectFields, updateProofs } from "./queries.ts";
import type { AccountField } from "./tables.ts";

/** Pages fetched for one profile; remote ones may have fifty fields. */
const MAX_PAGES = 8;
const MAX_BYTES = 1024 * 1024;
const TIMEOUT_MS = 10_000;

/** Whether the page links to the profile; null where it could not be fetched. */
type Proof = boolean | null;

/** Compares without case, as people write hosts and names; ignores a slash at the end. */
const sameAddress = (url: string, other: string): boolean => {
  const plain = (url: string) => (URL.parse(url)?.href ?? url).replace(/\/$/, "").toLowerCase();
  return plain(url) === plain(other);
};

const isHtml = (type: string | undefined): boolean =>
  /^(?:text\/html|application\/xhtml\+xml)\b/i.test(type ?? "");

type Profile = { addresses: string[]; cause: Cause };

const ask = async (app: App, link: string, { addresses, cause }: Profile): Promise<Proof> => {
  const spend = (url: string): void => {
    if (!takeFetch(app, cause, url)) throw new Error("its host was asked for too much lately");
  };
  const onRedirect = (from: URL, to: URL): void => {
    if (to.host !== from.host) spend(to.href);
  };
  try {
    spend(link);
    const { status, headers, url, body } = await app.fetch.request(link, {
      headers: { accept: "text/html, application/xhtml+xml;q=0.9" },
      maxBytes: MAX_BYTES,
      timeoutMs: TIMEOUT_MS,
      onRedirect,
    });
    if (status >= 500 || status === 429) return null;
    if (status >= 400 || !isHtml(headers["content-type"])) return false;
    const links = relMeLinks(body.toString("utf8"), url);
    return links.some((link) => addresses.some((address) => sameAddress(link, address)));
  } catch (error) {
    app.log.debug({ err: error, link }, "the page of a profile link did not answer");
    return null;
  }
};

const proofsOf = async (app: App, fields: AccountField[], profile: Profile) => {
  const links = new Set(fields.flatMap((field) => provableLink(field) ?? []));
  const checked = [...links].slice(0, MAX_PAGES);
  const proofs = await Promise.all(checked.map((link) => ask(app, link, profile)));
  return new Map(checked.map((link, index) => [link, proofs[index] ?? null]));
};

/** Keeps the time of a verification while it holds, also while the page does not answer. */
const withProofs = (fields: AccountField[], proofs: Map<string, Proof>, at: Date) =>
  fields.map((field) => {
    const link = provableLink(field);
    const proof = link === null ? false : (proofs.get(link) ?? null);
    if (proof === null) return field;
    return { ...field, verified_at: proof ? (field.verified_at ?? at.toISOString()) : null };
  });

/**
 * Handles the job `account.links`. Fields that changed since have a job of their own; a page that did not answer is
 * fetched again by a retry.
 */
export const verifyLinks = async (app: App, { id }: AccountChanged, job: JobRun): Promise<void> => {
  const row = await selectFields(app.sql, id);
  if (!row || row.suspended_at !== null || !row.fields.some(provableLink)) return;
  const cause = row.domain === null ? "person" : "link";
  const proofs = await proofsOf(app, row.fields, { addresses: [row.url, row.uri], cause });
  const at = app.clock.now();
  await app.sql.begin(async (tx) => {
    const fields = withProofs(await lockFields(tx, id), proofs, at);
    await updateProofs(tx, id, fields, at);
  });
  const isOver = job.attempts >= job.maxAttempts || ![...proofs.values()].includes(null);
  if (!isOver) throw new Unavailable("The page of a profile link did not answer");
  if (row.domain === null) await planNextCheck(app, id);
};
