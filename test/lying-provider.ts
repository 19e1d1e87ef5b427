// A provider on loopback that says what a test makes it say: its ID tokens are signed by whatever key and say whatever
// they like. It shares no code with the server.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { SignJWT, exportJWK, generateKeyPair } from "jose";

type Claims = Record<string, unknown>;

export const LIAR = { id: "liar-client", secret: "a secret of the liar" };

const { publicKey, privateKey } = await generateKeyPair("RS256");
const stranger = await generateKeyPair("RS256");
const KEYS = { keys: [{ ...(await exportJWK(publicKey)), kid: "1", alg: "RS256", use: "sig" }] };

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

export const startLyingProvider = async () => {
  const state = {
    /** What the next ID token says, beside issuer, audience and times. */
    claims: {} as Claims,
    metadata: {} as Claims,
    sign: "right" as "right" | "stranger" | "none",
    userInfo: null as Claims | null,
    /** Codes that were exchanged. */
    codes: [] as string[],
  };

  const idToken = async (claims: Claims): Promise<string> => {
    const now = Math.floor(Date.now() / 1000);
    const all = { iss: issuer, aud: LIAR.id, iat: now, exp: now + 300, sub: "someone", ...claims };
    if (state.sign === "none") return `${encode({ alg: "none" })}.${encode(all)}.`;
    const key = state.sign === "right" ? privateKey : stranger.privateKey;
    return new SignJWT(all).setProtectedHeader({ alg: "RS256", kid: "1" }).sign(key);
  };

  const answers: Record<string, (body: URLSearchParams) => unknown> = {
    "/.well-known/openid-configuration": () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/keys`,
      end_session_endpoint: `${issuer}/end`,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
      ...state.metadata,
    }),
    "/keys": () => KEYS,
    "/token": async (body) => {
      const code = body.get("code") ?? body.get("refresh_token") ?? "";
      if (state.codes.includes(code)) return { error: "invalid_grant" };
      state.codes.push(code);
      return {
        access_token: "access",
        token_type: "Bearer",
        id_token: await idToken(state.claims),
      };
    },
    "/userinfo": () => state.userInfo ?? { sub: state.claims["sub"] ?? "someone" },
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      void (async () => {
        const body = new URLSearchParams(Buffer.concat(chunks).toString());
        const answer = (await answers[request.url!]?.(body)) as Claims | undefined;
        const status = answer === undefined ? 404 : "error" in answer ? 400 : 200;
        response.writeHead(status, { "content-type": "application/json" });
        response.end(JSON.stringify(answer ?? {}));
      })();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    state,
    /** Signs any message with the provider's key. */
    message: (claims: Claims, type = "logout+jwt"): Promise<string> =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: "RS256", kid: "1", typ: type })
        .sign(privateKey),
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};
