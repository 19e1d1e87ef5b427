// Types of providers, their rows, and who somebody is at one.

import type { OpenIdSettings, SamlSettings } from "#sso";
import { DEFAULT_CLAIMS } from "../../../platform/config/sso.ts";

export const PROVIDER_KINDS = ["oidc"] as const;

export type ProviderKind = (typeof PROVIDER_KINDS)[number];

export type GroupRole = { group: string; role: string };

/** What the staff decided about everybody who comes by a provider, whatever its protocol. */
export type EntryRules = {
  /** Whether people without an account here get one. */
  signsUp: boolean;
  /** Whether a verified address links somebody to the account that has it. */
  linksByEmail: boolean;
  /** Whether the provider's sign-in stands for a second factor, so that ours is not asked for. */
  isStrong: boolean;
  /** Groups of which one is needed to enter; none for everybody. */
  groups: readonly string[];
  /** Roles by group, the first that fits; none leaves roles to the staff. */
  roles: readonly GroupRole[];
};

export type ProviderSettings = EntryRules &
  Omit<OpenIdSettings, "issuer" | "clientSecret" | "allowsHttp"> & {
    /** Whether it is in one's own network, where the guarded client sends nothing otherwise. */
    isInside: boolean;
  };

export type ProviderRow = {
  id: string;
  kind: ProviderKind;
  name: string;
  issuer: string;
  settings: ProviderSettings;
  sealed_secret: Buffer | null;
  created_at: Date;
};

type Named = { id: string; name: string; issuer: string };

export type OidcProvider = Named & {
  kind: ProviderKind;
  settings: ProviderSettings;
  secret: string | null;
};

/** The provider of SAML, which the environment alone has. */
export type SamlProvider = Named & {
  kind: "saml";
  settings: EntryRules & Pick<ProviderSettings, "assumesVerified" | "isInside">;
  saml: Omit<SamlSettings, "assumesVerified">;
};

export type Provider = OidcProvider | SamlProvider;

/** Whatever vouches for people: a provider, or the directory whose passwords they use. */
export type Source = Named & {
  kind: Provider["kind"] | "ldap";
  settings: EntryRules;
};

export const DEFAULT_SETTINGS: Omit<ProviderSettings, "clientId"> = {
  signsUp: true,
  linksByEmail: false,
  isStrong: false,
  groups: [],
  roles: [],
  clientAuth: "basic",
  scope: "openid profile email",
  endpoints: null,
  claims: DEFAULT_CLAIMS,
  assumesVerified: false,
  isInside: false,
};

export type IdentityRow = {
  id: string;
  user_id: string;
  issuer: string;
  subject: string;
  email: string | null;
  sealed_token: Buffer | null;
  checked_at: Date | null;
  created_at: Date;
  used_at: Date | null;
  /** When the provider deleted them, who are out since. */
  ended_at: Date | null;
};

/** How a provider began a session. */
export type BegunSession = { session_id: string; issuer: string; sealed_id_token: Buffer | null };
