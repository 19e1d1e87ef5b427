// The dark theme is dark where a browser draws by itself, too: Chromium and Firefox draw scroll bars in their own ways.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import sharp from "sharp";
import { openBrowser } from "../browser.ts";
import { startTestApp } from "../harness.ts";
import type { TestApp } from "../harness.ts";
import { launchBrowser, skipOf } from "../press/browsers.ts";
import type { BrowserName } from "../press/port.ts";
import { DESK } from "./open.ts";

/** Of 255: lighter than any surface of the theme. */
const LIGHT = 200;

/** Columns of pixels that are light from top to bottom. */
const lightColumns = async (file: string): Promise<number[]> => {
  const { data, info } = await sharp(file).greyscale().raw().toBuffer({ resolveWithObject: true });
  const isLight = (x: number): boolean => {
    for (let y = 0; y < info.height; y += 1)
      if (data[(y * info.width + x) * info.channels]! < LIGHT) return false;
    return true;
  };
  return Array.from({ length: info.width }, (_, x) => x).filter(isLight);
};

describe("dark", () => {
  let server: TestApp;
  let cookies: Map<string, string>;
  const folder = mkdtempSync(join(tmpdir(), "rookery-dark-"));
  before(async () => {
    server = await startTestApp();
    await server.person("alice");
    const session = openBrowser(server);
    await session.signIn("alice");
    cookies = session.cookies;
    cookies.set("rookery_look", "theme-dark");
  });
  after(async () => {
    await server?.close();
    rmSync(folder, { recursive: true });
  });

  for (const name of ["chromium", "firefox"] satisfies BrowserName[])
    test(`settings, whose menu scrolls: ${name}`, { skip: skipOf(name) }, async (t) => {
      const browser = await launchBrowser(name, false);
      t.after(() => browser.close());
      const window = await browser.window({ ...DESK, touch: false, cookies, origin: server.url });
      await window.open("/settings/preferences");
      const scrolls =
        "[...document.querySelectorAll('.aside')].some((each) => each.scrollHeight > each.clientHeight)";
      assert.equal(await window.evaluate(scrolls), true);
      const file = join(folder, `${name}.png`);
      await window.picture(file);
      assert.deepEqual(await lightColumns(file), []);
    });
});
