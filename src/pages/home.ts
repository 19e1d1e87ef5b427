// The front page: what this server is, and what is being written here.

import type { App } from "../platform/app.ts";
import { html } from "../platform/text/html.ts";
import type { Html, HtmlValue } from "../platform/text/html.ts";
import { NOBODY } from "../platform/viewer.ts";
import { instanceDetails } from "../domain/instance/details.ts";
import type { Details } from "../domain/instance/details.ts";
import { instanceFigures } from "../domain/instance/figures.ts";
import type { Figures } from "../domain/instance/figures.ts";
import { loadVisible } from "../domain/statuses/load.ts";
import type { SeenStatus } from "../domain/statuses/tables.ts";
import { landingStatuses } from "../domain/trends/load.ts";
import { publicHead } from "./head.ts";
import { SIGN_IN, SIGN_UP } from "./layout.ts";
import type { PublicPage } from "./layout.ts";
import { counted } from "./parts.ts";
import { feed } from "./post.ts";
import { selectRecentLocal } from "./queries.ts";

const SHOWN = 20;

/** What the server says of itself, or what kind of place it is. */
export const introduction = (app: App, details: Details): string =>
  details.description ||
  `${app.config.site.localDomain} is part of the fediverse: people here can follow and talk to people on thousands of other servers.`;

export const figuresList = (figures: Figures): Html =>
  html`<ul class="figures">
    <li>${counted(figures.users, "person", "people")}</li>
    <li>${counted(figures.activeMonth, "active this month", "active this month")}</li>
    <li>${counted(figures.localPosts, "post", "posts")}</li>
  </ul>`;

const joinLinks = (details: Details): HtmlValue =>
  html`<p class="actions">
    ${
      details.registrations !== "closed" &&
      html`<a class="button" href="${SIGN_UP}"
        >${details.registrations === "approved" ? "Apply for an account" : "Create an account"}</a
      >`
    }
    <a class="button plain" href="${SIGN_IN}">Sign in</a>
  </p>`;

const recent = async (app: App): Promise<SeenStatus[]> =>
  loadVisible(app, await selectRecentLocal(app.sql, SHOWN), NOBODY);

export const homePage = async (app: App): Promise<PublicPage> => {
  const [details, figures, trending] = await Promise.all([
    instanceDetails(app),
    instanceFigures(app),
    landingStatuses(app, SHOWN),
  ]);
  const views = trending ?? (await recent(app));
  const { origin } = app.config.site;
  const lead = introduction(app, details);
  return {
    details,
    title: "",
    head: publicHead({
      type: "website",
      title: details.title,
      description: lead,
      url: `${origin}/`,
      image: `${origin}/preview.png`,
      large: true,
      site: details.title,
    }),
    body: (isSignedIn) =>
      html`<section class="card welcome">
          <h1>${details.title}</h1>
          <p class="lead">${lead}</p>
          ${figuresList(figures)} ${!isSignedIn && joinLinks(details)}
        </section>
        <h2 class="section">${trending ? "Trending posts" : "Recent posts"}</h2>
        ${feed(app, views, "Nothing has been posted here yet.")}`,
  };
};
