// Providers of this server: that of the environment, and those that the staff added.

import type { App } from "../../../platform/app.ts";
import type { Db } from "../../../platform/db/index.ts";
import { parseId } from "../../../platform/ids/index.ts";
import { unseal } from "../../../platform/seal.ts";
import { lockProvider, selectProvider, selectProviders } from "./queries.ts";
import { DEFAULT_SETTINGS } from "./tables.ts";
import type { OidcProvider, Provider, ProviderRow } from "./tables.ts";

/** Ids of the providers of the environment. Their paths are Mastodon's, so that what is registered there still fits. */
export const OPEN_ID = "openid_connect";
export const SAML_ID = "saml";

export const purposeOf = (issuer: string) => ({ what: "sso client secret", owner: issuer });

const providerOf = (app: App, { sealed_secret, settings, ...row }: ProviderRow): OidcProvider => ({
  ...row,
  settings: { ...settings, claims: { ...DEFAULT_SETTINGS.claims, ...settings.claims } },
  secret: sealed_secret && unseal(app, purposeOf(row.issuer), sealed_secret),
});

const ofEnvironment = ({ config: { sso, saml } }: App): Provider[] => [
  ...(sso.provider ? [{ id: OPEN_ID, kind: "oidc" as const, ...sso.provider }] : []),
  ...(saml ? [{ id: SAML_ID, kind: "saml" as const, ...saml }] : []),
];

export const listProviders = async (app: App): Promise<Provider[]> => {
  const first = ofEnvironment(app);
  const rows = await selectProviders(app.sql);
  const others = rows.filter((row) => first.every(({ issuer }) => row.issuer !== issuer));
  return [...first, ...others.map((row) => providerOf(app, row))];
};

/** Whether the staff has added a provider, which is not of the environment. */
export const isAdded = (provider: Provider): provider is OidcProvider =>
  parseId(provider.id) !== null;

/** Returns null for one that the staff has not added, or there is no longer. */
export const findAdded = async (app: App, id: string): Promise<OidcProvider | null> => {
  const row = parseId(id) ? await selectProvider(app.sql, id) : null;
  return row && providerOf(app, row);
};

/** Reads one that the staff added, which nobody else changes before the transaction ends. */
export const takeProvider = async (app: App, tx: Db, id: string): Promise<OidcProvider | null> => {
  const row = await lockProvider(tx, id);
  return row && providerOf(app, row);
};

/** Returns what the form of a provider shows. */
export const shownOf = ({ name, settings }: Provider) => ({ name, settings });

/** Returns null for one that there is no longer. */
export const findProvider = async (app: App, id: string): Promise<Provider | null> =>
  ofEnvironment(app).find((each) => each.id === id) ?? findAdded(app, id);

/** Returns the address to which the provider sends people back, which is registered there. */
export const callbackUrl = ({ config }: App, { id }: Pick<Provider, "id">): string =>
  id === OPEN_ID || id === SAML_ID
    ? `${config.site.origin}/auth/auth/${id}/callback`
    : `${config.site.origin}/auth/sso/${id}/callback`;

/** Returns where this server says to a provider of SAML how it is reached; null for others, which do not ask. */
export const metadataUrl = ({ config }: App, { id }: Pick<Provider, "id">): string | null =>
  id === SAML_ID ? `${config.site.origin}/auth/auth/saml/metadata` : null;

export const SIGNED_OUT = "/auth/sign_in?done=signed_out";

/** Returns the address to which the provider sends people who have signed out there, which is registered there too. */
export const signedOutUrl = ({ config }: App): string => `${config.site.origin}${SIGNED_OUT}`;
