// The menu of all settings: beside every page of them where there is room, and as a page of its own (/settings). The
// server draws some of the pages, in the same frame.

import type { ComponentChildren } from "preact";
import { useApp } from "../app.ts";
import type { App } from "../app.ts";
import type { Key } from "../texts/texts.ts";
import { ColumnHead } from "./frame.tsx";

export type Entry = {
  path: string;
  text: Key;
  about: Key;
  /** Names of what is on the page, by which it is found as well. */
  inside: readonly Key[];
  /** Only owners of a shared account may open it; the server refuses authors (askedAsMember). */
  isOwners?: true;
};
type Group = { title: Key; entries: readonly Entry[] };

const entry = (path: string, name: string, ...inside: Key[]): Entry => ({
  path,
  text: `settings.${name}` as Key,
  about: `settings.${name}_about` as Key,
  inside,
});

const ownersEntry = (path: string, name: string): Entry => ({
  ...entry(path, name),
  isOwners: true,
});

/** Returns the entries whose pages the reader may open. */
export const openTo = ({ isAuthor }: Pick<App, "isAuthor">, entries: readonly Entry[]): Entry[] =>
  entries.filter(({ isOwners }) => !isOwners || !isAuthor);

/** Pages of the one about accounts, which says what each is for. */
export const ACCOUNT_PAGES = {
  identities: ownersEntry("/settings/identities", "identities"),
  sharing: ownersEntry("/settings/sharing", "sharing"),
  aliases: ownersEntry("/settings/aliases", "aliases"),
  migration: ownersEntry("/settings/migration", "migration"),
};

const ACCOUNTS = "/settings/accounts";

const ALL: readonly Group[] = [
  {
    title: "settings.group_you",
    entries: [
      entry(
        "/settings/profile",
        "profile",
        "settings.name",
        "settings.bio",
        "settings.pictures",
        "settings.fields",
        "settings.privacy",
        "settings.attribution",
        "settings.tags",
      ),
      entry(
        "/settings/preferences",
        "preferences",
        "settings.visibility",
        "settings.replies",
        "settings.quotes",
        "settings.language",
        "compose.content_type",
        "settings.sensitive",
        "settings.interface_language",
        "settings.look_sensitive",
        "settings.look_autoplay",
        "settings.spoilers",
        "settings.look_theme",
        "settings.look_theme_dark",
        "settings.look_theme_light",
        "settings.look_theme_contrast",
        "settings.look_text",
        "settings.look_density",
        "settings.look_density_compact",
        "settings.look_motion",
        "settings.look_keys",
        "settings.look_alt",
      ),
      ownersEntry("/settings/mail", "mail"),
      ownersEntry("/settings/letter", "letter"),
    ],
  },
  {
    title: "settings.group_reading",
    entries: [
      entry("/settings/filters", "filters"),
      entry("/settings/mutes", "mutes"),
      entry("/settings/blocks", "blocks"),
      entry("/settings/domain_blocks", "domain_blocks"),
      entry("/followed_tags", "followed_tags"),
      entry("/settings/muted_tags", "muted_tags"),
      entry("/lists", "lists"),
    ],
  },
  {
    title: "settings.group_security",
    entries: [
      ownersEntry("/settings/email", "email"),
      ownersEntry("/settings/password", "password"),
      ownersEntry("/settings/ways", "ways"),
      ownersEntry("/settings/two_factor", "two_factor"),
      ownersEntry("/settings/passkeys", "passkeys"),
      ownersEntry("/settings/sessions", "sessions"),
      ownersEntry("/settings/apps", "apps"),
    ],
  },
  {
    title: "settings.group_data",
    entries: [
      ownersEntry("/settings/export", "export"),
      ownersEntry("/settings/import", "import"),
      ownersEntry("/settings/cleanup", "cleanup"),
      ownersEntry("/settings/severed_relationships", "severed"),
    ],
  },
  {
    title: "settings.group_account",
    entries: [
      entry(ACCOUNTS, "accounts"),
      ownersEntry("/settings/invites", "invites"),
      ownersEntry("/disputes/strikes", "strikes"),
      ownersEntry("/settings/delete", "delete"),
    ],
  },
];

/** Returns the menu of what the reader may open. */
export const settingsFor = (app: Pick<App, "isAuthor">): Group[] =>
  ALL.map((group) => ({ ...group, entries: openTo(app, group.entries) })).filter(
    ({ entries }) => entries.length > 0,
  );

/** Settings of pages that the menu does not name, which are found as well. */
export const ELSEWHERE: readonly Entry[] = [
  ...Object.values(ACCOUNT_PAGES),
  {
    path: "/notifications/settings",
    text: "notify.settings",
    about: "settings.notifications_about",
    inside: ["policy.title", "push.title", "quiet.title"],
  },
];

/** Returns the page of the menu that contains this one. */
const menuPathOf = (here: string): string =>
  Object.values(ACCOUNT_PAGES).some(({ path }) => isIn(path, here)) ? ACCOUNTS : here;

/** Whether the page is this one, or a part of it. */
const isIn = (path: string, here: string): boolean => here === path || here.startsWith(`${path}/`);

/** Draws the title of a menu beside a page, which its label says to screen readers. */
export const MenuTitle = ({ text }: { text: Key }) => (
  <strong class="settings-menu-title" aria-hidden="true">
    {useApp().t(text)}
  </strong>
);

export const SettingsMenu = () => {
  const app = useApp();
  const { t, place } = app;
  const here = menuPathOf(place.path);
  return (
    <nav class="settings-menu" aria-label={t("settings.title")}>
      <MenuTitle text="settings.title" />
      {settingsFor(app).map(({ title, entries }) => (
        <section key={title}>
          <h2>{t(title)}</h2>
          {entries.map(({ path, text }) => (
            <a key={path} href={path} aria-current={isIn(path, here) ? "page" : undefined}>
              {t(text)}
            </a>
          ))}
        </section>
      ))}
    </nav>
  );
};

/** Draws the head of a page of settings, with a link back to what leads to it, which phones do not show beside it. */
export const SettingsHead = ({ title, back }: { title: string; back?: string }) => {
  const { path } = useApp().place;
  const above = menuPathOf(path) === path ? "/settings" : ACCOUNTS;
  return <ColumnHead title={title} back={back ?? above} />;
};

/** Draws the frame around what the server has drawn itself. */
export const ServersBody = ({
  title,
  back,
  children,
}: {
  title: string;
  back: string | undefined;
  children: ComponentChildren;
}) => (
  <>
    <SettingsHead title={title} {...(back && { back })} />
    <div class="servers-page panel">{children}</div>
  </>
);
