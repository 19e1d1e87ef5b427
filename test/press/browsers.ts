// Lists the installed browsers, behind their port.

import { hasProgram, launch } from "./puppeteer.ts";
import type { Browser, BrowserName } from "./port.ts";
import { hasWebKit, launchWebKit } from "./webkit.ts";

export const isHere = (name: BrowserName): boolean =>
  name === "webkit" ? hasWebKit() : hasProgram(name);

export const launchBrowser = (name: BrowserName, touch: boolean): Promise<Browser> =>
  name === "webkit" ? launchWebKit() : launch(name, touch);
