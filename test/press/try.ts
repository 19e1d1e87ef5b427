// Controls a browser by hand: `node test/press/try.ts firefox phone http://127.0.0.1:3000`, then a line for each
// action: `open /home`, `press 640 300`, `key Escape`, `eval document.title`, `list`, `picture /tmp/seen.png`.

import { createInterface } from "node:readline";
import { launchBrowser } from "./browsers.ts";
import { SIZES } from "./crawl.ts";
import type { SizeName } from "./crawl.ts";
import { HAND } from "./judge.ts";
import type { BrowserName } from "./port.ts";

const [name = "chromium", size = "desk", origin = "http://127.0.0.1:3000"] = process.argv.slice(2);
const shape = SIZES[size as SizeName];
const browser = await launchBrowser(name as BrowserName, shape.touch);
const window = await browser.window({ ...shape, origin, cookies: new Map() });

const ACTS: Record<string, (...parts: string[]) => unknown> = {
  open: (path) => window.open(path!),
  press: (x, y) => window.press(Number(x), Number(y)),
  key: (key) => window.key(key!),
  eval: (...parts) => window.evaluate(parts.join(" ")),
  list: async () => {
    await window.evaluate(HAND);
    return window.evaluate("hand.list().map((key) => [key, hand.aim(key)])");
  },
  picture: (path) => window.picture(path!),
};

for await (const line of createInterface({ input: process.stdin })) {
  const [act = "", ...parts] = line.trim().split(/\s+/);
  try {
    if (!ACTS[act]) throw new Error(`one of ${Object.keys(ACTS).join(", ")}`);
    console.log((await ACTS[act](...parts)) ?? "done", ...window.takeFaults());
  } catch (error) {
    console.log(String(error));
  }
}
await window.close();
await browser.close();
