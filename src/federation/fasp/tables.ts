// Row types of auxiliary providers, and what they can do for this server.
// https://github.com/mastodon/fediverse_auxiliary_service_provider_specifications

/** Capabilities that this server can use, all in version 0. */
export const CAPABILITIES = [
  "data_sharing",
  "account_search",
  "follow_recommendation",
  "trends",
] as const;
export type Capability = (typeof CAPABILITIES)[number];

export type ProviderRow = {
  id: string;
  name: string;
  base_url: string;
  server_id: string;
  public_key: string;
  /** This server's key, sealed; of a registration before keys were, `private_key` as PEM. */
  sealed_key: Buffer | null;
  private_key: string | null;
  /** Those that the provider has, and whether the staff switched them on. */
  capabilities: { id: Capability; enabled: boolean }[];
  wishes: Wish[];
  sign_in_url: string | null;
  privacy_url: string | null;
  confirmed_at: Date | null;
  /** Whom the registration came from (addressKey), while it waits. */
  sender: string | null;
  created_at: Date;
};

export const mayUse = (provider: ProviderRow, capability: Capability): boolean =>
  provider.confirmed_at !== null &&
  provider.capabilities.some(({ id, enabled }) => id === capability && enabled);

/** What providers are told of: posts and profiles. */
export const CATEGORIES = ["content", "account"] as const;

/** What of it: everything that happens to them from now on, or that they trend here. */
export const KINDS = ["lifecycle", "trends"] as const;

/** What a provider asked to be told. */
export type Wish = {
  id: string;
  category: (typeof CATEGORIES)[number];
  kind: (typeof KINDS)[number] | "backfill";
  /** Objects of an announcement, at most. */
  most: number;
  /** Of what was there before: only older ones have not been told, and whether the next part is wanted. */
  before?: string;
  isDue?: boolean;
};
