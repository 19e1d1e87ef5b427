// Recipes of the rows about the server itself, apps, OAuth and well-known paths.

import { hiddenFields, openBrowser } from "../browser.ts";
import type { Cast } from "./cast.ts";
import { fromAnywhere } from "./checks.ts";
import type { Call } from "./checks.ts";
import { plain } from "./recipe.ts";
import type { Recipes } from "./recipe.ts";

const OUT_OF_BAND = "urn:ietf:wg:oauth:2.0:oob";

const registered = async ({ server }: Cast): Promise<Record<string, string>> => {
  const json = { client_name: "Contract", redirect_uris: OUT_OF_BAND, scopes: "read write" };
  return (await server.request("POST", "/api/v1/apps", { json, headers: fromAnywhere() })).json;
};

/** Opens the page on which the requester authorizes an app, and returns what its form sends. */
const authorizationPage = async (
  cast: Cast,
): Promise<{ query: Record<string, string>; call: Call }> => {
  const { client_id } = await registered(cast);
  const query = {
    response_type: "code",
    client_id: client_id!,
    redirect_uri: OUT_OF_BAND,
    scope: "read",
  };
  const browser = openBrowser(cast.server);
  await browser.signIn(cast.me.username);
  const page = await browser.get(`/oauth/authorize?${new URLSearchParams(query)}`);
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const form = hiddenFields(page.text, "/oauth/authorize");
  return { query, call: { form, headers: { cookie }, token: null } };
};

const allowing = (call: Call): Call => ({ ...call, form: { ...call.form, decision: "allow" } });

const grant = async (cast: Cast): Promise<Record<string, string>> => {
  const { client_id, client_secret } = await registered(cast);
  return { grant_type: "client_credentials", client_id: client_id!, client_secret: client_secret! };
};

export const SERVER: Recipes = {
  "POST /api/v1/apps": () => ({
    json: {
      client_name: "Contract",
      redirect_uris: [OUT_OF_BAND],
      scopes: "read",
      website: "https://example.com",
    },
  }),
  "GET /api/v1/apps/verify_credentials": plain,
  "GET /oauth/authorize": async (cast) => {
    const { query, call } = await authorizationPage(cast);
    return { query, headers: call.headers!, token: null };
  },
  "POST /oauth/authorize": async (cast) => allowing((await authorizationPage(cast)).call),
  "DELETE /oauth/authorize": async (cast) => (await authorizationPage(cast)).call,
  "GET /oauth/authorize/native": async (cast) => {
    const { form, headers } = allowing((await authorizationPage(cast)).call);
    const options = { form: form!, headers: headers! };
    const allowed = await cast.server.request("POST", "/oauth/authorize", options);
    const code = new URL(allowed.headers.get("location")!, cast.server.url).searchParams.get(
      "code",
    );
    return { query: { code: code! }, headers: headers!, token: null };
  },
  "POST /oauth/token": async (cast) => ({ form: await grant(cast), token: null }),
  "POST /oauth/revoke": async (cast) => {
    const { grant_type: _, ...client } = await grant(cast);
    const answer = await cast.server.request("POST", "/oauth/token", {
      form: { ...client, grant_type: "client_credentials" },
    });
    return { form: { ...client, token: answer.json.access_token }, token: null };
  },
  "GET /oauth/userinfo": plain,
  "POST /oauth/userinfo": plain,

  "GET /health": plain,
  "GET /api/v1/instance": plain,
  "GET /api/v2/instance": plain,
  "GET /api/v1/donation_campaigns": plain,
  "GET /api/v1/instance/activity": plain,
  "GET /api/v1/instance/extended_description": plain,
  "GET /api/v1/instance/languages": plain,
  "GET /api/v1/instance/peers": plain,
  "GET /api/v1/instance/privacy_policy": plain,
  "GET /api/v1/instance/translation_languages": plain,
  "GET /api/v1/peers/search": () => ({ query: { q: "PEER" } }),

  "GET /.well-known/change-password": plain,
  "GET /.well-known/host-meta": plain,
  "GET /.well-known/nodeinfo": plain,
  "GET /.well-known/oauth-authorization-server": plain,
  "GET /.well-known/webfinger": ({ me, server }) => ({
    query: { resource: `acct:${me.username}@${server.app.config.site.localDomain}` },
  }),
  "GET /nodeinfo/2.0": plain,
};
