// Setting oneself up: filters, preferences, the profile.

import { assert, button, gone, holds, isShown, open, says, sheet, submit } from "./day.ts";
import type { Step } from "./day.ts";

const FORM = "form[action='/web/act/filters']";

export const SETTINGS: readonly Step[] = [
  [
    "make a filter",
    async (day) => {
      const { page, hand } = day;
      await open(day, "/settings/filters");
      await hand.write(page.locator(`${FORM} [name=title]`), "No herons");
      await hand.write(page.locator(`${FORM} [name$="[keyword]"]`).first(), "heron");
      await hand.press(page.locator(FORM).getByRole("button", { name: "Save" }));
      await isShown(day, "No herons");
    },
  ],
  [
    "see the filter at work",
    async (day) => {
      await says(day, "bob", "statuses", { status: "A heron on the bank" });
      await day.server.runJobs();
      await open(day, "/home");
      await day.page.locator("article summary", { hasText: "No herons" }).first().waitFor();
    },
  ],
  [
    "delete the filter",
    async (day) => {
      await open(day, "/settings/filters");
      await day.hand.press(day.page.locator(".settings-row", { hasText: "No herons" }));
      await day.hand.press(button(day, "Delete filter"));
      await day.page.waitForURL("**/settings/filters");
      const { json } = await day.me.get("/api/v2/filters");
      assert.deepEqual(json, []);
    },
  ],
  [
    "choose the dark theme",
    async (day) => {
      await open(day, "/settings/preferences");
      await day.hand.choose(day.page.locator("[name=theme]"), "dark");
      await day.page.locator("html[data-theme=dark]").waitFor();
    },
  ],
  [
    "post quietly by default",
    async (day) => {
      const list = day.page.locator("[name='posting:default:visibility']");
      await day.hand.choose(list, "unlisted");
      await holds(day, "preferences", (all) => all["posting:default:visibility"] === "unlisted");
    },
  ],
  [
    "change the profile",
    async (day) => {
      await open(day, "/settings/profile");
      await day.hand.write(day.page.locator("[name=display_name]"), "Early Bird");
      await day.hand.write(day.page.locator("[name=note]"), "Up with the herons");
      const form = day.page.locator("form", { has: day.page.locator("[name=display_name]") });
      await day.hand.press(form.getByRole("button", { name: "Save" }));
      await holds(day, "accounts/verify_credentials", (me) => me.display_name === "Early Bird");
    },
  ],
  [
    "feature a hashtag",
    async (day) => {
      // The page that follows a saved profile would take what is written before it is there.
      await open(day, "/settings/profile");
      const form = day.page.locator("form[action='/web/act/featured_tags']");
      await day.hand.write(form.locator("[name=name]"), "herons");
      await day.hand.press(form.getByRole("button"));
      await holds(day, "featured_tags", ([tag]) => tag?.name === "herons");
    },
  ],
  [
    "list the keys",
    async (day) => {
      await open(day, "/home");
      await day.page.keyboard.press("?");
      await sheet(day).getByText("Next post").waitFor();
      await day.page.keyboard.press("Escape");
      await gone(sheet(day));
    },
  ],
  [
    "sign out",
    async (day) => {
      await open(day, "/settings");
      await submit(day, day.page.locator("form[action='/auth/sign_out'] button"));
      const answer = await day.page.request.get("/settings", { maxRedirects: 0 });
      assert.ok(answer.status() >= 300);
    },
  ],
];
