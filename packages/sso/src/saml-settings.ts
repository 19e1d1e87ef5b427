// What has to be known of a provider of SAML 2.0, and of this server to it.

/** Where people sign in at a provider, and the certificates (PEM) of which one has to have signed. */
export type Place = { signIn: string; certificates: readonly string[] };

/** Names of attributes, of which the first that somebody has is read. */
export type AttributeNames = Record<
  "username" | "email" | "name" | "first" | "last" | "verified" | "verifiedEmail" | "groups",
  readonly string[]
> & {
  /** The attribute that is the person; null for the NameID. */
  subject: string | null;
};

export type SamlSettings = {
  /** The entityID of the provider. */
  issuer: string;
  /** The entityID of this server. */
  audience: string;
  provider: Place | { url: string } | { metadata: string };
  /** Which NameID is asked for; null for any. */
  format: string | null;
  names: AttributeNames;
  /** Whether addresses count as verified although the provider does not say so. */
  assumesVerified: boolean;
  /** Whether the assertion itself has to be signed; otherwise the response around it may be instead. */
  wantsAssertionSigned: boolean;
  /** Seconds by which clocks may differ. */
  drift: number;
  /** By which requests are signed; null where they are not. */
  key: { privateKey: string; certificate: string } | null;
};
