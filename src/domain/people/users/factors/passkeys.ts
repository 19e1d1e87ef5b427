// Manages passkeys (WebAuthn level 3): a key in the person's device that needs a fingerprint, face or PIN, and so
// replaces both password and code.

import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import type { App } from "../../../../platform/app.ts";
import { Unprocessable } from "../../../../platform/errors.ts";
import { says } from "../../../../platform/text/texts.ts";
import { noticeOf } from "../security-notices.ts";
import {
  deletePasskey,
  insertPasskey,
  selectPasskey,
  selectPasskeys,
  updatePasskeyUse,
} from "./queries.ts";
import type { PasskeyRow } from "./queries.ts";

// Loads the library with the first passkey, since its ASN.1 and CBOR readers take some 10 MB.
const library = () => import("@simplewebauthn/server");

const NAME_LENGTH = 60;
const MOST = 20;
const TIMEOUT = 300_000;

/** Returns the relying party: the name of the host that serves the pages, without a port. */
const relyingParty = (app: App): string => new URL(app.config.site.origin).hostname;

export const listPasskeys = (app: App, userId: string): Promise<PasskeyRow[]> =>
  selectPasskeys(app.sql, userId);

type Member = { userId: string; username: string; displayName: string };

/** Returns the options of `navigator.credentials.create`. */
export const creationOptions = async (
  app: App,
  who: Member,
  challenge: string,
): Promise<PublicKeyCredentialCreationOptionsJSON> => {
  const { generateRegistrationOptions } = await library();
  const present = await selectPasskeys(app.sql, who.userId);
  return generateRegistrationOptions({
    rpName: app.config.site.localDomain,
    rpID: relyingParty(app),
    userID: new TextEncoder().encode(who.userId),
    userName: who.username,
    userDisplayName: who.displayName || who.username,
    challenge: new Uint8Array(Buffer.from(challenge, "base64url")),
    timeout: TIMEOUT,
    attestationType: "none",
    excludeCredentials: present.map((row) => ({ id: row.credential_id })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
};

/** Returns the options of `navigator.credentials.get`; with `of` for this person's passkeys, otherwise for any. */
export const requestOptions = (
  app: App,
  challenge: string,
  of: PasskeyRow[] = [],
): PublicKeyCredentialRequestOptionsJSON => ({
  challenge,
  rpId: relyingParty(app),
  timeout: TIMEOUT,
  userVerification: "required",
  allowCredentials: of.map((row) => ({ id: row.credential_id, type: "public-key" })),
});

const parse = <T>(text: string): T | null => {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null && typeof value.id === "string"
      ? value
      : null;
  } catch {
    return null;
  }
};

/** Returns the result of the library; null for wrong or malformed input, for which it throws. */
const verified = async <T>(app: App, verify: () => Promise<T>): Promise<T | null> => {
  try {
    return await verify();
  } catch (error) {
    app.log.info({ reason: (error as Error).message }, "a passkey was refused");
    return null;
  }
};

const expected = (app: App, challenge: string) => ({
  expectedChallenge: challenge,
  expectedOrigin: app.config.site.origin,
  expectedRPID: relyingParty(app),
  requireUserVerification: true,
});

const verifyNew = async (app: App, response: RegistrationResponseJSON, challenge: string) => {
  const { verifyRegistrationResponse } = await library();
  return verified(app, () =>
    verifyRegistrationResponse({
      response,
      ...expected(app, challenge),
    }),
  );
};

type AddPasskey = { userId: string; name: string; credential: string; challenge: string };

/** Stores a new passkey; throws a sentence that says what is wrong with it. */
export const addPasskey = async (app: App, input: AddPasskey): Promise<void> => {
  const response = parse<RegistrationResponseJSON>(input.credential);
  const result = response && (await verifyNew(app, response, input.challenge));
  if (!response || !result?.verified) throw new Unprocessable(says("passkey.unreadable"));
  if ((await selectPasskeys(app.sql, input.userId)).length >= MOST) {
    throw new Unprocessable(says("passkey.too_many", { count: MOST }));
  }
  const { credential } = result.registrationInfo;
  const stored = await app.sql.begin(async (tx) => {
    const inserted = await insertPasskey(tx, {
      user_id: input.userId,
      credential_id: credential.id,
      public_key: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: (credential.transports ?? []).filter((transport) =>
        /^[a-z-]{1,20}$/.test(transport),
      ),
      name: input.name.trim().slice(0, NAME_LENGTH) || "Passkey",
      created_at: app.clock.now(),
    });
    if (inserted) await noticeOf(app, tx, input.userId, "passkey-added");
    return inserted;
  });
  if (!stored) throw new Unprocessable(says("passkey.registered"));
};

export const removePasskey = (app: App, userId: string, id: string): Promise<void> =>
  app.sql.begin(async (tx) => {
    if (await deletePasskey(tx, userId, id)) await noticeOf(app, tx, userId, "passkey-removed");
  });

const verifyUse = async (
  app: App,
  response: AuthenticationResponseJSON,
  row: PasskeyRow,
  challenge: string,
) => {
  const { verifyAuthenticationResponse } = await library();
  return verified(app, () =>
    verifyAuthenticationResponse({
      response,
      ...expected(app, challenge),
      credential: {
        id: row.credential_id,
        publicKey: new Uint8Array(row.public_key),
        counter: Number(row.counter),
      },
    }),
  );
};

/** Returns the owner of the passkey that signed the challenge, or null. */
export const checkPasskey = async (
  app: App,
  credential: string,
  challenge: string,
): Promise<string | null> => {
  const response = parse<AuthenticationResponseJSON>(credential);
  const row = response && (await selectPasskey(app.sql, response.id));
  if (!response || !row) return null;
  const result = await verifyUse(app, response, row, challenge);
  if (!result?.verified) return null;
  const counter = { from: row.counter, to: result.authenticationInfo.newCounter };
  const noted = await updatePasskeyUse(app.sql, row.id, counter, app.clock.now());
  return noted ? row.user_id : null;
};
