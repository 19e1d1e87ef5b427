// The menu of a post, in addition to the buttons below it.

import { isOpenToAll } from "../api/visibility.ts";
import type { Status } from "../api/entities.ts";
import type { App } from "../app.ts";
import { startEdit, startRedraft } from "../compose/open.ts";
import type { StoredStatus } from "../store/store.ts";
import { translate } from "../window/translations.ts";
import type { MenuItem, MenuItems } from "../elements/menu.tsx";
import { addressItems, againstItems } from "./person-menu.ts";
import { mayBoost } from "./shown-status.ts";

type Shown = Status | StoredStatus;

const act = (id: string, name: string, done?: string): MenuItem["act"] => ({
  kind: "statuses",
  id,
  act: name,
  ...(done && { done }),
});

const isTranslatable = ({ site, me, locale }: App, status: Shown): boolean =>
  site.canTranslate &&
  me !== null &&
  isOpenToAll(status) &&
  status.language !== null &&
  status.language.split("-", 1)[0] !== locale;

/** Returns items that list who interacted with the post. */
const listItems = ({ t }: App, status: Shown, path: string): MenuItems => [
  status.favourites_count > 0 && {
    text: t("post.favourited_by"),
    icon: "heart",
    href: `${path}/favourites`,
  },
  status.reblogs_count > 0 && {
    text: t("post.boosted_by"),
    icon: "boost",
    href: `${path}/reblogs`,
  },
  status.quotes_count > 0 && { text: t("post.quoted_by"), icon: "quote", href: `${path}/quotes` },
  status.edited_at !== null && { text: t("history.title"), icon: "clock", href: `${path}/history` },
];

const ownItems = ({ t }: App, status: Shown, path: string): MenuItems => {
  const { id, visibility } = status;
  const isOpen = isOpenToAll(status);
  return [
    visibility !== "direct" &&
      !status.circle &&
      (status.pinned
        ? { text: t("menu.unpin"), icon: "pin", act: act(id, "unpin", t("menu.unpinned")) }
        : { text: t("menu.pin"), icon: "pin", act: act(id, "pin", t("menu.pinned")) }),
    visibility !== "direct" && {
      text: t("reply_policy.title"),
      icon: "reply",
      href: `${path}/reply_policy`,
      isSheet: true,
    },
    status.circle && {
      text: t("circle.title"),
      icon: "people",
      href: `${path}/circle`,
      isSheet: true,
    },
    isOpen && {
      text: t("quote_policy.title"),
      icon: "quote",
      href: `${path}/quote_policy`,
      isSheet: true,
    },
    { text: t("menu.edit"), icon: "pen", run: () => startEdit(id) },
    { text: t("menu.redraft"), icon: "pen", run: () => startRedraft(id), isBad: true },
    { text: t("delete.yes"), icon: "close", href: `${path}/delete`, isSheet: true, isBad: true },
  ];
};

/** Returns the item by which one withdraws from being quoted. */
const withdrawItem = ({ t, me }: App, { id, quote }: Shown): MenuItem | null => {
  const quoted = quote && "quoted_status" in quote ? quote.quoted_status : null;
  if (!quoted || quoted.account.id !== me?.id) return null;
  return {
    text: t("menu.withdraw"),
    icon: "quote",
    act: act(quoted.id, `quotes/${id}/revoke`, t("menu.withdrawn")),
    isBad: true,
  };
};

const boostItem = ({ t, me }: App, status: Shown, path: string): MenuItem | false =>
  mayBoost(status, me) &&
  !status.reblogged && {
    text: t("boost_later.title"),
    icon: "clock",
    href: `${path}/boost_later`,
    isSheet: true,
  };

/** Whether the post is shown as a part of home, or by itself, where its menu is without scripts. */
const isOfHome = ({ place: { path } }: App, { id }: Shown): boolean =>
  ["/", "/home", "/catch-up"].includes(path) || path.endsWith(`/${id}`);

const threadItem = ({ t }: App, { id, muted }: Shown): MenuItem =>
  muted
    ? { text: t("menu.unmute"), icon: "bell", act: act(id, "unmute", t("menu.unmuted")) }
    : { text: t("menu.mute"), icon: "moon", act: act(id, "mute", t("menu.muted")) };

export const postMenu = (app: App, status: Shown): MenuItems => {
  const { me, t } = app;
  const { account, id } = status;
  const path = `/@${account.acct}/${id}`;
  const isOwn = me?.id === account.id;
  return [
    ...addressItems(app, status.url, account.acct.includes("@")),
    isTranslatable(app, status) && {
      text: t("translate.do"),
      icon: "globe",
      run: () => translate(app, id),
    },
    null,
    ...listItems(app, status, path),
    null,
    me && threadItem(app, status),
    me && boostItem(app, status, path),
    ...(me && isOwn ? ownItems(app, status, path) : []),
    ...(me && !isOwn
      ? ([
          isOfHome(app, status) && {
            text: t("menu.why"),
            icon: "home",
            href: `${path}/why`,
            isSheet: true,
          },
          { text: t("menu.filter"), icon: "eye", href: `${path}/filter`, isSheet: true },
          withdrawItem(app, status) ?? false,
          null,
          ...againstItems(app, account, `?status=${id}`),
        ] satisfies MenuItems)
      : []),
  ];
};
