// Draws the frame of every page: the navigation on one side (below, on a phone), the page in the middle, facts about
// the server on the other side where there is room.

import type { ComponentChildren } from "preact";
import type { CredentialAccount } from "../api/entities.ts";
import { signInPath, useApp } from "../app.ts";
import type { Place } from "../app.ts";
import { short } from "../text/time.ts";
import type { Key } from "../texts/texts.ts";
import { accountMenu } from "./account-menu.ts";
import { ActForm } from "../elements/act-button.tsx";
import { Around } from "./around.tsx";
import { Discard } from "../elements/discard.tsx";
import { Icon } from "../elements/icons.tsx";
import type { IconName } from "../elements/icons.tsx";
import { MenuButton } from "../elements/menu.tsx";
import { Avatar, Name, Picture, fullHandle, profilePath } from "../elements/names.tsx";
import { isStaff } from "../api/staff.ts";

/** Id of the title of a page, by which its main part is named. */
export const TITLE = "page-title";

/** Bands of the page "You". */
export const BANDS = ["timelines", "own", "settings"] as const;

type Link = { path: string; icon: IconName; text: Key; band?: (typeof BANDS)[number] };

/** Places for members. Phones have those with a band on the page "You", and the others in their bar. */
const MEMBER: readonly Link[] = [
  { path: "/home", icon: "home", text: "nav.home" },
  { path: "/notifications", icon: "bell", text: "nav.notifications" },
  { path: "/explore", icon: "compass", text: "nav.explore" },
  { path: "/search", icon: "search", text: "nav.search" },
  { path: "/public/local", icon: "people", text: "nav.local", band: "timelines" },
  { path: "/public", icon: "globe", text: "nav.federated", band: "timelines" },
  { path: "/conversations", icon: "mail", text: "nav.conversations", band: "own" },
  { path: "/bookmarks", icon: "bookmark", text: "nav.bookmarks", band: "own" },
  { path: "/favourites", icon: "heart", text: "nav.favourites", band: "own" },
  { path: "/lists", icon: "list", text: "nav.lists", band: "timelines" },
  { path: "/groups", icon: "group", text: "nav.groups", band: "timelines" },
  { path: "/drafts", icon: "pen", text: "nav.drafts", band: "own" },
  { path: "/settings", icon: "gear", text: "nav.settings", band: "settings" },
];

const STAFF: Link = { path: "/admin", icon: "shield", text: "nav.admin", band: "settings" };

/** Returns the places that this member can go to. */
export const placesOf = ({ role }: CredentialAccount): readonly Link[] =>
  isStaff(role?.permissions) ? [...MEMBER, STAFF] : MEMBER;

const VISITOR: readonly Link[] = [
  { path: "/", icon: "home", text: "nav.front" },
  { path: "/explore", icon: "compass", text: "nav.explore" },
  { path: "/public/local", icon: "people", text: "nav.local" },
  { path: "/about", icon: "globe", text: "nav.about" },
];

/** Counts that links have beside their names. */
const COUNTS = {
  bell: ["unread", "notify.unread"],
  shield: ["waiting", "nav.waiting"],
  group: ["groupsWaiting", "groups.waiting"],
} as const;

/** Draws the count beside the name of a place that has one. */
export const PlaceCount = ({ icon }: { icon: IconName }) => {
  const { store, t, locale } = useApp();
  if (!(icon in COUNTS)) return null;
  const [name, label] = COUNTS[icon as keyof typeof COUNTS];
  const count = store[name].value ?? 0;
  if (count === 0) return null;
  return (
    <b class="unread-count" aria-label={t(label, { count })}>
      {count > 99 ? "99+" : short(locale, count)}
    </b>
  );
};

const isAt = (place: Place, path: string): boolean =>
  place.path === path ||
  (path === "/home" && place.path === "/") ||
  (path === "/admin" && place.path.startsWith("/admin/")) ||
  (path === "/drafts" && place.path === "/scheduled") ||
  (path === "/settings" && /^\/(?:settings|disputes)\//.test(place.path));

const NavLink = ({ path, icon, text, band }: Link) => {
  const { place, t } = useApp();
  return (
    <a
      class={band ? "nav-link wide" : "nav-link"}
      href={path}
      aria-current={isAt(place, path) ? "page" : undefined}
    >
      <Icon name={icon} />
      <span>{t(text)}</span>
      <PlaceCount icon={icon} />
    </a>
  );
};

/** Ends the bar of phones: leads to all that has no room in it, and says how much waits there. */
const You = ({ me }: { me: CredentialAccount }) => {
  const { place, store, t, locale } = useApp();
  const isHere = ["/you", profilePath(me)].includes(place.path);
  const isBelow = placesOf(me).some(({ path, band }) => band && isAt(place, path));
  const count = store.waiting.value + (store.groupsWaiting.value ?? 0);
  return (
    <a
      class="nav-link you-link"
      href="/you"
      title={t("nav.you")}
      aria-current={isHere || isBelow ? "page" : undefined}
    >
      <Picture account={me} size={28} />
      <span>{t("nav.you")}</span>
      {count > 0 && (
        <b class="unread-count" aria-label={t("nav.waiting", { count })}>
          {count > 99 ? "99+" : short(locale, count)}
        </b>
      )}
    </a>
  );
};

const Me = () => {
  const app = useApp();
  const { me, site, t } = app;
  if (!me) return null;
  return (
    <div class="me">
      <Avatar account={me} size={36} />
      <a class="person-names" href={profilePath(me)}>
        <strong>
          <Name account={me} />
        </strong>
        <span class="handle">{fullHandle(me, site.domain)}</span>
      </a>
      <MenuButton
        class="icon-button account-menu"
        label={t("accounts.menu")}
        items={() => accountMenu(app)}
        href="/settings/accounts"
      >
        <Icon name="more" />
      </MenuButton>
    </div>
  );
};

/** Whether phones have the pencil here: on timelines, and on one's own profile. */
const hasPencil = ({ path }: Place, me: CredentialAccount): boolean =>
  /^\/(?:home|public(?:\/local)?|tags\/[^/]+|lists\/\d+)?$/.test(path) || path === profilePath(me);

const Side = () => {
  const { me, site, t, place } = useApp();
  return (
    <header class="side">
      <a class="site-name" href="/">
        <img src="/assets/logo.svg" alt="" width="28" height="28" />
        <span>{site.title}</span>
      </a>
      <nav aria-label={t("nav.main")}>
        {(me ? placesOf(me) : VISITOR).map((link) => (
          <NavLink key={link.path} {...link} />
        ))}
        {me && <You me={me} />}
        {!me && (
          <a class="nav-link narrow" href={signInPath(place)} title={t("nav.sign_in")}>
            <Icon name="person" />
            <span>{t("nav.sign_in")}</span>
          </a>
        )}
      </nav>
      {me ? (
        <>
          <a
            class={hasPencil(place, me) ? "button compose-button pencil" : "button compose-button"}
            href="/compose"
            data-act="compose"
            role="button"
            aria-haspopup="dialog"
          >
            <Icon name="pen" />
            <span>{t("nav.compose")}</span>
          </a>
          <Me />
        </>
      ) : (
        <div class="join">
          {site.registrations.enabled && (
            <a class="button" href="/auth/sign_up">
              {t("nav.sign_up")}
            </a>
          )}
          <a class="button plain" href={signInPath(place)}>
            {t("nav.sign_in")}
          </a>
        </div>
      )}
    </header>
  );
};

const About = () => {
  const { me, site, t } = useApp();
  return (
    <footer class="about soft small">
      {/* Visitors read it above. */}
      {me && site.description && <p>{site.description}</p>}
      <p>
        {site.domain} · <a href="/about">{t("nav.about")}</a> ·{" "}
        <a href="/about#rules">{t("nav.rules")}</a> ·{" "}
        <a href="/privacy-policy">{t("nav.privacy")}</a> · Rookery
      </p>
    </footer>
  );
};

/** Says what the form that led here has done, or why it was refused. */
export const FormNotice = () => {
  const { refused, said } = useApp();
  const text = refused?.text ?? said;
  if (text === undefined) return null;
  // A field that is wrong has the focus instead.
  const isFirst = Object.keys(refused?.faults ?? {}).length === 0;
  return (
    <p
      class={refused ? "notice bad" : "notice"}
      role={refused ? "alert" : "status"}
      tabIndex={-1}
      autofocus={isFirst}
    >
      {text}
      <Discard refused={refused} />
    </p>
  );
};

/** Draws the head of a column: its title, and what can be done there. */
export const ColumnHead = ({
  title,
  children,
  back,
}: {
  title: ComponentChildren;
  children?: ComponentChildren;
  /** Where to go back to, unless there is an earlier page. */
  back?: boolean | string;
}) => {
  const { t } = useApp();
  return (
    <>
      <div class="column-head">
        {back && (
          <a
            class="icon-button"
            href={back === true ? "/home" : back}
            data-act={back === true ? "back" : undefined}
            aria-label={t("nav.back")}
            title={t("nav.back")}
          >
            <Icon name="back" />
          </a>
        )}
        <h1 id={TITLE}>{title}</h1>
        {children}
      </div>
      <FormNotice />
    </>
  );
};

/** Draws the server's name alone, where nobody can find out who is signed in. */
export const BareFrame = ({ children }: { children: ComponentChildren }) => {
  const { site } = useApp();
  return (
    <div class="bare">
      <header>
        <a class="site-name" href="/">
          <img src="/assets/logo.svg" alt="" width="28" height="28" />
          <span>{site.title}</span>
        </a>
      </header>
      <main id="main" class="column">
        {children}
      </main>
    </div>
  );
};

const Beside = ({ children }: { children: ComponentChildren }) => (
  <aside class="aside">
    {children}
    <About />
  </aside>
);

/** A `menu` stands before the page, where there is room, and replaces the column behind it. */
export const Frame = ({
  children,
  menu,
}: {
  children: ComponentChildren;
  menu?: ComponentChildren;
}) => {
  const { t } = useApp();
  return (
    <>
      <a class="skip" href="#main">
        {t("nav.skip")}
      </a>
      <div class="frame">
        <Side />
        {menu && <Beside>{menu}</Beside>}
        <main id="main" class="column" tabIndex={-1} aria-labelledby={TITLE}>
          {children}
        </main>
        {!menu && (
          <Beside>
            <Around />
          </Beside>
        )}
      </div>
      <ActForm />
    </>
  );
};
