// The public API: the port, and the protocols.

export { openIdConnect } from "./openid-connect.ts";
export type { OpenIdSettings } from "./openid-connect.ts";
export { ldap } from "./ldap.ts";
export type { Directory, LdapSettings } from "./ldap.ts";
/** Loads SAML, of which nobody else needs the XML. */
export const loadSaml = async () => ({
  ...(await import("./saml.ts")),
  ...(await import("./saml-metadata.ts")),
});
export type { SamlSettings } from "./saml-settings.ts";
export type { ClaimNames } from "./claims.ts";
export { SsoError } from "./port.ts";
export type {
  Examination,
  Grant,
  Identity,
  Kept,
  Logout,
  Protocol,
  Send,
  SignIn,
  SsoFault,
} from "./port.ts";
