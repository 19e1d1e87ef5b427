// Metadata of SAML 2.0: reads where a provider is and by which certificates it signs, and writes those of this server.
// https://docs.oasis-open.org/security/saml/v2.0/saml-metadata-2.0-os.pdf

import { createHash, X509Certificate } from "node:crypto";
import { generateServiceProviderMetadata } from "@node-saml/node-saml";
import { DOMParser } from "@xmldom/xmldom";
import { SsoError } from "./port.ts";
import type { Place, SamlSettings } from "./saml-settings.ts";

const METADATA = "urn:oasis:names:tc:SAML:2.0:metadata";
const SIGNATURES = "http://www.w3.org/2000/09/xmldsig#";
const REDIRECT = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect";

/** Parses a document that declares no types and entities, so that nothing in it is expanded or fetched. */
export const parseXml = (xml: string): Document => {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(xml)) throw new SsoError("invalid", "The XML declares a type");
  const refuse = (message: string): never => {
    throw new SsoError("invalid", `The XML cannot be read: ${message}`);
  };
  return new DOMParser({
    errorHandler: { warning: () => {}, error: refuse, fatalError: refuse },
  }).parseFromString(xml, "text/xml");
};

const elementsIn = (parent: Document | Element, namespace: string, name: string): Element[] => {
  const nodes = parent.getElementsByTagNameNS(namespace, name);
  return Array.from({ length: nodes.length }, (_, at) => nodes.item(at)!);
};

/** Lists the algorithms by which anything in a document is signed. */
export const algorithmsIn = (document: Document): string[] =>
  ["SignatureMethod", "DigestMethod"]
    .flatMap((name) => elementsIn(document, SIGNATURES, name))
    .map((element) => element.getAttribute("Algorithm") ?? "");

const certificateIn = (element: Element): string => {
  const body = (element.textContent ?? "").replaceAll(/\s/g, "");
  return new X509Certificate(Buffer.from(body, "base64")).toString();
};

/** Reads the metadata of the provider with this entityID; others that stand beside it are not looked at. */
export const placeIn = (xml: string, issuer: string): Place => {
  const entities = elementsIn(parseXml(xml), METADATA, "EntityDescriptor").filter(
    (entity) => entity.getAttribute("entityID") === issuer,
  );
  const [provider] = entities.flatMap((each) => elementsIn(each, METADATA, "IDPSSODescriptor"));
  if (entities.length !== 1 || !provider)
    throw new SsoError("invalid", `The metadata have no provider ${issuer}`);
  const signIn = elementsIn(provider, METADATA, "SingleSignOnService")
    .find((service) => service.getAttribute("Binding") === REDIRECT)
    ?.getAttribute("Location");
  const certificates = elementsIn(provider, METADATA, "KeyDescriptor")
    .filter((key) => key.getAttribute("use") !== "encryption")
    .flatMap((key) => elementsIn(key, SIGNATURES, "X509Certificate"))
    .map(certificateIn);
  if (!signIn || !/^https?:/.test(signIn) || certificates.length === 0)
    throw new SsoError("invalid", "The metadata have no sign-in by redirect, or no certificate");
  return { signIn, certificates };
};

/** Writes the metadata by which providers get to know this server. */
export const ownMetadata = (
  settings: Omit<SamlSettings, "assumesVerified">,
  callbackUrl: string,
): string => {
  const { audience, format, wantsAssertionSigned, key } = settings;
  const id = createHash("sha256").update(`${audience} ${callbackUrl}`).digest("hex");
  return generateServiceProviderMetadata({
    issuer: audience,
    callbackUrl,
    identifierFormat: format,
    wantAssertionsSigned: wantsAssertionSigned,
    generateUniqueId: () => `_${id}`,
    ...(key && { privateKey: key.privateKey, publicCerts: key.certificate }),
  });
};
