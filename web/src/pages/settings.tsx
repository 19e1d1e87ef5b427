// Shows the settings menu as a page.

import { useState } from "preact/hooks";
import { useApp } from "../app.ts";
import type { Key } from "../texts/texts.ts";
import { Icon } from "../elements/icons.tsx";
import { ColumnHead } from "../views/frame.tsx";
import { fullHandle, profilePath } from "../elements/names.tsx";
import { ELSEWHERE, SettingsMenu, openTo, settingsFor } from "../views/settings-menu.tsx";
import type { AnyPage, Page } from "./page.ts";
import { Sentence } from "../elements/sentence.tsx";

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
        <Sentence
          text="settings.signed_in_as"
          elements={{
            account: (
              <a href={profilePath(me)}>
                <strong>{fullHandle(me, site.domain)}</strong>
              </a>
            ),
          }}
        />
      </p>
      <p class="soft small">{t("settings.apps_hint", { domain: site.domain })}</p>
      <form method="post" action="/auth/sign_out">
        <input type="hidden" name="form_token" value={formToken} />
        <button class="button plain small">{t("nav.sign_out")}</button>
      </form>
    </section>
  );
};

const Groups = () => {
  const app = useApp();
  const { t } = app;
  return (
    <>
      {settingsFor(app).map(({ title, entries }) => (
        <section key={title} class="panel settings-group">
          <h2>{t(title)}</h2>
          {entries.map(({ path, text, about }) => (
            <Row key={path} path={path} name={t(text)} about={t(about)} />
          ))}
        </section>
      ))}
    </>
  );
};

const Row = ({ path, name, about }: { path: string; name: string; about: string }) => (
  <a class="settings-row" href={path}>
    <span>
      <strong>{name}</strong>
      <span class="soft small">{about}</span>
    </span>
    <Icon name="forward" />
  </a>
);

/** Other words by which people look for a page. */
const WORDS: Record<string, Key> = {
  "/settings/preferences": "settings.words_preferences",
  "/settings/two_factor": "settings.words_two_factor",
  "/settings/passkeys": "settings.words_passkeys",
  "/settings/sessions": "settings.words_sessions",
  "/settings/export": "settings.words_export",
  "/settings/delete": "settings.words_delete",
};

/** Lists the pages with all of these words in their name, description and other words, or in the name of something on them. */
const Found = ({ q }: { q: string }) => {
  const app = useApp();
  const { t, locale } = app;
  // Turkish has an i without a dot, which nobody types in FIDO2.
  const wordsOf = (text: string): string => text.toLocaleLowerCase(locale).replaceAll("ı", "i");
  const words = wordsOf(q).split(/\s+/).filter(Boolean);
  const isIn = (text: string): boolean => words.every((word) => wordsOf(text).includes(word));
  const inMenu = settingsFor(app).flatMap(({ entries }) => entries);
  const all = [...inMenu, ...openTo(app, ELSEWHERE)];
  const found = all.flatMap((entry) => {
    const { path, text, about, inside } = entry;
    const part = inside.map((key) => t(key)).find(isIn);
    const more = WORDS[path];
    const isOwn = isIn(`${t(text)} ${t(about)} ${more ? t(more) : ""}`);
    return isOwn || part ? [{ path, name: t(text), about: part ?? t(about) }] : [];
  });
  if (found.length === 0) return <div class="empty">{t("settings.none_found", { q })}</div>;
  return (
    <section class="panel settings-group">
      {found.map((row) => (
        <Row key={row.path} {...row} />
      ))}
    </section>
  );
};

/** Draws the field; without scripts the server draws what is found. */
const SearchSettings = ({ q, onInput }: { q: string; onInput(q: string): void }) => {
  const { t } = useApp();
  return (
    <form
      class="search-form settings-search"
      method="get"
      action="/settings"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        event.currentTarget.querySelector("input")!.focus();
      }}
    >
      <input
        type="search"
        name="q"
        dir="auto"
        defaultValue={q}
        placeholder={t("settings.search")}
        aria-label={t("settings.search")}
        maxLength={100}
        autocomplete="off"
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      <button class="icon-button" aria-label={t("settings.search")}>
        <Icon name="search" />
      </button>
    </form>
  );
};

const overview: Page<null> = {
  path: "/settings",
  isForMembers: true,
  load: async () => null,
  Menu: SettingsMenu,
  View: () => {
    const { t, place, isAuthor } = useApp();
    const [q, setQ] = useState(place.query["q"] ?? "");
    return (
      <>
        <ColumnHead title={t("settings.title")} />
        <Done />
        <SearchSettings q={q} onInput={setQ} />
        {q.trim() ? (
          <Found q={q.trim()} />
        ) : (
          <>
            <SignedInAs />
            {isAuthor && <p class="soft section">{t("settings.author")}</p>}
            <Groups />
          </>
        )}
      </>
    );
  },
  head: (_data, { t }) => ({ title: t("settings.title"), isHidden: true }),
};

export const settingsPages: AnyPage[] = [overview];
