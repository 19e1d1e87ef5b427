// Serves what browsers and crawlers read about the whole site: the web app manifest
// (https://www.w3.org/TR/appmanifest/), by which phones offer to share into a post here, and robots.txt (RFC 9309).

import type { App } from "../platform/app.ts";
import { readingLanguages } from "../platform/http/accept-language.ts";
import { MANIFEST_PATH } from "../platform/http/page.ts";
import type { Server } from "../platform/http/server.ts";
import { textsIn } from "../platform/text/texts.ts";
import type { Texts } from "../platform/text/texts.ts";
import { instanceDetails } from "../domain/about/instance/details.ts";
import type { Details } from "../domain/about/instance/details.ts";
import { pictureOf } from "../domain/base/settings/pictures.ts";
import { allSettings } from "../domain/base/settings/settings.ts";

const SHARED = "max-age=180, public";

/** Excludes pages for members; pages that crawlers may not list say so themselves. */
const ROBOTS = ["User-agent: *", "Disallow: /auth/", "Disallow: /oauth/", "Disallow: /admin", ""];

const icon = (src: string, side: number, purpose: string) => ({
  src,
  sizes: `${side}x${side}`,
  type: "image/png",
  purpose,
});

type Look = Pick<Details, "title" | "icons" | "accentColour"> & { isOwn: boolean };

const manifestOf = (
  { title: name, icons, accentColour, isOwn }: Look,
  { language: lang, t }: Texts,
) => ({
  id: "/",
  name,
  short_name: name,
  lang,
  icons: [
    ...icons.map(({ src, side }) => icon(src, side, "any")),
    // This icon has no round corners, because devices cut their own. An uploaded one may have something in its corners.
    ...(isOwn ? [] : [icon("/icons/maskable.png", 512, "maskable")]),
  ],
  theme_color: accentColour ?? "#5b3fc4",
  background_color: "#f4f3f8",
  display: "standalone",
  start_url: "/home",
  scope: "/",
  share_target: {
    url_template: "share?title={title}&text={text}&url={url}",
    action: "share",
    method: "GET",
    enctype: "application/x-www-form-urlencoded",
    params: { title: "title", text: "text", url: "url" },
  },
  shortcuts: [
    { name: t("nav.compose"), url: "/share" },
    { name: t("nav.notifications"), url: "/notifications" },
    { name: t("nav.search"), url: "/search" },
  ],
});

export const manifestRoutes = (server: Server, app: App): void => {
  for (const path of ["/manifest", MANIFEST_PATH]) {
    server.get(path, async (request, reply) => {
      const [details, set] = await Promise.all([instanceDetails(app), allSettings(app)]);
      const look = { ...details, isOwn: pictureOf(set, "icon") !== null };
      // Browsers request it without cookies.
      const texts = textsIn(readingLanguages(request));
      return reply
        .headers({ "cache-control": SHARED, vary: "Accept-Language" })
        .send(manifestOf(look, texts));
    });
  }
  server.get("/robots.txt", async (_request, reply) =>
    reply
      .header("cache-control", "max-age=86400, public")
      .type("text/plain; charset=utf-8")
      .send(ROBOTS.join("\n")),
  );
};
