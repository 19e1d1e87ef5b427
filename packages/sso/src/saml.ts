// SAML 2.0: the browser profile over `@node-saml/node-saml`, which checks signatures, audience and times, and reads
// nothing but what a signature covers. What it leaves to its users is checked here: which documents are read at all, by
// which algorithms they are signed, issuer, recipient, and that an assertion counts once.
// https://docs.oasis-open.org/security/saml/v2.0/saml-profiles-2.0-os.pdf

import { randomBytes, X509Certificate } from "node:crypto";
import { SAML, SamlStatusError, ValidateInResponseTo } from "@node-saml/node-saml";
import type { Profile } from "@node-saml/node-saml";
import { identityIn } from "./claims.ts";
import { judging } from "./judged.ts";
import { SsoError } from "./port.ts";
import type { Examination, Identity, Kept, Protocol, Send, SsoFault } from "./port.ts";
import { algorithmsIn, parseXml, placeIn } from "./saml-metadata.ts";
import type { Place, SamlSettings } from "./saml-settings.ts";

/** Notes an id until then; returns false for one that was noted before. */
export type Once = (id: string, until: Date) => Promise<boolean>;

const BEARER = "urn:oasis:names:tc:SAML:2.0:cm:bearer";
/** Formats of a NameID that is somebody else's later: of one session, and addresses. */
const PASSING = /:(?:transient|emailAddress)$/;
const ALGORITHM = /sha(?:256|384|512)$/;
const ATTEMPT_MS = 900_000;

const faultOf = (error: unknown): SsoFault | null => {
  if (error instanceof SamlStatusError) return "denied";
  return error instanceof Error && error.message.startsWith("InResponseTo") ? "mismatch" : null;
};

const judged = judging(faultOf);

const refuse = (why: string): never => {
  throw new SsoError("invalid", why);
};

const messageIn = ({ searchParams }: URL): string => searchParams.get("SAMLResponse") ?? "";

const xmlOf = (message: string): string => Buffer.from(message, "base64").toString("utf8");

/**
 * Refuses what no response needs and attacks are made of: comments, types, sections and instructions, by which readers
 * of the same XML see different texts, and weak signatures.
 */
const checkPlain = (message: string): void => {
  const xml = xmlOf(message);
  if (/<!|<\?(?!xml\s)/.test(xml)) refuse("The response has comments, types or instructions");
  const weak = algorithmsIn(parseXml(xml)).find((algorithm) => !ALGORITHM.test(algorithm));
  if (weak !== undefined) refuse(`The response is signed by ${weak}`);
};

/** An element as node-saml reads it. */
type Read = { $?: Record<string, string>; _?: string } & { [name: string]: Read[] | undefined };

/** Returns the time until which an assertion is confirmed: for this request, and to be brought here. */
const confirmedUntil = (
  assertion: Read,
  { recipient, request, driftMs }: { recipient: string; request: string; driftMs: number },
): Date => {
  const now = Date.now();
  const times = (assertion["Subject"]?.[0]?.["SubjectConfirmation"] ?? [])
    .filter(({ $ }) => $?.["Method"] === BEARER)
    .map((confirmation) => confirmation["SubjectConfirmationData"]?.[0]?.$ ?? {})
    .filter(
      (data) =>
        data["Recipient"] === recipient &&
        data["InResponseTo"] === request &&
        !(Date.parse(data["NotBefore"] ?? "") > now + driftMs),
    )
    .map((data) => Date.parse(data["NotOnOrAfter"] ?? "") + driftMs)
    .filter((time) => time > now);
  if (times.length === 0) refuse("The assertion is not confirmed for this request and address");
  return new Date(Math.max(...times));
};

const textsOf = (attributes: Record<string, unknown>, names: readonly string[]): string[] => {
  const name = names.find((each) => Object.hasOwn(attributes, each));
  const value = name === undefined ? [] : attributes[name];
  return [value]
    .flat()
    .filter((text) => typeof text === "string" && text.trim() !== "") as string[];
};

const CLAIMS = {
  subject: "subject",
  name: "name",
  username: "username",
  picture: "picture",
  email: "email",
  groups: "groups",
};

const identityOf = (settings: SamlSettings, profile: Profile): Identity => {
  const { names, issuer, assumesVerified } = settings;
  const attributes = (profile["attributes"] ?? {}) as Record<string, unknown>;
  const first = (of: readonly string[]): string | undefined => textsOf(attributes, of)[0];
  if (names.subject === null && PASSING.test(profile.nameIDFormat ?? ""))
    refuse(`A NameID of the format ${profile.nameIDFormat} is not one person for ever`);
  const verified = first(names.verifiedEmail);
  const claims = {
    subject: names.subject === null ? profile.nameID : first([names.subject]),
    email: verified ?? first(names.email),
    email_verified: verified !== undefined || /^(?:true|1)$/i.test(first(names.verified) ?? ""),
    name:
      first(names.name) ??
      [first(names.first), first(names.last)].filter((text) => text !== undefined).join(" "),
    username: first(names.username),
    groups: textsOf(attributes, names.groups),
  };
  const identity = identityIn(issuer, claims, CLAIMS, assumesVerified);
  return identity ?? refuse(`The response has no ${names.subject ?? "NameID"}`);
};

export const saml = (settings: SamlSettings, send: Send, once: Once): Protocol => {
  const { issuer, audience, provider, key } = settings;
  const driftMs = settings.drift * 1000;
  let reading: Promise<Place> | null = null;

  const read = async (): Promise<Place> => {
    if ("signIn" in provider) return provider;
    if ("metadata" in provider) return placeIn(provider.metadata, issuer);
    const { status, body } = await send(provider.url, { method: "GET", headers: {} });
    if (status !== 200) throw new SsoError("unreachable", `${provider.url} answers ${status}`);
    return placeIn(new TextDecoder().decode(body), issuer);
  };
  const place = (): Promise<Place> =>
    (reading ??= read().catch((error: unknown) => {
      reading = null;
      throw error;
    }));

  /** Makes the library's object for one request, the only one whose answer it takes. */
  const clientOf = async (callbackUrl: string, { request, at }: Kept): Promise<SAML> => {
    const { signIn, certificates } = await place();
    return new SAML({
      callbackUrl,
      issuer: audience,
      audience,
      idpIssuer: issuer,
      entryPoint: signIn,
      idpCert: [...certificates],
      identifierFormat: settings.format,
      disableRequestedAuthnContext: true,
      wantAssertionsSigned: settings.wantsAssertionSigned,
      wantAuthnResponseSigned: false,
      acceptedClockSkewMs: driftMs,
      validateInResponseTo: ValidateInResponseTo.always,
      requestIdExpirationPeriodMs: ATTEMPT_MS,
      generateUniqueId: () => request!,
      cacheProvider: {
        saveAsync: async () => null,
        getAsync: async (id) => (id === request ? at! : null),
        removeAsync: async () => null,
      },
      ...(key && {
        privateKey: key.privateKey,
        publicCert: key.certificate,
        signatureAlgorithm: "sha256",
        digestAlgorithm: "sha256",
      }),
    });
  };

  return {
    examine: () =>
      judged(async (): Promise<Examination> => {
        const { signIn, certificates } = await place();
        const ends = certificates.map((pem) => new X509Certificate(pem).validTo);
        const endpoints = { authorization: signIn, "certificate until": ends.join(", ") };
        return { endpoints, tellsLogout: false, couldLast: false };
      }),

    begin: (redirectUri) =>
      judged(async () => {
        const kept = {
          request: `_${randomBytes(20).toString("hex")}`,
          at: new Date().toISOString(),
        };
        const client = await clientOf(redirectUri, kept);
        return { url: await client.getAuthorizeUrlAsync("", undefined, {}), kept };
      }),

    answers: (callback, kept) => xmlOf(messageIn(new URL(callback))).includes(kept["request"]!),

    finish: (callback, kept) =>
      judged(async () => {
        const url = new URL(callback);
        const message = messageIn(url);
        const recipient = url.origin + url.pathname;
        checkPlain(message);
        const client = await clientOf(recipient, kept);
        const { profile } = await client.validatePostResponseAsync({ SAMLResponse: message });
        const assertion = profile?.getAssertion?.()["Assertion"] as Read | undefined;
        if (!profile || !assertion) return refuse("The response has no assertion");
        if (profile.issuer !== issuer) refuse(`The assertion is by ${profile.issuer}`);
        if (!assertion["AuthnStatement"]) refuse("The assertion is not about a sign-in");
        const until = confirmedUntil(assertion, { recipient, request: kept["request"]!, driftMs });
        const identity = identityOf(settings, profile);
        if (!(await once(`${issuer} ${assertion.$?.["ID"]}`, until)))
          throw new SsoError("mismatch", "The assertion was used before");
        const session = profile.sessionIndex ?? null;
        return {
          identity,
          grant: { session, idToken: null, refreshToken: null, isLasting: false },
        };
      }),

    // A provider of SAML cannot be asked about somebody who is not there.
    refresh: () => judged(async () => refuse("The provider cannot be asked again")),
    endUrl: async () => null,
    readLogout: () => judged(async () => refuse("Sign-outs of SAML are not taken")),
  };
};
