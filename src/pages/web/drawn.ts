// Caches pages drawn for visitors: while the API responds the same, a page is not drawn again. The API is asked again
// as soon as anything was invalidated, so that nothing deleted is shown, and each second anyway; relative times may be
// as old as proxies keep them.

import { hash } from "node:crypto";
import type { PageRequest, Rendered } from "../../../web/src/served/pages.ts";
import type { App } from "../../platform/app.ts";
import { boundedCache } from "../../platform/caches/bounded.ts";
import { invalidationCount } from "../../platform/db/commits.ts";
import type { InnerAnswer } from "../../platform/http/inside.ts";
import type { Ask } from "./document.ts";
import { encoded, inEncodings } from "./encoding.ts";
import type { InEncodings } from "./encoding.ts";
import { digestOf } from "./kept-posts.ts";

type Document = Extract<Rendered, { kind: "document" }>;

type DrawnDocument = Omit<Document, "parts"> & { data: InEncodings };
type Redirect = Extract<Rendered, { kind: "redirect" }>;
export type Drawn = DrawnDocument | Redirect;

const inBytes = (
  { parts, ...document }: Document,
  onBytes?: (bytes: number) => void,
): DrawnDocument => ({ ...document, data: inEncodings(encoded(parts, "identity"), onBytes) });

export const sendable = (rendered: Rendered): Drawn =>
  rendered.kind === "redirect"
    ? rendered
    : { ...rendered, data: (encoding) => encoded(rendered.parts, encoding) };

type Kept = {
  drawn: DrawnDocument;
  /** Addresses that the API was asked for, with a hash of each response. */
  answers: Map<string, string>;
  until: number;
  /** When the responses were last the same, and the number of invalidations by then. */
  checked: Checked;
};
type Checked = { at: number; invalidations: number };

/**
 * Milliseconds that a page is kept, as `max-age` of public pages (document.ts): "2 minutes ago" is wrong for no longer.
 */
const KEPT_MS = 15_000;
/** Addresses whose responses only change with an invalidation, except for counts: not the rules, the terms … */
const INVALIDATED = /^\/api\/(?:v2\/instance$|v1\/(?:accounts\/|timelines\/|statuses[/?]))/;
/** Milliseconds after which all other responses are checked. */
const CHECKED_MS = 1000;
const ANSWER_BYTES = 200;

const sizeOf = ({ drawn, answers }: Kept): number => {
  const urls = [...answers.keys()].reduce((sum, url) => sum + 2 * url.length, 0);
  return drawn.data("identity").length + urls + ANSWER_BYTES * answers.size;
};

const drawnPages = boundedCache<Kept>("drawn pages", sizeOf);

const hashOf = ({ status, body, link }: InnerAnswer): string => {
  const says = typeof body === "string" ? body : body.map(digestOf).join("");
  return hash("sha256", `${status} ${link ?? ""} ${says}`, "base64");
};

export type Asking = {
  ask: Ask;
  /** Returns the hash of each response so far, by address. */
  hashes(): Promise<Map<string, string>>;
};

/** Asks for each address once, and records the responses. */
export const askingOnce = (ask: Ask): Asking => {
  const answers = new Map<string, Promise<InnerAnswer>>();
  return {
    ask(url) {
      const answer = answers.get(url) ?? ask(url);
      answers.set(url, answer);
      return answer;
    },
    async hashes() {
      const pairs = [...answers].map(async ([url, answer]) => [url, hashOf(await answer)] as const);
      return new Map(await Promise.all(pairs));
    },
  };
};

const checkedNow = (app: App): Checked => ({
  at: performance.now(),
  invalidations: invalidationCount(app.sql),
});

const isSame = async (app: App, kept: Kept, { ask }: Asking): Promise<boolean> => {
  const { answers, checked } = kept;
  const now = checkedNow(app);
  const isRecent = now.invalidations === checked.invalidations && now.at - checked.at < CHECKED_MS;
  if (isRecent && [...answers.keys()].every((url) => INVALIDATED.test(url))) return true;
  const same = await Promise.all(
    [...answers].map(async ([url, before]) => hashOf(await ask(url)) === before),
  );
  if (!same.every(Boolean)) return false;
  kept.checked = now;
  return true;
};

/** Returns the page for visitors with these responses, drawn again where a response has changed. */
export const drawOnce = async (
  app: App,
  { get: _get, kept: _kept, ...page }: PageRequest,
  asking: Asking,
  draw: () => Promise<Rendered>,
): Promise<Drawn> => {
  const { enabled } = app.config.caches;
  const cache = drawnPages(app);
  const key = JSON.stringify(page);
  const now = app.clock.now().getTime();
  const known = enabled ? cache.get(key) : undefined;
  if (known && now < known.until && (await isSame(app, known, asking))) return known.drawn;
  const checked = checkedNow(app);
  const rendered = await draw();
  if (rendered.kind === "redirect") return rendered;
  const drawn = inBytes(rendered, (bytes) => cache.grow(key, bytes));
  if (enabled && drawn.status === 200) {
    const answers = await asking.hashes();
    cache.set(key, { drawn, answers, until: now + KEPT_MS, checked });
  }
  return drawn;
};
