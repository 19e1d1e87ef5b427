// The data of the cards of people who sign in, sign up, or follow a link of a mail, by name (cards/).

import type { CustomEmoji } from "../api/entities.ts";
import type { Key, Link, Words } from "./words.ts";

/** Options for the browser, as JSON, and a ticket that proves that they are ours. */
export type PasskeyUse = { options: string; ticket: string };

/** Accounts that the browser keeps signed in. */
export type Held = readonly { accountId: string; username: string }[];

/** Set where the server sends no mails: the address of its staff, "" where it has none. */
export type NoMail = { contact: string } | null;

export type CardPages = {
  /** Says something, and leads on. */
  message: {
    texts: readonly Words[];
    soft?: Words;
    buttons?: readonly Link[];
    below?: readonly Link[];
  };
  "sign-in": { returnTo: string | null; isOpen: boolean; passkey: PasskeyUse; held: Held };
  "second-step": { returnTo: string | null; passkey: PasskeyUse | null };
  "sign-up": {
    /** True where the staff decides. */
    isAsked: boolean;
    invite: { username: string; code: string } | null;
    minimumAge: number | null;
    rules: readonly { text: string; hint: string }[];
    /** Days of the terms in force, and of those that will be. */
    terms: { current: string | null; next: string | null };
  };
  setup: { token: string };
  "awaits-owner": null;
  confirmed: { email: string; username: string; standing: string; token: string };
  captcha: { siteKey: string; token: string };
  "ask-for-mail": { kind: "confirmation" | "reset" };
  "confirmation-sent": { noMail: NoMail; days: number };
  unconfirmed: { email: string; userId: string; ticket: string; noMail: NoMail; days: number };
  standing: { text: Key; mayAppeal: boolean; held: Held };
  "choose-password": { token: string; username: string };
  consent: {
    name: string;
    emojis: readonly CustomEmoji[];
    app: { name: string; website: string | null };
    isForStaff: boolean;
    permissions: readonly { title: string; text?: string | undefined }[];
    /** Parameters of the request, which the form carries. */
    carried: Readonly<Record<string, string>>;
    /** Accounts as which the app may act, with handles; the person's own first. */
    accounts: readonly { id: string; handle: string }[];
    chosen: string;
    /** Where the decision leads. */
    next: string;
    otherAccount: string;
  };
  "consent-code": { code: string };
  unsubscribe: { path: string; username: string; kind: Key };
};
