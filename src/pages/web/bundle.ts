// Loads the built web client (web/): what the server draws pages with, and the files that browsers load.

import { existsSync, readFileSync } from "node:fs";
import type {
  Fault,
  KeptPosts,
  Refused,
  Rendered,
  ServersPage,
} from "../../../web/src/served/pages.ts";
import type { Look } from "../../platform/http/look.ts";
import type { InnerAnswer } from "../../platform/http/inside.ts";
import { ConfigError } from "../../platform/errors.ts";
import type { Texts } from "../../platform/text/texts.ts";

export const DIST = new URL("../../../web/dist/", import.meta.url);

export type Params = Record<
  string,
  string | number | boolean | readonly string[] | null | undefined
>;
export type Answer<T = unknown> = { status: number; body: T; next: Record<string, string> | null };

export type PageRequest = {
  url: string;
  origin: string;
  isMember: boolean;
  formToken: string;
  others: readonly string[];
  linked: readonly string[];
  isAuthor: boolean;
  texts: Texts;
  look: Look;
  get: (path: string, params?: Params) => Promise<Answer>;
  kept?: KeptPosts;
  fault?: Fault;
  refused?: Refused & { text: string };
  said?: string;
};

/** A form of a post that was refused, as it was sent. */
export type Again = {
  action: string;
  fields: Partial<Record<string, string>>;
  files: { first: number; total: number } | null;
};

export type BareRequest = Pick<PageRequest, "url" | "origin" | "texts" | "look"> & {
  siteTitle: string;
  domain: string;
  fault: Fault;
  again?: Again;
};

/** The exports of web/src/server.tsx. */
export type Bundle = {
  /** Paths of every page of the client, as patterns. */
  pagePaths: readonly string[];
  renderFramed(request: PageRequest, page: ServersPage): Promise<string>;
  /** Draws a page; throws what `answerIn` throws. */
  renderPage(request: PageRequest): Promise<Rendered>;
  /** Draws `/@acct/id/embed`; throws what `answerIn` throws. */
  renderEmbed(request: PageRequest): Promise<string>;
  renderBare(request: BareRequest): Promise<string>;
  withParams(path: string, params?: Params): string;
  /** Reads an answer; throws an error with its `status` for anything but a success. */
  answerIn(answer: Pick<InnerAnswer, "status" | "body" | "link">, kept: KeptPosts): Answer;
};

/** What the client is built of; an installed package has no sources. */
const SOURCES = new URL("../../../web/sources.ts", import.meta.url);

/** Returns the address of a built file; throws ConfigError where the client has not been built. */
export const built = (name: string): URL => {
  const file = new URL(name, DIST);
  if (existsSync(file)) return file;
  throw new ConfigError(
    existsSync(SOURCES)
      ? "The web client has not been built: run `npm ci --omit=dev` in the folder of Rookery, or who develops it `npm run build`."
      : "The web client is missing from this installation: install Rookery again.",
  );
};

/**
 * Throws ConfigError where there is no client, or one of other sources, as after an update without `npm ci`: its pages
 * and the server would not fit together.
 */
export const checkBuilt = async (): Promise<void> => {
  built("server.js");
  if (!existsSync(SOURCES)) return;
  const { isOutdated } = (await import(SOURCES.href)) as { isOutdated: () => boolean };
  if (!isOutdated()) return;
  throw new ConfigError(
    "The web client was built from other sources than these: run `npm ci --omit=dev` in the folder of Rookery, or who develops it `npm run build`.",
  );
};

let loaded: Promise<Bundle> | null = null;

export const loadBundle = (): Promise<Bundle> =>
  (loaded ??= import(built("server.js").href) as Promise<Bundle>);

/** Returns the paths of the client's pages as routes have them. Loading the bundle for them would delay the start. */
export const clientPaths = (): string[] =>
  (JSON.parse(readFileSync(built("paths.json"), "utf8")) as Bundle["pagePaths"]).map((path) =>
    path.replaceAll(/\(.*?\)/g, ""),
  );
