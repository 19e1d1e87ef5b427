// A provider of SAML 2.0 on loopback, for tests: it signs in whoever is named, by a form where a browser comes, and says
// whatever a test wants it to say. It signs by the library that node-saml checks signatures with.

import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { inflateRawSync } from "node:zlib";
import { SignedXml } from "xml-crypto";

type Values = Record<string, string | readonly string[]>;

export type SamlPerson = { nameId: string; attributes: Values };

type Signs = "assertion" | "response" | "both" | "nothing";

/** What an assertion says; a test changes what it lies about. */
export type Assertion = SamlPerson & {
  id: string;
  issuer: string;
  audience: string;
  recipient: string;
  /** The request that the response and the assertion name; null for none. */
  request: string | null;
  confirmedRequest: string | null;
  format: string;
  /** Seconds from now. */
  from: number;
  until: number;
  method: string;
  signs: Signs;
  key: SamlKey;
  digest: "sha1" | "sha256";
  status: string;
  /** Whether the assertion is about a sign-in. */
  isSignIn: boolean;
};

export type SamlRequest = { id: string; acs: string; audience: string; xml: string };

const PROTOCOL = "urn:oasis:names:tc:SAML:2.0:protocol";
const ASSERTION = "urn:oasis:names:tc:SAML:2.0:assertion";
const EXCLUSIVE = "http://www.w3.org/2001/10/xml-exc-c14n#";

/** Says that somebody signed in. */
const AUTHENTICATED =
  `<saml:AuthnStatement AuthnInstant="${new Date().toISOString()}" SessionIndex="s1"><saml:AuthnContext>` +
  `<saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef>` +
  `</saml:AuthnContext></saml:AuthnStatement>`;

const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts);
  const size = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
};

const SHA256_WITH_RSA = der(0x30, Buffer.from("06092a864886f70d01010b0500", "hex"));

/** Writes a certificate of a key by itself, in which nothing but the key matters. */
const certificateOf = (privateKey: KeyObject, spki: Buffer): string => {
  const name = der(
    0x30,
    der(0x31, der(0x30, Buffer.from("0603550403", "hex"), der(0x0c, Buffer.from("city")))),
  );
  const times = der(
    0x30,
    ...["250101000000Z", "490101000000Z"].map((time) => der(0x17, Buffer.from(time))),
  );
  const version = der(0xa0, der(0x02, Buffer.from([2])));
  const serial = der(0x02, Buffer.from([1]));
  const told = der(0x30, version, serial, SHA256_WITH_RSA, name, times, name, spki);
  const signature = der(0x03, Buffer.from([0]), sign("sha256", told, privateKey));
  const body = der(0x30, told, SHA256_WITH_RSA, signature).toString("base64");
  return `-----BEGIN CERTIFICATE-----\n${body.match(/.{1,64}/g)!.join("\n")}\n-----END CERTIFICATE-----\n`;
};

/** Makes a key with its certificate, as PEM. */
export const newSamlKey = () => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return {
    privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    certificate: certificateOf(privateKey, publicKey.export({ type: "spki", format: "der" })),
  };
};

export type SamlKey = ReturnType<typeof newSamlKey>;

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

const at = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();

const attributesOf = (attributes: Values): string =>
  Object.entries(attributes)
    .map(([name, values]) => {
      const each = [values]
        .flat()
        .map((value) => `<saml:AttributeValue>${escaped(value)}</saml:AttributeValue>`);
      return `<saml:Attribute Name="${escaped(name)}">${each.join("")}</saml:Attribute>`;
    })
    .join("");

const named = (name: string, value: string | null): string =>
  value === null ? "" : ` ${name}="${escaped(value)}"`;

export const assertionXml = (said: Assertion): string =>
  `<saml:Assertion xmlns:saml="${ASSERTION}" ID="${said.id}" Version="2.0" IssueInstant="${at(0)}">` +
  `<saml:Issuer>${escaped(said.issuer)}</saml:Issuer>` +
  `<saml:Subject><saml:NameID Format="${said.format}">${escaped(said.nameId)}</saml:NameID>` +
  `<saml:SubjectConfirmation Method="${said.method}"><saml:SubjectConfirmationData` +
  `${named("InResponseTo", said.confirmedRequest)} Recipient="${escaped(said.recipient)}" NotOnOrAfter="${at(said.until)}"/>` +
  `</saml:SubjectConfirmation></saml:Subject>` +
  `<saml:Conditions NotBefore="${at(said.from)}" NotOnOrAfter="${at(said.until)}"><saml:AudienceRestriction>` +
  `<saml:Audience>${escaped(said.audience)}</saml:Audience></saml:AudienceRestriction></saml:Conditions>` +
  (said.isSignIn ? AUTHENTICATED : "") +
  `<saml:AttributeStatement>${attributesOf(said.attributes)}</saml:AttributeStatement></saml:Assertion>`;

const responseXml = (said: Assertion, assertion: string): string =>
  `<samlp:Response xmlns:samlp="${PROTOCOL}" ID="_${randomBytes(16).toString("hex")}" Version="2.0" IssueInstant="${at(0)}"` +
  `${named("InResponseTo", said.request)} Destination="${escaped(said.recipient)}">` +
  `<saml:Issuer xmlns:saml="${ASSERTION}">${escaped(said.issuer)}</saml:Issuer>` +
  `<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${said.status}"/></samlp:Status>` +
  `${assertion}</samlp:Response>`;

const signed = (
  xml: string,
  name: "Assertion" | "Response",
  { key, digest }: Assertion,
): string => {
  const element = `//*[local-name(.)='${name}']`;
  const signature = new SignedXml({
    privateKey: key.privateKey,
    canonicalizationAlgorithm: EXCLUSIVE,
    signatureAlgorithm:
      digest === "sha1"
        ? "http://www.w3.org/2000/09/xmldsig#rsa-sha1"
        : "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
  });
  signature.addReference({
    xpath: element,
    transforms: ["http://www.w3.org/2000/09/xmldsig#enveloped-signature", EXCLUSIVE],
    digestAlgorithm:
      digest === "sha1"
        ? "http://www.w3.org/2000/09/xmldsig#sha1"
        : "http://www.w3.org/2001/04/xmlenc#sha256",
  });
  signature.computeSignature(xml, {
    location: { reference: `${element}/*[local-name(.)='Issuer']`, action: "after" },
  });
  return signature.getSignedXml();
};

/** Writes the whole response. */
export const answerXml = (said: Assertion): string => {
  const whole = said.status === "Success" ? assertionXml(said) : "";
  const isSigned = said.signs === "assertion" || said.signs === "both";
  const response = responseXml(said, whole && isSigned ? signed(whole, "Assertion", said) : whole);
  return said.signs === "response" || said.signs === "both"
    ? signed(response, "Response", said)
    : response;
};

export const encoded = (xml: string): string => Buffer.from(xml).toString("base64");

const requestIn = (url: string): SamlRequest => {
  const message = new URL(url, "http://localhost").searchParams.get("SAMLRequest") ?? "";
  const xml = inflateRawSync(Buffer.from(message, "base64")).toString();
  const value = (pattern: RegExp): string => pattern.exec(xml)?.[1] ?? "";
  return {
    id: value(/ ID="([^"]+)"/),
    acs: value(/AssertionConsumerServiceURL="([^"]+)"/),
    audience: value(/<saml:Issuer[^>]*>([^<]+)</),
    xml,
  };
};

const page = (content: string): string =>
  `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>City</title>
  <h1>City directory</h1>${content}</html>`;

export const startSamlServer = async () => {
  const people = new Map<string, SamlPerson>();
  const key = newSamlKey();

  /** Says what is true; a test changes it before it is written. */
  const honest = ({ id, acs, audience }: SamlRequest, who: string): Assertion => ({
    ...people.get(who)!,
    id: `_${randomBytes(16).toString("hex")}`,
    issuer: entityId,
    audience,
    recipient: acs,
    request: id,
    confirmedRequest: id,
    format: "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent",
    from: -5,
    until: 300,
    method: "urn:oasis:names:tc:SAML:2.0:cm:bearer",
    signs: "assertion",
    key,
    digest: "sha256",
    status: "Success",
    isSignIn: true,
  });

  const metadata = (): string => {
    const body = key.certificate.replaceAll(/-----[^-]+-----|\s/g, "");
    return (
      `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityId}"><md:IDPSSODescriptor` +
      ` protocolSupportEnumeration="${PROTOCOL}"><md:KeyDescriptor use="signing"><ds:KeyInfo` +
      ` xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${body}</ds:X509Certificate>` +
      `</ds:X509Data></ds:KeyInfo></md:KeyDescriptor><md:SingleSignOnService` +
      ` Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${origin}/sso"/>` +
      `</md:IDPSSODescriptor></md:EntityDescriptor>`
    );
  };

  const answerPage = (url: URL): string => {
    const who = url.searchParams.get("login");
    const request = url.searchParams.get("SAMLRequest") ?? "";
    if (who === null)
      return page(`<form action="/sso"><input type="hidden" name="SAMLRequest" value="${escaped(request)}">
        <label>Name <input name="login" autofocus></label><button>Sign in</button></form>`);
    const asked = requestIn(url.href);
    return page(`<form method="post" action="${escaped(asked.acs)}"><input type="hidden" name="SAMLResponse"
      value="${encoded(answerXml(honest(asked, who)))}"><button>Go on</button></form>`);
  };

  const server = createServer((request, response) => {
    const url = new URL(request.url!, "http://localhost");
    const isMetadata = url.pathname === "/metadata";
    response.setHeader("content-type", isMetadata ? "application/samlmetadata+xml" : "text/html");
    response.end(isMetadata ? metadata() : answerPage(url));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // For a browser this is another site than that of a server at 127.0.0.1.
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  const entityId = `${origin}/metadata`;

  return {
    origin,
    entityId,
    key,
    people,
    metadata,
    honest,
    /** Adds somebody whose NameID says nothing. */
    add(who: string, attributes: Values = {}): void {
      const nameId = createHash("sha256").update(who).digest("hex");
      people.set(who, {
        nameId,
        attributes: { uid: who, mail: `${who}@city.example`, ...attributes },
      });
    },
    request: requestIn,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};

export type SamlServer = Awaited<ReturnType<typeof startSamlServer>>;
