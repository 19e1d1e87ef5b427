// The data of the views of settings and of signing in, by name (settings/).

import type { Key } from "./words.ts";

/** The ends of the keys of texts that begin so. */
type Under<Start extends string, K = Key> = K extends `${Start}${infer End}` ? End : never;

type Session = {
  id: string;
  browser: string;
  ip: string | null;
  created_at: Date;
  used_at: Date;
  current: boolean;
};

/** What an app, or the command line, may do. */
type Authorized = {
  app_id: string | null;
  token_id: string;
  name: string | null;
  website: string | null;
  rights: string;
  created_at: Date;
};

export type Invite = {
  id: string;
  code: string;
  uses: number;
  max_uses: number | null;
  created_at: Date;
  expires_at: Date | null;
  isOver: boolean;
};

/** An account that a person may use without its password, or is invited to. */
export type Access = {
  id: string;
  account_id: string;
  username: string;
  kind: "identity" | "owner" | "author";
  created_at: Date;
  accepted_at: Date | null;
  needs_factor: boolean;
};

export type Member = {
  id: string;
  username: string;
  role: "owner" | "author";
  created_at: Date;
  accepted_at: Date | null;
};

type Act = {
  id: string;
  by_name: string | null;
  text: string;
  status_id: string | null;
  created_at: Date;
};

/** What a file or an import is about. */
export type Kind = Under<"transfer.kind.">;

export type ImportLine = {
  id: string;
  kind: Kind;
  file_name: string;
  state: Under<"import.state.">;
  total: number;
  done: number;
  failed: number;
  removed: number;
};

type Month = { id: string; name: string };

export type SettingsPages = {
  /** `isOnlyOwner`: other people act for the account and would lose it. */
  "delete-account": { username: string; domain: string; isOnlyOwner: boolean };
  email: { email: string; pending: string | null };
  password: { username: string };
  "two-factor-off": null;
  "two-factor-on": { left: number };
  /** `drawing` is an SVG of our own. */
  "two-factor-start": { uri: string; secret: string; drawing: string; ticket: string };
  "recovery-codes": { codes: readonly string[]; isFirst: boolean };
  passkeys: {
    passkeys: readonly { id: string; name: string; created_at: Date; used_at: Date | null }[];
    /** Options for the browser, as JSON. */
    options: string;
    ticket: string;
  };
  sessions: { sessions: readonly Session[] };
  apps: { apps: readonly Authorized[] };
  invites: { mayInvite: boolean; origin: string; invites: readonly Invite[] };
  /** `isOwn`: the person signed in to this account itself. */
  identities: {
    linked: readonly Access[];
    shared: readonly Access[];
    isOwn: boolean;
    accountId: string;
  };
  sharing: { shared: readonly Access[]; members: readonly Member[]; isShared: boolean };
  "sharing-log": { acts: readonly Act[]; username: string; older: string | null };
  aliases: { aliases: readonly { uri: string; name: string }[] };
  moved: { url: string; handle: string };
  /** `nextAt`: when one may move again, after a move. */
  migration: { username: string; days: number; nextAt: Date | null };
  export: {
    files: readonly { kind: Kind; path: string; count: number }[];
    /** `nextAt`: when one may ask for another. */
    archive: { id: string; madeAt: Date; megabytes: number; nextAt: Date } | null;
    isWaiting: boolean;
    mayAsk: boolean;
  };
  /** `megabytes`: the most of an archive. */
  imports: { kinds: readonly Kind[]; megabytes: number; imports: readonly ImportLine[] };
  import: {
    row: ImportLine & {
      finished_at: Date | null;
      left_out: Partial<Record<Under<"import.left.">, number>>;
    };
    fault: string | null;
    /** The first lines that failed. */
    failed: readonly { name: string; fault: string }[];
    wouldRemove: { count: number; names: readonly string[] } | null;
  };
  severed: {
    severances: readonly {
      id: string;
      target_name: string;
      type: "account_suspension" | "domain_block" | "user_domain_block";
      purged: boolean;
      following_count: number;
      followers_count: number;
      created_at: Date;
    }[];
  };
  strikes: {
    strikes: readonly { id: string; title: string; created_at: Date; state: string | null }[];
  };
  strike: {
    id: string;
    about: string;
    text: string;
    created_at: Date;
    /** `url` is null where the post was deleted. */
    posts: readonly { url: string | null; text: string; at: Date }[];
    areRemoved: boolean;
    appeal: string | null;
    state: string | null;
    /** Null where one may not appeal. */
    appealUntil: Date | null;
    maxAppeal: number;
  };
  /** `on`: names of the mails that somebody gets. */
  mails: {
    email: string;
    kinds: readonly { name: string; label: Key }[];
    on: readonly string[];
  };
  letter: {
    email: string;
    isOn: boolean;
    month: Month;
    earlier: Month;
    later: Month | null;
    figures: readonly { label: Key; text: string }[];
    top: { path: string; text: string } | null;
  };
  cleanup: {
    ages: readonly Under<"cleanup.age_">[];
    keeps: readonly `keep_${Under<"cleanup.keep_">}`[];
    policy: Readonly<Record<string, string | number | boolean | null>>;
  };
};
