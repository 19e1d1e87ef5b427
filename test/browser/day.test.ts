// A day with the web client, step by step: all of it by the keyboard alone in a narrow window, and parts of it by mouse
// at a desk and by fingers. Each step looks from outside at what it did.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createAnnouncement } from "../../src/domain/reading/announcements/announce.ts";
import { createRule } from "../../src/domain/staff/moderation/server.ts";
import { COMMAND_LINE } from "../../src/domain/base/roles/permissions.ts";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";
import { prepare } from "./day/day.ts";
import type { Step } from "./day/day.ts";
import { finger, keyboard, mouse } from "./day/hands.ts";
import { FINDING } from "./day/finding.ts";
import { PEOPLE, POSTS_OF_OTHERS } from "./day/reading.ts";
import { SETTINGS } from "./day/settings.ts";
import { WRITING } from "./day/writing.ts";
import { DESK, PHONE, startBrowser, withoutChromium } from "./open.ts";
import type { TestBrowser } from "./open.ts";

const [SIGN_IN] = POSTS_OF_OTHERS;
const WHOLE: readonly Step[] = [...POSTS_OF_OTHERS, ...PEOPLE, ...FINDING, ...WRITING, ...SETTINGS];

const DAYS = [
  {
    name: "by mouse at a desk",
    login: "mia",
    hand: mouse,
    size: DESK,
    steps: [SIGN_IN!, ...PEOPLE],
  },
  { name: "by keyboard on a phone", login: "kay", hand: keyboard, size: PHONE, steps: WHOLE },
  {
    name: "by fingers on a phone",
    login: "fay",
    hand: finger,
    size: PHONE,
    touch: true,
    steps: POSTS_OF_OTHERS,
  },
];

describe("a day", { skip: withoutChromium, concurrency: 2 }, () => {
  let server: TestApp;
  let browser: TestBrowser;
  let bob: Person;
  let carol: Person;

  before(async () => {
    server = await startTestApp();
    [bob, carol] = [await server.person("bob"), await server.person("carol")];
    for (const { token } of [bob, carol])
      await server
        .as(token)
        .patch("/api/v1/accounts/update_credentials", { discoverable: true, indexable: true });
    await createRule(server.app, COMMAND_LINE, { text: "Leave the herons alone", hint: "" });
    await createAnnouncement(server.app, COMMAND_LINE, { text: "The bridge is open again" });
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await server.close();
  });

  test("it has 80 steps or more, each with a name of its own", () => {
    assert.ok(WHOLE.length >= 80, `${WHOLE.length} steps`);
    assert.equal(new Set(WHOLE.map(([name]) => name)).size, WHOLE.length);
  });

  for (const { name, login, hand, steps, ...how } of DAYS) {
    test(name, async (t) => {
      const me = await server.person(login, { role: "Moderator" });
      const { page, allow } = await browser.visit(t, { ...how, worker: true });
      allow(/Failed to load resource/);
      const day = await prepare({ server, page, hand: hand(page), me, bob, carol });
      for (const [step, run] of steps)
        await run(day).catch((cause: unknown) => {
          throw new Error(`${name}: ${step}`, { cause });
        });
    });
  }
});
