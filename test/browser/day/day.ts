// A day with the web client: its people, the data that they act on, and helpers of its steps.

import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import type { Person, TestApp } from "../../harness.ts";
import { eventually } from "../../journeys/eventually.ts";
import { TEXT } from "../open.ts";
import { open as openPage } from "../until.ts";
import { upload } from "../village.ts";
import type { Hand } from "./hands.ts";

export type Day = {
  server: TestApp;
  page: Page;
  hand: Hand;
  me: Person;
  /** Person whom I follow, and the ids of posts by name. */
  bob: Person;
  carol: Person;
  ids: Record<string, string>;
};

/** What is done, and a check from outside that it has happened. */
export type Step = readonly [name: string, run: (day: Day) => Promise<unknown>];

/** Returns what the API answers to me. */
export const answerOf = (day: Day, path: string): Promise<any> =>
  day.me.get(`/api/v1/${path}`).ok();

export const says = (day: Day, who: "bob" | "carol", path: string, json?: object): Promise<any> =>
  day[who].post(`/api/v1/${path}`, json).ok();

/** Waits until the API answers as expected. */
export const holds = (day: Day, path: string, check: (answer: any) => unknown): Promise<unknown> =>
  eventually(path, async () => check(await answerOf(day, path)));

export const statusIs = (day: Day, name: string, fields: object): Promise<unknown> =>
  holds(day, `statuses/${day.ids[name]}`, (status) =>
    Object.entries(fields).every(([field, value]) => status[field] === value),
  );

export const relationIs = (day: Day, fields: object): Promise<unknown> =>
  holds(day, `accounts/relationships?id[]=${day.carol.accountId}`, ([relation]) =>
    Object.entries(fields).every(([field, value]) => relation[field] === value),
  );

/** Returns my newest post, once it differs from the one before. */
export const posted = async (day: Day): Promise<any> => {
  const path = `accounts/${day.me.accountId}/statuses?exclude_reblogs=true&limit=1`;
  const status = await eventually("a new post", async () => {
    const [newest] = await answerOf(day, path);
    return newest && newest.id !== day.ids["newest"] ? newest : undefined;
  });
  day.ids["newest"] = status.id;
  return status;
};

export const button = (day: Day | Locator, name: string | RegExp): Locator =>
  ("page" in day && "me" in day ? day.page : (day as Locator)).getByRole("button", { name });

export const sheet = ({ page }: Day): Locator => page.locator("dialog[open]");

/** Submits a form of the page, which leads to a new document. */
export const submit = async ({ page, hand }: Day, target: Locator): Promise<void> => {
  await Promise.all([page.waitForEvent("load"), hand.press(target)]);
};

export const gone = (target: Locator): Promise<void> => target.waitFor({ state: "detached" });

export const open = ({ page }: Day, path: string): Promise<void> => openPage(page, path);

export const openPost = (day: Day, name: string, by = "bob"): Promise<void> =>
  open(day, `/@${by}/${day.ids[name]}`);

export const act = ({ page }: Day, name: string): Locator =>
  page.locator(`.post-main .act-${name}`);

/** Chooses an item in the menu of the page's post, or of the profile. */
export const fromMenu = async (day: Day, of: "post" | "person", name: RegExp): Promise<void> => {
  const { page, hand } = day;
  await hand.press(of === "post" ? act(day, "more") : page.locator(".menu-button"));
  await page.getByRole("menu").waitFor();
  await hand.pick(name);
};

/** Opens a composer above the page: of phones, above home if this page has no pencil. */
export const begin = async (day: Day): Promise<void> => {
  const pencil = day.page.locator("a[data-act=compose]");
  if (!(await pencil.isVisible())) await open(day, "/home");
  await day.hand.press(pencil);
};

/** Opens a composer above the page and writes a text. */
export const compose = async (day: Day, text: string): Promise<Locator> => {
  await begin(day);
  await day.hand.write(sheet(day).locator(TEXT), text);
  return sheet(day);
};

export const send = async (day: Day): Promise<any> => {
  await day.hand.press(sheet(day).locator(".composer-end .button"));
  await gone(sheet(day));
  return posted(day);
};

const POSTS: Record<string, object> = {
  thread: { status: "Who walks with me along the #river?" },
  poll: { status: "Which way?", poll: { options: ["Up", "Down"], expires_in: 86_400 } },
  warned: { status: "It was the heron", spoiler_text: "The end of the book" },
  quotable: { status: "A sentence worth quoting" },
};

/** Makes what others did before the day begins. */
export const prepare = async (input: Omit<Day, "ids">): Promise<Day> => {
  const day: Day = { ...input, ids: {} };
  const { server, me, bob, ids } = day;
  await me.post(`/api/v1/accounts/${bob.accountId}/follow`).ok();
  for (const [name, json] of Object.entries(POSTS))
    ids[name] = (await says(day, "bob", "statuses", json)).id;
  const media_ids = [await upload(bob, "The river in May"), await upload(bob, "The river in June")];
  ids["media"] = (await says(day, "bob", "statuses", { status: "Two views", media_ids })).id;
  const answer = { status: "I do", in_reply_to_id: ids["thread"] };
  ids["answer"] = (await says(day, "carol", "statuses", answer)).id;
  const quiet = `@${me.username} shall we meet?`;
  ids["private"] = (await says(day, "bob", "statuses", { status: quiet, visibility: "direct" })).id;
  ids["newest"] = "";
  await server.runJobs();
  return day;
};

export const isShown = (day: Day, text: string | RegExp): Promise<void> =>
  day.page.locator("main").getByText(text).first().waitFor();

export { assert };
