// /about, /privacy-policy and /terms-of-service: who runs this server, with which software, and how it
// handles personal data.

import type { App } from "../platform/app.ts";
import { NotFound } from "../platform/errors.ts";
import { html, raw } from "../platform/text/html.ts";
import type { Html, HtmlValue } from "../platform/text/html.ts";
import { instanceDetails } from "../domain/instance/details.ts";
import type { Details } from "../domain/instance/details.ts";
import { instanceFigures } from "../domain/instance/figures.ts";
import { allTerms, currentTerms } from "../domain/instance/terms.ts";
import { extendedDescription, privacyText } from "../domain/instance/texts.ts";
import type { RuleRow } from "../domain/rules/tables.ts";
import { SOURCE_URL, VERSION } from "../platform/version.ts";
import { publicHead } from "./head.ts";
import { figuresList, introduction } from "./home.ts";
import type { PublicPage } from "./layout.ts";
import { avatarUrl, day, handle, shownName, withEmojis } from "./parts.ts";

const contact = (app: App, details: Details): HtmlValue => {
  const { contactAccount: view, contactEmail } = details;
  if (!view && !contactEmail) return null;
  return html`<h2>Contact</h2>
    ${
      view &&
      html`<p class="who">
        <img class="avatar" src="${avatarUrl(app.config.site, view)}" alt="" />
        <a href="${view.url}"
          ><strong>${withEmojis(shownName(view), view.emojis)}</strong
          ><span>${handle(app.config.site, view)}</span></a
        >
      </p>`
    }
    ${contactEmail && html`<p><a href="mailto:${contactEmail}">${contactEmail}</a></p>`}`;
};

const rulesList = (rules: RuleRow[]): HtmlValue =>
  rules.length > 0 &&
  html`<h2>Rules</h2>
    <ol>
      ${rules.map(
        ({ text, hint }) =>
          html`<li>${text} ${hint && html`<span class="soft">${hint}</span>`}</li>`,
      )}
    </ol>`;

const SIGN_UPS: Record<Details["registrations"], string> = {
  open: "Anyone can create an account here.",
  approved:
    "Anyone can apply for an account here. Applications are reviewed before the account can be used.",
  closed: "Sign-ups are currently closed.",
};

const software = (): Html =>
  html`<h2>Software</h2>
    <p>
      This server runs Rookery ${VERSION}, free software licensed under the GNU Affero General
      Public License 3.0 or later. It connects to other servers through ActivityPub and works with
      Mastodon apps. ${SOURCE_URL && html`<a href="${SOURCE_URL}">Source code</a>`}
    </p>`;

const head = (app: App, details: Details, path: string, title: string): Html =>
  publicHead({
    type: "website",
    title,
    description: introduction(app, details),
    url: `${app.config.site.origin}${path}`,
    image: `${app.config.site.origin}/preview.png`,
    site: details.title,
  });

export const aboutPage = async (app: App): Promise<PublicPage> => {
  const [details, figures, own] = await Promise.all([
    instanceDetails(app),
    instanceFigures(app),
    extendedDescription(app),
  ]);
  return {
    details,
    title: "About",
    head: head(app, details, "/about", `About ${details.title}`),
    body: html`<section class="card prose">
      <h1>About ${details.title}</h1>
      <p>${introduction(app, details)}</p>
      ${figuresList(figures)} ${raw(own.content)} ${rulesList(details.rules)}
      <h2>Joining</h2>
      <p>${SIGN_UPS[details.registrations]} ${details.registrationsMessage}</p>
      ${contact(app, details)} ${software()}
    </section>`,
  };
};

export const privacyPage = async (app: App): Promise<PublicPage> => {
  const [details, { content }] = await Promise.all([instanceDetails(app), privacyText(app)]);
  return {
    details,
    title: "Privacy policy",
    head: head(app, details, "/privacy-policy", `Privacy policy of ${details.title}`),
    body: html`<section class="card prose">
      <h1>Privacy policy</h1>
      ${raw(content)}
    </section>`,
  };
};

/** The version in effect, or the one from `date` (YYYY-MM-DD); NotFound when there is none. */
export const termsPage = async (app: App, date?: string): Promise<PublicPage> => {
  const [details, terms] = await Promise.all([instanceDetails(app), allTerms(app)]);
  const shown = date
    ? terms.find((row) => row.effective_date === date)
    : currentTerms(terms, app.clock.now());
  if (!shown) throw new NotFound();
  return {
    details,
    title: "Terms of service",
    head: head(app, details, "/terms-of-service", `Terms of service of ${details.title}`),
    body: html`<section class="card prose">
      <h1>Terms of service</h1>
      <p class="soft">Effective ${day(new Date(shown.effective_date))}</p>
      ${raw(shown.content)}
    </section>`,
  };
};
