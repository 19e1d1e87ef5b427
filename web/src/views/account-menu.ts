// The menu of the accounts that this browser keeps signed in: switching, adding one, signing out.

import { addressOf } from "../app.ts";
import type { App, Place } from "../app.ts";
import type { MenuItem, MenuItems } from "../elements/menu.tsx";

/** Accounts with the present one; the server keeps as many. */
export const MAX_ACCOUNTS = 5;

export const switchPath = (id: string): string => `/auth/accounts/${id}/switch`;
export const leavePath = (id: string): string => `/auth/accounts/${id}/sign_out`;
export const ADD_PATH = "/auth/sign_in?force=1";
export const SIGN_OUT_PATH = "/auth/sign_out";

/** Pages that every account has. */
const SHARED = /^\/(?:@|tags\/|explore|public|search|about|collections\/)/;

/** Returns the page after switching: the same one, unless it belongs to one account alone. */
const afterSwitch = (place: Place): string =>
  SHARED.test(place.path) ? addressOf(place) : "/home";

type Using = Pick<App, "me" | "others" | "linked" | "place" | "t">;

/** Whether another account can be signed in to in this browser. */
export const hasRoom = ({ others, linked }: Pick<App, "others" | "linked">): boolean =>
  others.length - linked.length < MAX_ACCOUNTS - 1;

type SignOut = { icon: "out"; text: string; post: string };

/** Returns the ways to sign out: of this account, or of all. */
export const signOuts = ({ me, others, t }: Pick<App, "me" | "others" | "t">): SignOut[] => {
  const all = { icon: "out", post: SIGN_OUT_PATH } as const;
  if (!me || others.length === 0) return [{ ...all, text: t("nav.sign_out") }];
  const name = `@${me.acct}`;
  return [
    { icon: "out", text: t("accounts.sign_out_of", { name }), post: leavePath(me.id) },
    { ...all, text: t("accounts.sign_out_all") },
  ];
};

export const accountMenu = (app: Using): MenuItems => {
  const { others, place, t } = app;
  return [
    ...others.map(({ id, acct }): MenuItem => ({
      icon: "person",
      text: t("accounts.switch_to", { name: `@${acct}` }),
      post: switchPath(id),
      fields: { name: "return_to", value: afterSwitch(place) },
    })),
    hasRoom(app) && {
      icon: "plus",
      text: t("accounts.add"),
      href: ADD_PATH,
    },
    null,
    ...signOuts(app),
  ];
};
