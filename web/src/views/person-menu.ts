// The menu of a profile, and a part of that of a post.

import type { Account } from "../api/entities.ts";
import type { App } from "../app.ts";
import { say } from "../window/messages.ts";
import type { MenuItem, MenuItems } from "../elements/menu.tsx";
import { profilePath, plainName } from "../elements/names.tsx";

/** Bits of roles that moderate: https://docs.joinmastodon.org/entities/Role/#permission-flags */
const MODERATES = 1 | 16 | 1024;

export const moderates = ({ me }: App): boolean =>
  (Number(me?.role?.permissions ?? 0) & MODERATES) !== 0;

const domainOf = ({ acct }: Account): string | undefined => acct.split("@")[1];

/** Returns items to mute, block and report; `query` says what the report is about. */
export const againstItems = (app: App, account: Account, query = ""): MenuItems => {
  const { t, store } = app;
  const relation = store.relationships.get(account.id)?.value;
  const name = plainName(account);
  const path = profilePath(account);
  const domain = domainOf(account);
  const act = (name_: string, done: string): MenuItem["act"] => ({
    kind: "accounts",
    id: account.id,
    act: name_,
    done,
  });
  return [
    relation?.muting
      ? {
          text: t("relation.unmute", { name }),
          icon: "bell",
          act: act("unmute", t("relation.unmuted", { name })),
        }
      : { text: t("relation.mute", { name }), icon: "moon", href: `${path}/mute`, isSheet: true },
    relation?.blocking
      ? {
          text: t("relation.unblock", { name }),
          icon: "check",
          act: act("unblock", t("relation.unblocked", { name })),
        }
      : {
          text: t("relation.block", { name }),
          icon: "close",
          href: `${path}/block`,
          isSheet: true,
          isBad: true,
        },
    domain &&
      !relation?.domain_blocking && {
        text: t("relation.domain", { domain }),
        icon: "globe",
        href: `${path}/block_domain`,
        isSheet: true,
        isBad: true,
      },
    {
      text: t("relation.report", { name }),
      icon: "warning",
      href: `${path}/report${query}`,
      isSheet: true,
      isBad: true,
    },
    moderates(app) && null,
    moderates(app) && {
      text: t("relation.moderate", { name }),
      icon: "shield",
      href: `/admin/accounts/${account.id}`,
    },
  ].filter((item) => item !== "") as MenuItems;
};

/** Copies an address. There is no clipboard without https, and a browser may refuse it. */
const copy =
  ({ t }: App, url: string) =>
  async () => {
    const copied = await navigator.clipboard?.writeText(url).then(
      () => true,
      () => false,
    );
    say(copied ? t("menu.copied") : t("menu.not_copied", { url }));
  };

/** Returns items to copy, share and open the original address. */
export const addressItems = (app: App, url: string | null, isElsewhere: boolean): MenuItems => {
  const { t } = app;
  if (!url || !/^https?:\/\//i.test(url)) return [];
  const canShare = typeof navigator !== "undefined" && typeof navigator.share === "function";
  return [
    { text: t("menu.copy"), icon: "link", run: copy(app, url) },
    canShare && {
      text: t("menu.share"),
      icon: "out",
      run: () => navigator.share({ url }).catch(() => undefined),
    },
    isElsewhere && { text: t("menu.original"), icon: "globe", href: url, isOutside: true },
  ];
};

const OPTION_ICONS = { notify: "bell", reblogs: "boost", replies: "reply" } as const;

const followingItems = ({ t, store }: App, account: Account): MenuItems => {
  const relation = store.relationships.get(account.id)?.value;
  if (!relation) return [];
  const path = profilePath(account);
  const { following, showing_reblogs: boosts, notifying, endorsed } = relation;
  const replies = relation.showing_replies ?? true;
  const option = (name: keyof typeof OPTION_ICONS, isOn: boolean, text: string): MenuItem => ({
    text,
    icon: OPTION_ICONS[name],
    act: { kind: "accounts", id: account.id, act: "follow", name, value: String(!isOn) },
  });
  return [
    following &&
      option("reblogs", boosts, t(boosts ? "relation.hide_boosts" : "relation.show_boosts")),
    following &&
      option("replies", replies, t(replies ? "relation.hide_replies" : "relation.show_replies")),
    following &&
      option("notify", notifying, t(notifying ? "relation.bell_off" : "relation.bell_on")),
    following && {
      text: t("relation.follow_options"),
      icon: "gear",
      href: `${path}/follow`,
      isSheet: true,
    },
    following && {
      text: t(endorsed ? "relation.unendorse" : "relation.endorse"),
      icon: "pin",
      act: { kind: "accounts", id: account.id, act: endorsed ? "unendorse" : "endorse" },
    },
    following && { text: t("relation.lists"), icon: "list", href: `${path}/lists`, isSheet: true },
    { text: t("relation.note"), icon: "pen", href: `${path}/note`, isSheet: true },
    relation.followed_by && {
      text: t("relation.remove"),
      icon: "person",
      href: `${path}/remove`,
      isSheet: true,
      isBad: true,
    },
  ];
};

/** Returns the menu of a profile. */
export const personMenu = (app: App, account: Account): MenuItems => {
  const { t, me } = app;
  const isOwn = me?.id === account.id;
  const to = (visibility: string) =>
    `/compose?${new URLSearchParams({ text: `@${account.acct} `, visibility })}`;
  return [
    ...addressItems(app, account.url, account.acct.includes("@")),
    ...(me && !isOwn
      ? ([
          null,
          { text: t("relation.mention"), icon: "at", href: to("public") },
          { text: t("relation.message"), icon: "mail", href: to("direct") },
          null,
          ...followingItems(app, account),
          null,
          ...againstItems(app, account),
        ] satisfies MenuItems)
      : []),
  ];
};
