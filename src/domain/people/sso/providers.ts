// Providers of this server: that of the environment, and those that the staff added.

import type { App } from "../../../platform/app.ts";
import type { Db } from "../../../platform/db/index.ts";
import { parseId } from "../../../platform/ids/index.ts";
import { unseal } from "../../../platform/seal.ts";
import { lockProvider, selectProvider, selectProviders } from "./queries.ts";
import { DEFAULT_SETTINGS } from "./tables.ts";
import type { Provider, ProviderRow } from "./tables.ts";

/** Id of the provider of the environment. Its path is Mastodon's, so that what is registered there still fits. */
export const ENVIRONMENT_ID = "openid_connect";

export const purposeOf = (issuer: string) => ({ what: "sso client secret", owner: issuer });

const providerOf = (app: App, { sealed_secret, settings, ...row }: ProviderRow): Provider => ({
  ...row,
  settings: { ...settings, claims: { ...DEFAULT_SETTINGS.claims, ...settings.claims } },
  secret: sealed_secret && unseal(app, purposeOf(row.issuer), sealed_secret),
});

const ofEnvironment = ({ config }: App): Provider | null =>
  config.sso.provider && { id: ENVIRONMENT_ID, kind: "oidc", ...config.sso.provider };

export const listProviders = async (app: App): Promise<Provider[]> => {
  const first = ofEnvironment(app);
  const rows = await selectProviders(app.sql);
  const others = rows.filter(({ issuer }) => issuer !== first?.issuer);
  return [...(first ? [first] : []), ...others.map((row) => providerOf(app, row))];
};

/** Returns null for one that there is no longer. */
export const findProvider = async (app: App, id: string): Promise<Provider | null> => {
  if (id === ENVIRONMENT_ID) return ofEnvironment(app);
  const row = parseId(id) ? await selectProvider(app.sql, id) : null;
  return row && providerOf(app, row);
};

/** Reads one that the staff added, which nobody else changes before the transaction ends. */
export const takeProvider = async (app: App, tx: Db, id: string): Promise<Provider | null> => {
  const row = await lockProvider(tx, id);
  return row && providerOf(app, row);
};

/** Returns what the form of a provider shows. */
export const shownOf = ({ name, settings }: Provider) => ({ name, settings });

/** Returns the address to which the provider sends people back, which is registered there. */
export const callbackUrl = ({ config }: App, { id }: Pick<Provider, "id">): string =>
  id === ENVIRONMENT_ID
    ? `${config.site.origin}/auth/auth/openid_connect/callback`
    : `${config.site.origin}/auth/sso/${id}/callback`;

export const SIGNED_OUT = "/auth/sign_in?done=signed_out";

/** Returns the address to which the provider sends people who have signed out there, which is registered there too. */
export const signedOutUrl = ({ config }: App): string => `${config.site.origin}${SIGNED_OUT}`;
