// Loads the built web client (web/): what the server draws pages with, and the files that browsers load.

import { existsSync, readFileSync } from "node:fs";
import type { Bundle } from "../../../web/src/served/pages.ts";
import { ConfigError } from "../../platform/errors.ts";

export const DIST = new URL("../../../web/dist/", import.meta.url);

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
