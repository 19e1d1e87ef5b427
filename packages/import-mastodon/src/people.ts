// Imports the people of this server: roles, users with their passwords and second factors, signed-in apps, push.

import {
  instantOf,
  sealedSecret,
  tokenHash,
  tokenSeal,
  isFromElsewhere,
  addDays,
  seal,
} from "./uses.ts";
import type { UserSettings } from "./uses.ts";
import { copied, rowByRow } from "./step.ts";
import type { Row, Step } from "./step.ts";

const EVERYBODY = "-99";

/** Formats bytes as PostgreSQL reads bytea in JSON. */
const bytes = (value: Buffer): string => `\\x${value.toString("hex")}`;

const words = (text: string | null): string[] => (text ?? "").split(/\s+/).filter(Boolean);

const roles: Step = {
  name: "roles",
  from: "user_roles",
  convert: copied("roles", "id name color permissions highlighted position created_at"),
};

const apps: Step = {
  name: "apps",
  from: "oauth_applications",
  sweeps: "oauth_apps",
  convert: rowByRow("oauth_apps", (row) => ({
    id: row.id,
    name: row.name,
    website: row.website || null,
    redirect_uris: words(row.redirect_uri),
    scopes: words(row.scopes),
    client_id: row.uid,
    client_secret_hash: bytes(tokenHash(row.secret)),
    created_at: row.created_at ?? new Date(0),
  })),
};

const invites: Step = {
  name: "invitations",
  from: "invites",
  sweeps: "invites",
  extra: { account_id: "SELECT u.account_id FROM users u WHERE u.id = o.user_id" },
  convert: copied("invites", "id account_id code max_uses uses expires_at created_at"),
};

type OldSettings = Record<string, unknown>;

const text = <T extends string>(value: unknown, allowed: readonly T[]): T | undefined =>
  allowed.find((word) => word === value);

const flag = (value: unknown): boolean | undefined =>
  typeof value === "boolean" ? value : undefined;

const MAILS = "notification_emails.";
const MAIL_NAMES: Record<string, string> = {
  report: "admin.report",
  pending_account: "admin.sign_up",
};

const mailName = (name: string): string => MAIL_NAMES[name] ?? name;

const mailsOf = (old: OldSettings): Record<string, boolean> =>
  Object.fromEntries(
    Object.entries(old).flatMap(([name, value]) =>
      name.startsWith(MAILS) && typeof value === "boolean"
        ? [[mailName(name.slice(MAILS.length)), value]]
        : [],
    ),
  );

/** Converts settings: https://docs.joinmastodon.org/user/preferences/; others belong to Mastodon's own client. */
const settingsOf = (row: Row): UserSettings => {
  const old = (row.settings ? JSON.parse(row.settings) : {}) as OldSettings;
  const mails = mailsOf(old);
  const settings: UserSettings = {
    privacy: text(old["default_privacy"], ["public", "unlisted", "private", "direct"] as const),
    sensitive: flag(old["default_sensitive"]),
    language: typeof old["default_language"] === "string" ? old["default_language"] : undefined,
    quote_policy: text(old["default_quote_policy"], ["public", "followers", "nobody"] as const),
    expand_media: text(old["web.display_media"], ["default", "show_all", "hide_all"] as const),
    expand_spoilers: flag(old["web.expand_content_warnings"]),
    autoplay_gifs: flag(old["web.auto_play"]),
    chosen_languages: row.chosen_languages ?? undefined,
    ...(Object.keys(mails).length > 0 && { mails }),
  } as UserSettings;
  return JSON.parse(JSON.stringify(settings)) as UserSettings;
};

const userOf = (row: Row, locale: string): Row => ({
  id: row.id,
  account_id: row.account_id,
  email: row.email,
  password_hash: row.encrypted_password,
  role_id: row.role_id ?? EVERYBODY,
  locale: row.locale ?? locale,
  time_zone: row.time_zone,
  sign_up_reason: row.reason,
  sign_up_ip: row.sign_up_ip,
  created_by_app_id: row.created_by_application_id,
  confirmed_at: row.confirmed_at,
  approved: row.approved,
  disabled: row.disabled,
  settings: settingsOf(row),
  last_active_at: row.current_sign_in_at,
  invite_id: row.invite_id,
  age_verified_at: row.age_verified_at ?? null,
  created_at: row.created_at,
});

/**
 * Returns bcrypt hashes of recovery codes, which are checked as old passwords are; nobody has any without the second
 * factor.
 */
const recoveryCodes = (row: Row): Row[] =>
  row.otp_required_for_login
    ? ((row.otp_backup_codes ?? []) as string[])
        .filter(isFromElsewhere)
        .map((hash) => ({ user_id: row.id, code_hash: bytes(Buffer.from(hash)) }))
    : [];

const users: Step = {
  name: "users",
  from: "users",
  sweeps: "users",
  extra: { reason: "SELECT r.text FROM user_invite_requests r WHERE r.user_id = o.id LIMIT 1" },
  convert(rows, { app, env }) {
    const codes = rows.flatMap((row) => {
      const secret = row.otp_required_for_login && row.otp_secret && env.decrypt(row.otp_secret);
      if (!secret) return [];
      return {
        user_id: row.id,
        sealed: bytes(sealedSecret(app, row.id, secret)),
        confirmed_at: row.created_at,
        last_step: row.consumed_timestep ?? 0,
      };
    });
    const locale = app.config.instance.locale;
    const ids = rows.map(({ id }) => id);
    return {
      forget: [
        { table: "totp_secrets", column: "user_id", ids },
        { table: "recovery_codes", column: "user_id", ids },
      ],
      into: {
        users: rows.map((row) => userOf(row, locale)),
        totp_secrets: codes,
        recovery_codes: rows.flatMap(recoveryCodes),
      },
    };
  },
};

const passkeys: Step = {
  name: "passkeys",
  from: "webauthn_credentials",
  sweeps: "passkeys",
  convert: copied("passkeys", "id user_id created_at", (row) => ({
    credential_id: row.external_id.replace(/=+$/, ""),
    public_key: bytes(Buffer.from(row.public_key, "base64url")),
    counter: row.sign_count,
    name: row.nickname,
  })),
};

/** Who people are at the providers of OpenID Connect and SAML; those of CAS have none here. */
const identities: Step = {
  name: "sign-ins by a provider",
  from: "identities",
  sweeps: "sso_identities",
  convert: rowByRow("sso_identities", ({ id, user_id, uid, provider, created_at }, { env }) => {
    const issuer = env.issuers[provider] ?? null;
    return issuer !== null && uid ? { id, user_id, issuer, subject: uid, created_at } : null;
  }),
};

const expiryOf = ({ created_at: at, expires_in: seconds }: Row): Date | null =>
  seconds === null ? null : new Date(instantOf(at)!.getTime() + Number(seconds) * 1000);

const tokens: Step = {
  name: "tokens of apps",
  from: "oauth_access_tokens",
  sweeps: "oauth_tokens",
  // Tokens are used and revoked without a time of change.
  changed: null,
  convert: copied("oauth_tokens", "id created_at last_used_at revoked_at", (row) => ({
    token_hash: bytes(tokenHash(row.token)),
    app_id: row.application_id,
    user_id: row.resource_owner_id,
    scopes: words(row.scopes),
    expires_at: expiryOf(row),
  })),
};

type PushData = { alerts?: Record<string, boolean>; policy?: string };

const push: Step = {
  name: "push subscriptions",
  from: "web_push_subscriptions",
  sweeps: "push_subscriptions",
  where: "o.access_token_id IS NOT NULL",
  extra: {
    token: "SELECT t.token FROM oauth_access_tokens t WHERE t.id = o.access_token_id",
    account_id: `SELECT u.account_id FROM oauth_access_tokens t JOIN users u ON u.id = t.resource_owner_id
      WHERE t.id = o.access_token_id`,
  },
  convert: rowByRow("push_subscriptions", (row, { app }) => {
    if (row.account_id === null) return null;
    const data = (row.data ? JSON.parse(row.data) : {}) as PushData;
    return {
      id: row.id,
      token_id: row.access_token_id,
      account_id: row.account_id,
      endpoint: row.endpoint,
      p256dh: bytes(Buffer.from(row.key_p256dh, "base64url")),
      auth: bytes(Buffer.from(row.key_auth, "base64url")),
      standard: row.standard ?? false,
      alerts: data.alerts ?? {},
      policy: data.policy ?? "all",
      access_token: bytes(seal(app, tokenSeal(row.access_token_id), row.token)),
      created_at: row.created_at,
    };
  }),
};

const DELETED_AFTER_DAYS = 30;

const deletions: Step = {
  name: "accounts that are to be deleted",
  from: "account_deletion_requests",
  key: ["account_id"],
  convert: rowByRow("account_deletions", (row) => ({
    account_id: row.account_id,
    due_at: addDays(instantOf(row.created_at)!, DELETED_AFTER_DAYS),
  })),
};

export const PEOPLE_STEPS: Step[] = [
  roles,
  apps,
  invites,
  users,
  passkeys,
  identities,
  tokens,
  push,
  deletions,
];
