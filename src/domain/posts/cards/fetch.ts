// Handles the job `card.wanted`: fetches the page of a link, and stores what it says about itself as the card of the
// link.

import { isDeepStrictEqual } from "node:util";
import type { App } from "../../../platform/app.ts";
import { isOwnDomain } from "../../../platform/config/names.ts";
import { takeFetch } from "../../../platform/fetch/budget.ts";
import { hostIn } from "../../../platform/json/read.ts";
import type { JobRun } from "../../../platform/jobs/index.ts";
import { decodeHtml } from "../../../platform/text/charset.ts";
import { findHandle } from "../../people/accounts/find.ts";
import { ask } from "./ask.ts";
import type { CardRef } from "./events.ts";
import { PAGE_LIMITS } from "./limits.ts";
import { makeCard } from "./make.ts";
import type { MadeCard } from "./make.ts";
import { readOEmbed } from "./oembed.ts";
import type { OEmbed } from "./oembed.ts";
import { storeCardPicture } from "./picture.ts";
import { selectCard, updateAskAgain, updateCard } from "./queries.ts";
import type { StoredCard } from "./queries.ts";
import { readPage } from "./read-page.ts";
import type { CardData } from "./tables.ts";

const DAY_MS = 24 * 3_600_000;
/** Milliseconds after which a card is made anew, if a new post has the link. */
const AGAIN_MS = 14 * DAY_MS;
/** Milliseconds after which a page without a card, or that did not answer, is fetched again. */
const NOTHING_AGAIN_MS = DAY_MS;

const HTML_TYPES = /^(?:text\/html|application\/xhtml\+xml)\b/i;
const JSON_TYPES = /^(?:application|text)\/(?:[\w.-]+\+)?json\b/i;

/** Returns whether an address is on this server. */
const isOurs = (app: App, url: string): boolean => {
  const host = hostIn(url);
  return host !== null && isOwnDomain(app.config.site, host);
};

/** Returns null after any fault: without oEmbed the page is a link like any other. */
const fetchOEmbed = async (app: App, url: string): Promise<OEmbed | null> => {
  try {
    const answer = await ask(app, url, {
      headers: { accept: "application/json" },
      maxBytes: PAGE_LIMITS.oEmbedBytes,
    });
    if (!answer || !JSON_TYPES.test(answer.headers["content-type"] ?? "")) return null;
    return readOEmbed(answer.body.toString("utf8"), (src) => isOurs(app, src));
  } catch (error) {
    app.log.debug({ err: error }, "the oEmbed document of a page did not answer");
    return null;
  }
};

/** Returns null where the page has no card; throws Unavailable where a retry may help. */
const fetchCard = async (app: App, url: string): Promise<MadeCard | null> => {
  const answer = await ask(app, url, {
    headers: { accept: "text/html, application/xhtml+xml;q=0.9" },
    maxBytes: PAGE_LIMITS.bytes,
    cut: true,
  });
  const type = answer?.headers["content-type"] ?? "";
  if (!answer || !HTML_TYPES.test(type)) return null;
  const page = readPage(decodeHtml(answer.body, type));
  const oEmbedUrl = page.oEmbed && URL.parse(page.oEmbed, answer.url)?.href;
  const oEmbed = oEmbedUrl ? await fetchOEmbed(app, oEmbedUrl) : null;
  return makeCard(page, oEmbed, answer.url);
};

/** Returns the account that the page names as its author; unknown remote accounts are looked up. */
const findCreator = async (app: App, handle: string | null): Promise<string | null> => {
  if (handle === null) return null;
  const mayFetch = takeFetch(app, "card", `https://${handle.split("@")[1]}/`);
  return findHandle(app, handle, mayFetch);
};

type Picture = Pick<StoredCard, "image_key"> & Pick<CardData, "blurhash" | "width" | "height">;

/** Adds the picture, that of an earlier fetch if its address is the same. A player keeps its own size. */
const withPicture = async (
  app: App,
  before: StoredCard,
  card: CardData,
): Promise<Pick<StoredCard, "card" | "image_key">> => {
  const isKept = before.image_key !== null && before.card?.image_url === card.image_url;
  const kept: Picture | null = isKept ? { ...before.card!, image_key: before.image_key } : null;
  const picture = kept ?? (card.image_url ? await storeCardPicture(app, card.image_url) : null);
  if (!picture) return { card, image_key: null };
  const { image_key, blurhash, width, height } = picture;
  const size = card.width > 0 ? {} : { width, height };
  return { card: { ...card, ...size, blurhash }, image_key };
};

const isSame = ({ url: _url, ...before }: StoredCard, after: Omit<StoredCard, "url">): boolean =>
  isDeepStrictEqual({ ...before }, after);

/** Returns false where the card was deleted meanwhile. */
const write = (
  app: App,
  hash: string,
  after: Omit<StoredCard, "url">,
  isChanged: boolean,
): Promise<boolean> => {
  const again = app.clock.now().getTime() + (after.card ? AGAIN_MS : NOTHING_AGAIN_MS);
  return app.sql.begin(async (tx) => {
    await updateAskAgain(tx, hash, new Date(again));
    if (!isChanged) return true;
    const isThere = await updateCard(tx, hash, after);
    if (isThere) await app.jobs.add(tx, "card.changed", { hash });
    return isThere;
  });
};

const store = async (app: App, hash: string, before: StoredCard, card: MadeCard | null) => {
  const creator = await findCreator(app, card?.creator ?? null);
  const shown = card ? await withPicture(app, before, card.card) : { card: null, image_key: null };
  const after = { ...shown, creator_account_id: creator };
  const newKey = after.image_key === before.image_key ? null : after.image_key;
  let isWritten = false;
  try {
    isWritten = await write(app, hash, after, !isSame(before, after));
  } finally {
    if (!isWritten && newKey !== null) await app.storage.delete([newKey]);
  }
};

/** Handles the job; a page that does not answer keeps its old card. */
export const fetchWantedCard = async (app: App, { hash }: CardRef, job: JobRun): Promise<void> => {
  const before = await selectCard(app.sql, hash);
  if (!before || !app.config.previewCards) return;
  let card: MadeCard | null;
  try {
    card = await fetchCard(app, before.url);
  } catch (error) {
    if (job.attempts < job.maxAttempts) throw error;
    const at = new Date(app.clock.now().getTime() + NOTHING_AGAIN_MS);
    return updateAskAgain(app.sql, hash, at);
  }
  await store(app, hash, before, card);
};
