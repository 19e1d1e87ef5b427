// What the composer suggests while a handle, a hashtag or an emoji is typed: whole and in view wherever the text is,
// beside its line, chosen by mouse, finger and keyboard, and told to screen readers; in Chromium and in Firefox.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openBrowser } from "../browser.ts";
import { startTestApp } from "../harness.ts";
import type { TestApp } from "../harness.ts";
import { eventually } from "../journeys/eventually.ts";
import { launchBrowser, skipOf } from "../press/browsers.ts";
import type { BrowserName, Window } from "../press/port.ts";
import { DESK, PHONE } from "./open.ts";

/** A small window, or a phone whose keyboard is open. */
const LOW = 420;
const LONG = Array.from({ length: 40 }, (_, line) => `line ${line}`).join("\n");

/** The text that is written in now. */
const FIELD = "[...document.querySelectorAll('.composer-text textarea')].at(-1)";

const middleOf = (element: string): string =>
  `(() => {
    const { left, top, width, height } = ${element}.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  })()`;

const press = async (window: Window, element: string): Promise<void> => {
  await eventually(element, () => window.evaluate(`Boolean(${element})`));
  await window.evaluate(`${element}.scrollIntoView({ block: "nearest" })`);
  const [x, y] = await window.evaluate<[number, number]>(middleOf(element));
  await window.press(x, y);
};

const type = async (window: Window, text: string): Promise<void> => {
  for (const letter of text) await window.key(letter);
};

const isOpen = (window: Window): Promise<boolean> =>
  window.evaluate("Boolean(document.querySelector('[role=listbox]'))");

const untilOpen = (window: Window, words: string): Promise<unknown> =>
  eventually(`suggestions with ${words}`, () =>
    window.evaluate(
      `document.querySelector('[role=listbox]')?.textContent.includes(${JSON.stringify(words)})`,
    ),
  );

const untilClosed = (window: Window): Promise<unknown> =>
  eventually("no suggestions", async () => !(await isOpen(window)));

const textOf = (window: Window): Promise<string> => window.evaluate(`${FIELD}.value`);

/** What of the list cannot be seen or pressed, in words. */
const HIDDEN = `(() => {
  const list = document.querySelector("[role=listbox]");
  const box = list.getBoundingClientRect();
  const faults = [];
  if (box.top < 0 || box.left < 0 || box.bottom > innerHeight + 1 || box.right > innerWidth + 1)
    faults.push("outside: " + JSON.stringify(box));
  const rows = list.querySelectorAll("[role=option]");
  if (rows.length > 2 && box.height < 3 * rows[0].offsetHeight) faults.push("too low: " + box.height);
  for (const row of rows) {
    row.scrollIntoView({ block: "nearest" });
    const { left, top, width, height } = row.getBoundingClientRect();
    if (!row.contains(document.elementFromPoint(left + width / 2, top + height / 2)))
      faults.push("covered: " + row.textContent);
  }
  list.scrollTop = 0;
  return faults.join("\\n");
})()`;

/** What the browser makes of the text and its list for a screen reader. */
const HEARD = `(() => {
  const field = ${FIELD};
  const list = document.getElementById(field.getAttribute("aria-controls"));
  const option = document.getElementById(field.getAttribute("aria-activedescendant"));
  return {
    role: field.getAttribute("role"),
    expanded: field.getAttribute("aria-expanded"),
    list: list?.getAttribute("role"),
    name: list?.getAttribute("aria-label"),
    options: [...(list?.children ?? [])].map((each) => each.getAttribute("role")),
    selected: option?.getAttribute("aria-selected"),
    said: document.querySelector(".composer-text [role=status]")?.textContent,
  };
})()`;

const open = async (window: Window, path: string): Promise<void> => {
  await window.open(path);
  await eventually("the client", () =>
    window.evaluate("document.querySelector('#app')?.__k !== undefined"),
  );
};

const PLACES = {
  "on its own page": (window: Window) => open(window, "/compose"),
  "in the window": async (window: Window) => {
    await open(window, "/home");
    await press(
      window,
      "[...document.querySelectorAll('a[data-act=compose]')].find((each) => each.checkVisibility())",
    );
    await eventually("the window", () =>
      window.evaluate("Boolean(document.querySelector('dialog .editor'))"),
    );
  },
};

const focus = async (window: Window): Promise<void> => {
  await press(window, FIELD);
  await eventually("the editor", () =>
    window.evaluate("Boolean(document.querySelector('.editor'))"),
  );
  await window.evaluate(`${FIELD}.focus()`);
};

const option = (index: number): string => `document.querySelectorAll("[role=option]")[${index}]`;

const wordsOf = (window: Window, element: string): Promise<string> =>
  window.evaluate(`(${element}.querySelector(".handle") ?? ${element}).textContent`);

const suggest = async (window: Window, typed: string, words: string): Promise<void> => {
  await type(window, typed);
  await untilOpen(window, words);
};

const HEARD_WHILE_OPEN = {
  role: "combobox",
  expanded: "true",
  list: "listbox",
  name: "Suggestions",
  options: Array.from({ length: 6 }, () => "option"),
  selected: "true",
  said: "6 suggestions, use the arrow keys to choose",
};

/** Each at its middle; the text keeps the focus. */
const choosesByPress = async (window: Window, before: string): Promise<string> => {
  let text = before;
  for (const index of [0, 2, 5]) {
    await suggest(window, "@roo", "@rookfinn");
    assert.equal(await window.evaluate(HIDDEN), "");
    assert.deepEqual(await window.evaluate(HEARD), HEARD_WHILE_OPEN);
    await window.evaluate(`${option(index)}.scrollIntoView({ block: "nearest" })`);
    text += `${await wordsOf(window, option(index))} `;
    await press(window, option(index));
    await untilClosed(window);
    assert.equal(await textOf(window), text);
    assert.ok(await window.evaluate(`document.activeElement === ${FIELD}`));
  }
  return text;
};

/** By these keys, of which the last one takes what is selected. */
const choosesByKeys = async (window: Window, before: string, keys: string[]): Promise<string> => {
  for (const key of keys.slice(0, -1)) await window.key(key);
  const selected = "document.querySelector('[role=option][aria-selected=true]')";
  const text = `${before}${await wordsOf(window, selected)} `;
  await window.key(keys.at(-1)!);
  await untilClosed(window);
  assert.equal(await textOf(window), text);
  return text;
};

const uses = async (window: Window, isLow: boolean): Promise<void> => {
  await focus(window);
  const pasted = JSON.stringify(`${LONG}\n`);
  if (isLow) await window.evaluate(`document.execCommand("insertText", false, ${pasted})`);
  let text = await choosesByPress(window, await textOf(window));
  // Escape closes the list alone, and the next letter opens it again.
  await suggest(window, "@roo", "@rookfinn");
  await window.key("Escape");
  await untilClosed(window);
  assert.equal(await textOf(window), `${text}@roo`);
  assert.equal(await window.evaluate(`${FIELD}.getAttribute("role")`), null);
  await suggest(window, "k", "@rookfinn");
  text = await choosesByKeys(window, text, ["ArrowUp", "Enter"]);
  await suggest(window, "#rive", "#riverside");
  text = await choosesByKeys(window, text, ["ArrowDown", "Tab"]);
  await suggest(window, ":owl", "🦉");
  assert.equal(await window.evaluate(HIDDEN), "");
  await press(window, "[...document.querySelectorAll('main h1, dialog h2')].at(-1)");
  await untilClosed(window);
  assert.equal(await textOf(window), `${text}:owl`);
  assert.deepEqual(window.takeFaults(), []);
};

type Look = { where: keyof typeof PLACES; width: number; height: number; touch?: boolean };

/** Each two of place, width and height meet in one of the browsers; where a list has room differs by each two. */
const LOOKS: Record<string, Look[]> = {
  chromium: [
    { where: "on its own page", ...DESK },
    { where: "in the window", ...DESK, height: LOW },
    { where: "in the window", ...PHONE, touch: true },
    { where: "on its own page", ...PHONE, height: LOW, touch: true },
  ],
  firefox: [{ where: "in the window", ...PHONE, height: LOW }],
};

describe("suggestions", () => {
  let server: TestApp;
  let count = 0;

  /** Somebody of their own for each window: what is written in one is a draft in the others. */
  const signIn = async (): Promise<ReadonlyMap<string, string>> => {
    const name = `writer${(count += 1)}`;
    await server.person(name);
    const { cookies, ...session } = openBrowser(server);
    await session.signIn(name);
    return cookies;
  };

  before(async () => {
    // A letter may be a search, in sixteen windows.
    server = await startTestApp({ env: { RATE_LIMITS: "false" } });
    const alice = await server.person("alice");
    for (const end of ["ada", "ben", "cleo", "dan", "eve", "finn"])
      await server.person(`rook${end}`);
    for (const tag of ["river", "riverside", "rivers"])
      await alice.post("/api/v1/statuses", { status: `Along the #${tag}` }).ok();
    await server.runJobs();
  });
  after(() => server?.close());

  for (const [name, looks] of Object.entries(LOOKS) as [BrowserName, Look[]][])
    test(name, { skip: skipOf(name) }, async (t) => {
      const browser = await launchBrowser(name, false);
      t.after(() => browser.close());
      for (const { where, touch = false, ...size } of looks) {
        const title = `${where}, ${size.width} by ${size.height}, by ${touch ? "finger" : "mouse"}`;
        await t.test(title, async () => {
          const cookies = await signIn();
          const window = await browser.window({ ...size, touch, cookies, origin: server.url });
          await PLACES[where](window);
          await uses(window, size.height === LOW);
          await window.close();
        });
      }
    });
});
