// Lists the installed browsers, behind their port.

import { withoutChromium } from "../browser/open.ts";
import { hasProgram, launch } from "./puppeteer.ts";
import type { Browser, BrowserName } from "./port.ts";
import { hasWebKit, launchWebKit } from "./webkit.ts";

export const isHere = (name: BrowserName): boolean =>
  name === "webkit" ? hasWebKit() : hasProgram(name);

export const launchBrowser = (name: BrowserName, touch: boolean): Promise<Browser> =>
  name === "webkit" ? launchWebKit() : launch(name, touch);

/** For the `skip` of tests. With NEED_CHROMIUM and NEED_FIREFOX they fail instead. */
export const skipOf = (name: BrowserName): string | false => {
  if (name === "chromium") return withoutChromium;
  return !isHere(name) && process.env["NEED_FIREFOX"] === undefined
    ? "there is no Firefox (apt-get install firefox-esr)"
    : false;
};
