// Draws people in short form: their picture, name, handle, and links to their pages here; and the names of lists.

import type { ComponentChildren } from "preact";
import type { Account, List } from "../api/entities.ts";
import { useApp } from "../app.ts";
import { withEmojis, withoutEmojis } from "../text/rich-text.tsx";

type Person = Pick<
  Account,
  "acct" | "display_name" | "emojis" | "avatar_small" | "avatar_static" | "url"
>;

/** Returns the page of a person on this server. */
export const profilePath = ({ acct }: Pick<Account, "acct">): string => `/@${acct}`;

/** Returns `@alice@here.example`, complete for everybody: a handle has to work wherever it is pasted. */
export const fullHandle = ({ acct }: Pick<Account, "acct">, domain: string): string =>
  acct.includes("@") ? `@${acct}` : `@${acct}@${domain}`;

export const shownName = ({ display_name, acct }: Pick<Person, "display_name" | "acct">): string =>
  display_name.trim() || acct.split("@", 1)[0]!;

/** Returns a name without shortcodes of custom emojis, for titles and previews, which have no pictures. */
export const plainName = (account: Pick<Person, "display_name" | "acct" | "emojis">): string =>
  withoutEmojis(account.display_name, account.emojis) || account.acct.split("@", 1)[0]!;

export const Name = ({ account }: { account: Person }) => (
  <bdi class="name">{withEmojis(shownName(account), account.emojis)}</bdi>
);

/** Returns an avatar with enough pixels for up to 60 × 60; not all avatars have a small version. */
export const smallPicture = (account: Pick<Person, "avatar_small" | "avatar_static">): string =>
  account.avatar_small ?? account.avatar_static;

type Small = { account: Person; size?: number };

/** Draws an avatar as decoration beside a name. */
export const Picture = ({ account, size = 40 }: Small) => (
  <img
    class="avatar"
    src={smallPicture(account)}
    alt=""
    width={size}
    height={size}
    loading="lazy"
  />
);

/**
 * Draws an avatar that links to the profile, as the name beside it does; it is neither read aloud nor reached by the
 * keyboard.
 */
export const Avatar = ({ account, size }: Small) => (
  <a class="avatar-link" href={profilePath(account)} tabIndex={-1} aria-hidden="true">
    <Picture account={account} {...(size && { size })} />
  </a>
);

/** Draws the name of a list, wherever lists are chosen or opened. */
export const ListName = ({ list }: { list: Pick<List, "title"> }) => <bdi>{list.title}</bdi>;

/** Draws a row of a list of people. */
export const PersonRow = ({
  account,
  children,
}: {
  account: Account;
  /** Content beside the name. */
  children?: ComponentChildren;
}) => {
  const { site } = useApp();
  return (
    <div class="person">
      <Avatar account={account} />
      <a class="person-names" href={profilePath(account)}>
        <strong>
          <Name account={account} />
        </strong>
        <span class="handle">{fullHandle(account, site.domain)}</span>
      </a>
      {children}
    </div>
  );
};
