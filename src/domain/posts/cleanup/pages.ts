// Serves the page on which a person lets the server delete their old posts.

import type { App } from "../../../platform/app.ts";
import type { Server } from "../../../platform/http/server.ts";
import { readTexts } from "../../people/oauth/parameters.ts";
import { view } from "../../people/users/pages/framed.ts";
import { askedAsMember, sendSettings } from "../../people/users/pages/member.ts";
import type { PageContext } from "../../people/users/pages/member.ts";
import { faultsOf, goTo } from "../../people/users/pages/components.ts";
import type { Faults } from "../../people/users/pages/components.ts";
import { AGES, DEFAULT_POLICY, getPolicy, setPolicy } from "./clean-up.ts";
import { KEEPS } from "./tables.ts";
import type { Keep, Policy } from "./tables.ts";

const PATH = "/settings/cleanup";

const DONE = { on: "cleanup.on", off: "cleanup.off" } as const;

const show = async ({ app, reply, who, t }: PageContext, faults: Faults = {}) => {
  const stored = await getPolicy(app, who.accountId);
  return sendSettings(reply, {
    title: t("cleanup.title"),
    done: DONE,
    faults,
    view: view("cleanup", {
      ages: AGES.map((days) => `${days}` as const),
      keeps: KEEPS,
      policy: { ...(stored ?? DEFAULT_POLICY), enabled: stored !== null },
    }),
  });
};

const numberOf = (text = ""): number | null => (text.trim() === "" ? null : Number(text));

const take = async (context: PageContext) => {
  const { app, request, reply, who } = context;
  const texts = readTexts(request.body);
  const keeps = Object.fromEntries(KEEPS.map((name) => [name, texts[name] === "1"]));
  const policy: Policy = {
    ...(keeps as Record<Keep, boolean>),
    min_days: Number(texts["min_days"]),
    min_favourites: numberOf(texts["min_favourites"]),
    min_reblogs: numberOf(texts["min_reblogs"]),
  };
  const isOn = texts["enabled"] === "1";
  try {
    await setPolicy(app, who.accountId, isOn ? policy : null);
  } catch (error) {
    const faults = faultsOf(context.t, error);
    if (!faults) throw error;
    return show(context, faults);
  }
  return goTo(reply, `${PATH}?done=${isOn ? "on" : "off"}`);
};

export const cleanupPages =
  (app: App) =>
  (pages: Server): void => {
    const page = askedAsMember(app);
    pages.get(
      PATH,
      page((context) => show(context)),
    );
    pages.post(PATH, page(take));
  };
