// Shows the settings menu as a page.

import { useApp } from "../app.ts";
import type { Key } from "../texts/texts.ts";
import { Icon } from "../elements/icons.tsx";
import { ColumnHead } from "../views/frame.tsx";
import { fullHandle, profilePath } from "../elements/names.tsx";
import { SETTINGS } from "../views/settings-menu.tsx";
import type { AnyPage, Page } from "./page.ts";

/** Messages about what was just done elsewhere: fixed sentences, never text from the address. */
const DONE: Record<string, Key> = {
  confirmed: "settings.done_confirmed",
  password: "settings.done_password",
};

const Done = () => {
  const { t, place } = useApp();
  const key = Object.hasOwn(DONE, place.query["done"] ?? "") ? DONE[place.query["done"]!] : null;
  return key ? (
    <p class="notice" role="status">
      {t(key)}
    </p>
  ) : null;
};

const SignedInAs = () => {
  const { me, site, t, formToken } = useApp();
  if (!me) return null;
  return (
    <section class="panel signed-in-as">
      <p>
        {t("settings.signed_in_as")}{" "}
        <a href={profilePath(me)}>
          <strong>{fullHandle(me, site.domain)}</strong>
        </a>
      </p>
      <p class="soft small">{t("settings.apps_hint", { domain: site.domain })}</p>
      <form method="post" action="/auth/sign_out">
        <input type="hidden" name="form_token" value={formToken} />
        <button class="button plain small">{t("nav.sign_out")}</button>
      </form>
    </section>
  );
};

const overview: Page<null> = {
  path: "/settings",
  isForMembers: true,
  load: async () => null,
  View: () => {
    const { t } = useApp();
    return (
      <>
        <ColumnHead title={t("settings.title")} />
        <Done />
        <SignedInAs />
        {SETTINGS.map(({ title, entries }) => (
          <section key={title} class="panel settings-group">
            <h2>{t(title)}</h2>
            {entries.map(({ path, text, about }) => (
              <a key={path} class="settings-row" href={path}>
                <span>
                  <strong>{t(text)}</strong>
                  <span class="soft small">{t(about)}</span>
                </span>
                <Icon name="forward" />
              </a>
            ))}
          </section>
        ))}
      </>
    );
  },
  head: (_data, { t }) => ({ title: t("settings.title"), isHidden: true }),
};

export const settingsPages: AnyPage[] = [overview];
