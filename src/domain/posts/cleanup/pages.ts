// Serves the page on which a person lets the server delete their old posts.

import type { Field, Option } from "../../../../web/src/served/part-pages.ts";
import type { App } from "../../../platform/app.ts";
import type { Server } from "../../../platform/http/server.ts";
import { readTexts } from "../../people/oauth/parameters.ts";
import { askedAsMember } from "../../people/users/pages/member.ts";
import type { PageContext } from "../../people/users/pages/member.ts";
import { formOf } from "../../people/users/pages/fields.ts";
import { goTo, refusable, sendServed } from "../../people/users/pages/components.ts";
import { AGES, getPolicy, setPolicy } from "./clean-up.ts";
import { KEEPS } from "./tables.ts";
import type { Keep } from "./tables.ts";

const PATH = "/settings/cleanup";

const DONE = { on: "cleanup.on", off: "cleanup.off" } as const;

const numberField = (name: "min_favourites" | "min_reblogs"): Field => ({
  name,
  label: `cleanup.${name}`,
  hint: "cleanup.empty_hint",
  optional: true,
  inputmode: "numeric",
  autocomplete: "off",
});

const FIELDS: readonly Field[] = [
  { boxes: [{ name: "enabled", label: "cleanup.enabled" }] },
  {
    name: "min_days",
    label: "cleanup.older",
    options: AGES.map((days): Option => [`${days}`, `cleanup.age_${days}`]),
  },
  {
    legend: "cleanup.keep",
    boxes: KEEPS.map((name) => ({ name, label: `cleanup.${name}` }) as const),
  },
  numberField("min_favourites"),
  numberField("min_reblogs"),
];

const show = async (context: PageContext) => {
  const { app, who } = context;
  const values = await getPolicy(app, who.accountId);
  return sendServed(context, {
    title: "cleanup.title",
    done: DONE,
    parts: [{ text: { say: "cleanup.about" } }, formOf(PATH, "cleanup.save", FIELDS, { values })],
  });
};

const numberOf = (text = ""): number | null => (text.trim() === "" ? null : Number(text));

const take = async ({ app, request, reply, who }: PageContext) => {
  const texts = readTexts(request.body);
  const keeps = Object.fromEntries(KEEPS.map((name) => [name, texts[name] === "1"]));
  const enabled = texts["enabled"] === "1";
  await setPolicy(app, who.accountId, {
    ...(keeps as Record<Keep, boolean>),
    min_days: Number(texts["min_days"]),
    min_favourites: numberOf(texts["min_favourites"]),
    min_reblogs: numberOf(texts["min_reblogs"]),
    enabled,
  });
  return goTo(reply, `${PATH}?done=${enabled ? "on" : "off"}`);
};

export const cleanupPages =
  (app: App) =>
  (pages: Server): void => {
    const page = askedAsMember(app);
    pages.get(PATH, page(show));
    pages.post(PATH, page(refusable(take, show)));
  };
