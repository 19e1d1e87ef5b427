// The version of Rookery, and of the Mastodon API that it implements.

import manifest from "../../package.json" with { type: "json" };

export const VERSION: string = manifest.version;

/** Whether a version comes after another one; `0.2.0-dev.1` is before `0.2.0`. https://semver.org/#spec-item-11 */
export const isNewer = (version: string, than: string): boolean => {
  const [ours, theirs] = [version, than].map((text) => text.split(/[.+-]/, 3).map(Number));
  const at = ours!.findIndex((number, n) => number !== theirs![n]);
  return at < 0 ? than.includes("-") && !version.includes("-") : ours![at]! > theirs![at]!;
};

/**
 * Clients parse X.Y.Z of the version, several of them as semver, which throws on text after a space. So our own version
 * is build metadata (https://semver.org/#spec-item-10), with only a `+` before it.
 */
const API_VERSION = "4.6.0";
export const VERSION_TEXT = `${API_VERSION}+rookery.${VERSION.replaceAll("+", ".")}`;

/**
 * `api_versions.mastodon`: clients enable features by it, so it is the highest level that is implemented completely,
 * with all below it: 4 (Mastodon 4.4) deletes media, alone and with a post, 5 blurs by filters, 7 (4.5) is quotes, 8 to
 * 10 (4.6) are profiles, annual reports, descriptions of avatars, collections and fallbacks of notifications, 11 is
 * media beside a poll.
 * https://docs.joinmastodon.org/entities/Instance/#api-versions
 */
export const API_LEVEL = 11;

/** Where the source code is published; null while package.json has no homepage. */
export const SOURCE_URL: string | null = (manifest as { homepage?: string }).homepage ?? null;
