// Finds mentions in a text as the server does (src/platform/text/extract.ts, compared in test/web/compose.test.ts).

const ASCII_HOST = /^[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_][a-z0-9_-]{0,62})*(?::\d{1,5})?$/;

/** Returns a host in lower case and ASCII, as in addresses (UTS 46), with its port; null if it is no host name. */
const asciiHost = (text: string): string | null => {
  const lower = text.toLowerCase();
  if (/^[\0-\x7f]*$/.test(lower)) return ASCII_HOST.test(lower) ? lower : null;
  const [, name = "", port = ""] = /^([^:]*)(:\d{1,5})?$/.exec(lower) ?? [];
  if (/[/?#@\\\s]/.test(name) || !URL.canParse(`http://${name}`)) return null;
  const { hostname } = new URL(`http://${name}`);
  // Digits of another script would become a number.
  return ASCII_HOST.test(hostname) && /[^\d.]/.test(hostname) ? hostname + port : null;
};

/** At signs of any width between a name and its host. */
const AT = String.raw`@\uff20\ufe6b`;
/** Invisible characters: joiners, marks of direction, variation selectors of emojis. */
const UNSEEN = String.raw`\p{Cf}\ufe0e\ufe0f`;
const HYPHENS = String.raw`\u2010\u2011\ufe63\uff0d-`;
const HOST_CHARACTER = String.raw`\p{L}\p{M}\p{N}\p{So}\p{Sk}${UNSEEN}_.\uff0e\u3002\uff61${HYPHENS}`;
/** UTF-16 units of a host; a longer run is none. */
const MAX_HOST = 300;
const MENTION = new RegExp(
  String.raw`(?<![=/\p{L}\p{M}\p{N}_${AT}])[${AT}]([A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,126}[A-Za-z0-9_])?)` +
    // A name must not be part of a word in a script that has spaces.
    String.raw`(?![A-Za-z0-9_\p{M}\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]|[.-]+[${AT}])` +
    String.raw`(?:[${UNSEEN}]{0,9}[${AT}]([${HOST_CHARACTER}]{0,${MAX_HOST}}))?`,
  "gu",
);
const PORT = /:\d{1,5}(?!\d)/y;

/** Removes the end of the sentence; the last part of a host is no emoji, which may follow it. */
const HOST_END = new RegExp(
  String.raw`(?:[.\uff0e\u3002\uff61\p{So}\p{Sk}${UNSEEN}${HYPHENS}])+$`,
  "u",
);
/** An emoji within the last part ends the host before it. */
const LAST_PART = new RegExp(
  String.raw`^(.*[.\uff0e\u3002\uff61][\p{L}\p{M}\p{N}_${HYPHENS}]+)[\p{So}\p{Sk}][^.\uff0e\u3002\uff61]*$`,
  "u",
);

/** Returns the host that a run of characters begins with; "" if there is none. */
const hostIn = (run: string): string => {
  const whole = run.replace(HOST_END, "");
  return LAST_PART.exec(whole)?.[1] ?? whole;
};

const portAt = (text: string, at: number): string => {
  PORT.lastIndex = at;
  return PORT.exec(text)?.[0] ?? "";
};

export type NamedRange = { start: number; end: number; username: string };

/** Returns the mentions, without those whose @ is followed by no host. */
export const mentionsIn = (text: string): NamedRange[] =>
  [...text.matchAll(MENTION)].flatMap(({ index: start, 0: whole, 1: username = "", 2: run }) => {
    if (run === undefined) return [{ start, end: start + whole.length, username }];
    const host = hostIn(run);
    const hostEnd = start + whole.length - run.length + host.length;
    const port = host.length === run.length ? portAt(text, hostEnd) : "";
    return asciiHost(host + port) === null ? [] : [{ start, end: hostEnd + port.length, username }];
  });
