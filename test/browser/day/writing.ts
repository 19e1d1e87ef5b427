// Writing with all that there is, and changing what was written.

import { questionOf } from "../question.ts";
import {
  begin,
  answerOf,
  assert,
  button,
  compose,
  fromMenu,
  gone,
  holds,
  isShown,
  open,
  openPost,
  send,
  sheet,
  statusIs,
} from "./day.ts";
import type { Day, Step } from "./day.ts";
import { AUDIENCE, MORE, TEXT } from "../open.ts";
import { picture } from "../../files.ts";

const tool = (day: Day, name: string) => button(sheet(day), name);

export const WRITING: readonly Step[] = [
  [
    "write a post",
    async (day) => {
      await open(day, "/home");
      await compose(day, "A plain one");
      assert.match((await send(day)).content, /A plain one/);
    },
  ],
  [
    "with a picture and its description",
    async (day) => {
      const { page, hand } = day;
      await compose(day, "With a picture");
      const [chooser] = await Promise.all([
        page.waitForEvent("filechooser"),
        hand.press(tool(day, "Add images, video or audio")),
      ]);
      const buffer = await picture("png", 300, 200);
      await chooser.setFiles({ name: "a.png", mimeType: "image/png", buffer });
      await hand.write(sheet(day).locator(".media-describe textarea"), "A heron");
      assert.equal((await send(day)).media_attachments[0].description, "A heron");
    },
  ],
  [
    "with a poll",
    async (day) => {
      await compose(day, "With a poll");
      await day.hand.press(tool(day, "Poll"));
      await day.hand.write(sheet(day).getByRole("textbox", { name: "Option 1" }), "Left");
      await day.hand.write(sheet(day).getByRole("textbox", { name: "Option 2" }), "Right");
      assert.equal((await send(day)).poll.options[1].title, "Right");
    },
  ],
  [
    "with a warning",
    async (day) => {
      await compose(day, "With a warning");
      await day.hand.press(tool(day, "Content warning"));
      await day.hand.write(sheet(day).locator(".warning-field"), "Herons");
      assert.equal((await send(day)).spoiler_text, "Herons");
    },
  ],
  [
    "for followers alone",
    async (day) => {
      await compose(day, "For few");
      await day.hand.press(sheet(day).locator(AUDIENCE));
      await day.hand.tick(sheet(day).getByRole("radio", { name: /^Followers only/ }));
      // A pointer has closed the menu by choosing; Escape would take the choice back.
      const choices = sheet(day).locator(".choice-options");
      if ((await choices.count()) > 0) await day.page.keyboard.press("Enter");
      await gone(choices);
      assert.equal((await send(day)).visibility, "private");
    },
  ],
  [
    "in another language",
    async (day) => {
      await compose(day, "Guten Morgen");
      await day.hand.press(sheet(day).locator(MORE));
      const list = sheet(day).getByLabel("Post language");
      await list.focus();
      await list.locator("option[value=de]").waitFor({ state: "attached" });
      await day.hand.choose(list, "de");
      await day.page.keyboard.press("Escape");
      await gone(sheet(day).locator(".choice-options"));
      assert.equal((await send(day)).language, "de");
    },
  ],
  [
    "for later",
    async (day) => {
      await compose(day, "For later");
      await day.hand.press(sheet(day).locator(MORE));
      await day.hand.press(tool(day, "Publish later"));
      await day.hand.press(sheet(day).locator(".composer-end .button"));
      await gone(sheet(day));
      await holds(
        day,
        "scheduled_statuses",
        ([scheduled]) => scheduled?.params.text === "For later",
      );
    },
  ],
  [
    "a thread of two",
    async (day) => {
      await compose(day, "The first of two");
      await day.hand.press(tool(day, "Add another post to the thread"));
      await day.hand.write(sheet(day).locator(TEXT).nth(1), "The second of two");
      const { in_reply_to_id } = await send(day);
      assert.match((await answerOf(day, `statuses/${in_reply_to_id}`)).content, /first of two/);
    },
  ],
  [
    "a draft that outlives a reload",
    async (day) => {
      await compose(day, "Not yet finished");
      await day.page.reload();
      await open(day, "/home");
      await begin(day);
      const field = sheet(day).locator(TEXT);
      await field.waitFor();
      assert.equal(await field.inputValue(), "Not yet finished");
    },
  ],
  [
    "discard the draft",
    async (day) => {
      await day.hand.press(sheet(day).locator(MORE));
      await day.hand.press(tool(day, "Discard"));
      await day.hand.press(questionOf(day.page).getByRole("button", { name: "Discard" }));
      await gone(sheet(day));
      const stored = await day.page.evaluate("JSON.stringify({ ...localStorage })");
      assert.ok(!String(stored).includes("Not yet finished"));
    },
  ],
  [
    "edit",
    async (day) => {
      await compose(day, "With a misteak");
      day.ids["own"] = (await send(day)).id;
      await openPost(day, "own", day.me.username);
      await fromMenu(day, "post", /^Edit$/);
      await day.hand.write(sheet(day).locator(TEXT), "Without a mistake");
      await day.hand.press(button(sheet(day), "Save changes"));
      await gone(sheet(day));
      await holds(day, `statuses/${day.ids["own"]}`, ({ edited_at }) => edited_at);
      await isShown(day, "Without a mistake");
    },
  ],
  [
    "read the history",
    async (day) => {
      await fromMenu(day, "post", /^Edit history/);
      await day.page.waitForURL("**/history");
      await day.page.locator("del, ins").first().waitFor();
    },
  ],
  [
    "say who can quote it",
    async (day) => {
      await openPost(day, "own", day.me.username);
      await fromMenu(day, "post", /^Who can quote/);
      await day.hand.tick(sheet(day).locator("input[value=nobody]"));
      await day.hand.press(button(sheet(day), "Save"));
      await gone(sheet(day));
      await holds(day, `statuses/${day.ids["own"]}`, ({ quote_approval: approval }) =>
        approval.automatic.every((who: string) => who !== "public"),
      );
    },
  ],
  [
    "pin",
    async (day) => {
      await fromMenu(day, "post", /^Pin/);
      await statusIs(day, "own", { pinned: true });
    },
  ],
  [
    "see it pinned",
    async (day) => {
      await open(day, `/@${day.me.username}`);
      await day.page.locator("article", { hasText: "Pinned" }).first().waitFor();
    },
  ],
  [
    "unpin",
    async (day) => {
      await openPost(day, "own", day.me.username);
      await fromMenu(day, "post", /^Unpin/);
      await statusIs(day, "own", { pinned: false });
    },
  ],
  [
    "delete and write anew",
    async (day) => {
      const before = day.ids["own"];
      await fromMenu(day, "post", /^Delete and redraft/);
      await day.hand.press(button(sheet(day), "Delete and redraft"));
      await day.hand.write(sheet(day).locator(TEXT), "Written anew");
      day.ids["newest"] = before!;
      day.ids["own"] = (await send(day)).id;
      assert.notEqual(day.ids["own"], before);
    },
  ],
  [
    "delete",
    async (day) => {
      await openPost(day, "own", day.me.username);
      await fromMenu(day, "post", /^Delete$/);
      await day.hand.press(button(sheet(day), "Delete"));
      await gone(sheet(day));
      const path = `/api/v1/statuses/${day.ids["own"]}`;
      assert.equal((await day.server.visitor.get(path)).status, 404);
    },
  ],
];
