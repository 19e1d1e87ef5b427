// Checks redirect URIs: apps have unusual ones, which are stored and compared exactly as they were registered.

/** Out of band: the code is shown, and the person copies it into the app. */
const OUT_OF_BAND = new Set(["urn:ietf:wg:oauth:2.0:oob", "urn:ietf:wg:oauth:2.0:oob:auto"]);

export const isOutOfBand = (uri: string): boolean => OUT_OF_BAND.has(uri);

/** Schemes that a browser executes, or shows in place of the page that led there. */
const DANGEROUS = /^(?:javascript|data|vbscript|blob|file|filesystem|about|view-source):/i;

// oxlint-disable-next-line no-control-regex
const ABSOLUTE = /^[a-z][a-z0-9+.-]*:[^\0-\x20\x7f]+$/i;

const hasHost = (uri: string): boolean => {
  if (!/^https?:/i.test(uri)) return true;
  return /^https?:\/\/[^/\\?#]/i.test(uri) && URL.canParse(uri);
};

/** Accepts any absolute URI without a fragment (RFC 6749, 3.1.2), but none that runs a script. */
export const isAllowedRedirect = (uri: string): boolean =>
  ABSOLUTE.test(uri) && !DANGEROUS.test(uri) && !uri.includes("#") && hasHost(uri);

/** Splits a list, or a text with white space, into URIs, each once. */
export const splitRedirects = (uris: string[]): string[] => [
  ...new Set(uris.flatMap((text) => text.split(/\s+/)).filter(Boolean)),
];

/** Adds parameters to the URI; the registered part stays unchanged. */
export const withParameters = (uri: string, parameters: Record<string, string | null>): string => {
  const pairs = Object.entries(parameters).filter(
    (pair): pair is [string, string] => pair[1] !== null,
  );
  const query = new URLSearchParams(pairs).toString();
  const joint = !uri.includes("?") ? "?" : /[?&]$/.test(uri) ? "" : "&";
  // A header may contain ASCII only.
  const location = uri.replaceAll(/[^\x21-\x7e]+/gu, (text) => encodeURIComponent(text));
  return `${location}${joint}${query}`;
};
