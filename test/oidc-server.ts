// A directory on loopback that people sign in by: the certified `oidc-provider`, in which whoever is named signs in at
// once and consents, or by a form where a browser comes.

import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";

/** Somebody in the directory: their claims without `sub`. */
export type Entry = Record<string, unknown>;

export const CLIENT = { id: "rookery", secret: "a secret of the directory" };

const CLAIMS = {
  openid: ["sub"],
  email: ["email", "email_verified"],
  profile: ["name", "preferred_username", "picture", "groups"],
};

const form = (uid: string): string =>
  `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>City</title>
  <h1>City directory</h1><form method="post" action="/interaction/${uid}">
  <label>Name <input name="login" autofocus></label><button>Sign in</button></form></html>`;

const readBody = async (request: IncomingMessage): Promise<URLSearchParams> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return new URLSearchParams(Buffer.concat(chunks).toString());
};

export const startOidcServer = async () => {
  const people = new Map<string, Entry>();
  /** Who signs in without a form. */
  const state = { who: null as string | null, callbacks: [] as string[], origin: "" };
  let provider: Provider | null = null;
  let fails = false;
  const requests: string[] = [];

  const made = (): Provider => {
    const directory = new Provider(issuer, {
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          redirect_uris: state.callbacks,
          post_logout_redirect_uris: [`${state.origin}/auth/sign_in?done=signed_out`],
          backchannel_logout_uri: `${state.origin}/auth/sso/logout`,
          backchannel_logout_session_required: true,
          grant_types: ["authorization_code", "refresh_token"],
        },
      ],
      claims: CLAIMS,
      scopes: ["openid", "offline_access"],
      pkce: { required: () => true },
      features: {
        devInteractions: { enabled: false },
        backchannelLogout: { enabled: true },
        rpInitiatedLogout: { enabled: true },
      },
      cookies: { keys: [randomBytes(16).toString("hex")] },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      findAccount: (_context, sub) =>
        people.has(sub)
          ? { accountId: sub, claims: async () => ({ sub, ...people.get(sub) }) }
          : undefined,
    });
    return directory;
  };

  const interact = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { uid, params, prompt, session, grantId } = await provider!.interactionDetails(
      request,
      response,
    );
    const isSent = request.method === "POST";
    const login = isSent ? (await readBody(request)).get("login") : state.who;
    if (prompt.name === "login" && login === null) {
      response.setHeader("content-type", "text/html; charset=utf-8");
      response.end(form(uid));
      return;
    }
    if (prompt.name === "login") {
      const result = people.has(login!)
        ? { login: { accountId: login! } }
        : { error: "access_denied", error_description: "nobody of that name" };
      return provider!.interactionFinished(request, response, result);
    }
    const accountId = session!.accountId;
    const grant = grantId
      ? (await provider!.Grant.find(grantId))!
      : new provider!.Grant({ accountId, clientId: String(params["client_id"]) });
    grant.addOIDCScope(String(params["scope"]));
    await provider!.interactionFinished(request, response, {
      consent: { grantId: await grant.save() },
    });
  };

  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url!.split("?", 1)[0]}`);
    if (fails) {
      response.statusCode = 503;
      response.end();
      return;
    }
    provider ??= made();
    if (request.url!.startsWith("/interaction/"))
      interact(request, response).catch((error: unknown) => {
        response.statusCode = 500;
        response.end(String(error));
      });
    else void provider.callback()(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    issuer,
    people,
    requests,
    /** Registers the server that people come from. */
    register(origin: string, callbacks: string[]): void {
      state.origin = origin;
      state.callbacks = callbacks;
      provider = null;
    },
    signInAs: (who: string | null) => void (state.who = who),
    fail: (does: boolean) => void (fails = does),
    /** Follows the redirects of a sign-in as a browser does; returns where it leads back to, with its path and query. */
    async follow(url: string, jar = new Map<string, string>()): Promise<string> {
      let next = url;
      for (let hops = 0; hops < 12; hops++) {
        const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
        const answer = await fetch(next, { redirect: "manual", headers: { cookie } });
        for (const line of answer.headers.getSetCookie()) {
          const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
          jar.set(name!, value!);
        }
        const location = answer.headers.get("location");
        if (location === null) throw new Error(`${answer.status}: ${await answer.text()}`);
        next = new URL(location, next).href;
        if (next.startsWith(`${state.origin}/`)) return next.slice(state.origin.length);
      }
      throw new Error("too many redirects");
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};

export type OidcServer = Awaited<ReturnType<typeof startOidcServer>>;
