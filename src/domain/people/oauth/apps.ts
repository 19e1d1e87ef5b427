// Registers and authenticates apps. https://docs.joinmastodon.org/methods/apps/

import { timingSafeEqual } from "node:crypto";
import type { App } from "../../../platform/app.ts";
import { Unprocessable } from "../../../platform/errors.ts";
import { OAuthError } from "./errors.ts";
import { insertApp, selectApp, selectAppByClientId } from "./queries.ts";
import { isAllowedRedirect, splitRedirects } from "./redirect-uris.ts";
import { DEFAULT_SCOPE, parseScopes } from "./scopes.ts";
import { newSecret, tokenHash } from "./secret.ts";
import type { OAuthApp } from "./tables.ts";

const NAME_LENGTH = 60;
const ADDRESS_LENGTH = 2000;

type AppForm = { name: string; website: string; redirectUris: string[]; scopes: string };

const isWebsite = (text: string): boolean => /^https?:\/\/[^\s/]/i.test(text) && URL.canParse(text);

const lengthFault = (label: string, length: number, limit: number): string[] =>
  length > limit ? [`${label} is too long (maximum is ${limit} characters)`] : [];

const redirectFaults = (uris: string[]): string[] => {
  if (uris.length === 0) return ["Redirect URI can't be blank"];
  const allowed = uris.every(isAllowedRedirect) ? [] : ["Redirect URI must be an absolute URI."];
  return [...allowed, ...lengthFault("Redirect URI", uris.join("\n").length, ADDRESS_LENGTH)];
};

const websiteFaults = (website: string): string[] => {
  if (website === "") return [];
  const valid = isWebsite(website) ? [] : ["Application website is not a valid URL"];
  return [...valid, ...lengthFault("Application website", website.length, ADDRESS_LENGTH)];
};

/** Returns the app as it will be stored; throws 422 with everything that is wrong. */
export const checkApp = (form: AppForm) => {
  const uris = splitRedirects(form.redirectUris);
  const scopes = parseScopes(form.scopes);
  const faults = [
    ...(form.name.trim() === "" ? ["Application name can't be blank"] : []),
    ...lengthFault("Application name", form.name.length, NAME_LENGTH),
    ...redirectFaults(uris),
    ...websiteFaults(form.website),
    ...(scopes ? [] : ["Scopes do not match those of this server"]),
  ];
  if (faults.length > 0) throw new Unprocessable(`Validation failed: ${faults.join(", ")}`);
  return {
    name: form.name,
    website: form.website || null,
    redirect_uris: uris,
    scopes: scopes!.length > 0 ? scopes! : [DEFAULT_SCOPE],
  };
};

type Registered = OAuthApp & { secret: string };

/** Stores a checked app; the returned secret is stored nowhere as text. */
export const registerApp = async (
  app: App,
  checked: ReturnType<typeof checkApp>,
): Promise<Registered> => {
  const secret = newSecret();
  const hash = tokenHash(secret);
  const row = await insertApp(app.sql, {
    ...checked,
    client_id: newSecret(),
    client_secret_hash: hash,
  });
  return { ...row, secret };
};

export const findApp = (app: App, id: string): Promise<OAuthApp | null> => selectApp(app.sql, id);

export const findClient = (app: App, clientId: string): Promise<OAuthApp | null> =>
  selectAppByClientId(app.sql, clientId);

/** Returns the app of this id and secret; throws invalid_client otherwise. */
export const authenticateClient = async (
  app: App,
  clientId: string | undefined,
  secret: string | undefined,
): Promise<OAuthApp> => {
  const row = clientId ? await selectAppByClientId(app.sql, clientId) : null;
  if (!row || !secret || !timingSafeEqual(tokenHash(secret), row.client_secret_hash)) {
    throw new OAuthError("invalid_client");
  }
  return row;
};

/** Makes the Application entity. https://docs.joinmastodon.org/entities/Application/ */
export const applicationEntity = (app: App, row: OAuthApp) => ({
  id: row.id,
  name: row.name,
  website: row.website,
  scopes: row.scopes,
  redirect_uris: row.redirect_uris,
  redirect_uri: row.redirect_uris.join("\n"),
  vapid_key: app.config.secrets.vapid.publicKey,
});

/** Adds the secret, which only the registration shows. */
export const credentialApplicationEntity = (app: App, row: Registered) => ({
  ...applicationEntity(app, row),
  client_id: row.client_id,
  client_secret: row.secret,
  client_secret_expires_at: 0,
});
