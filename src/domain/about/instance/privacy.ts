// Writes the default privacy policy, which says what the software really does, until an administrator writes another
// one.

import type { FullConfig } from "../../../platform/config/config.ts";
import { html } from "../../../platform/text/html.ts";
import type { Html } from "../../../platform/text/html.ts";
import { sentence } from "../../../platform/text/texts.ts";
import type { Key, Say } from "../../../platform/text/texts.ts";

/** The day on which its texts last changed. */
export const PRIVACY_CHANGED = "2026-11-22T00:00:00.000Z";

/** Every cookie of users/pages/cookies.ts. */
const COOKIES: Key[] = [
  "privacy.cookie_form",
  "privacy.cookie_session",
  "privacy.cookie_step",
  "privacy.cookie_sign_up",
];

const cookies = (t: Say): Html =>
  html`<h2>${t("privacy.cookies")}</h2>
    <p>${t("privacy.cookies_text")}</p>
    <ul>
      ${COOKIES.map((key) => html`<li>${t(key)}</li>`)}
    </ul>
    <p>${t("privacy.cookies_none")}</p>`;

const deletion = (t: Say, origin: string): Html => {
  const settings = html`<a href="${origin}/settings">${origin}/settings</a>`;
  return html`<h2>${t("privacy.deletion")}</h2>
    <p>${sentence(t, "privacy.deletion_text", { settings })}</p>`;
};

/** Returns HTML without a first-level heading. */
export const privacyPolicy = ({ site, translation }: FullConfig, t: Say): Html =>
  html`<h2>${t("privacy.stored")}</h2>
    <p>${t("privacy.stored_text", { domain: site.localDomain })}</p>
    <h2>${t("privacy.visible")}</h2>
    <p>${t("privacy.visible_text")}</p>
    ${(translation.deepl ?? translation.libreTranslate) && html`<p>${t("privacy.translation")}</p>`}
    <p>${t("privacy.third")}</p>
    ${cookies(t)} ${deletion(t, site.origin)}`;
