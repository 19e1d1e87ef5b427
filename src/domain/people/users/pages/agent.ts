// Describes a User-Agent header in few words, so that people recognise their browsers.

import type { Say } from "../../../../platform/text/texts.ts";

// Each browser also names those that it imitates, so the most specific ones come first.
const BROWSERS: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bOPR\/|\bOpera\b/, "Opera"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/Chrome\/|\bCriOS\/|\bChromium\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

const SYSTEMS: [RegExp, string][] = [
  [/\bAndroid\b/, "Android"],
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b|\bX11\b/, "Linux"],
];

const nameIn = (table: [RegExp, string][], text: string): string | null =>
  table.find(([pattern]) => pattern.test(text))?.[1] ?? null;

/** Returns "Firefox on Linux", where it is known; otherwise the header's first word. */
export const agentName = (t: Say, header: string | null): string => {
  const browser =
    nameIn(BROWSERS, header ?? "") ??
    /^[\w.-]{1,40}/.exec(header ?? "")?.[0] ??
    t("access.unknown_browser");
  const system = nameIn(SYSTEMS, header ?? "");
  return system ? t("access.browser_on", { browser, system }) : browser;
};
