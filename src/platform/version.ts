// What this is, and the release of Mastodon whose API it speaks.

import manifest from "../../package.json" with { type: "json" };

export const VERSION: string = manifest.version;

/** Clients read X.Y.Z of the version; the rest says who answers (CLIENTS: "compatible"). */
export const API_VERSION = "4.3.23";
export const VERSION_TEXT = `${API_VERSION} (compatible; Rookery ${VERSION})`;

/**
 * `api_versions.mastodon`: clients switch features on by it, so it is the highest level of which
 * everything is answered. 2 (Mastodon 4.3) is grouped notifications, which are not there yet; 4
 * (4.4) needs media; 7 (4.5, quotes) and 10 (4.6, annual reports) are there, but a level also promises
 * those below it.
 * https://docs.joinmastodon.org/entities/Instance/#api-versions
 */
export const API_LEVEL = 1;

/** Where the source is to be had; null while the package names no place. */
export const SOURCE_URL: string | null = (manifest as { homepage?: string }).homepage ?? null;
