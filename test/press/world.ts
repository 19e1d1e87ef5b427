// Small servers to be pressed: a village is made once, and each world is a copy of it at the same address, so that
// nothing depends on what was pressed before.

import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadBundle } from "../../src/pages/web/bundle.ts";
import { openBrowser } from "../browser.ts";
import { addresses, framedPaths, makeWholeVillage, MORE_POSTS, VISITOR } from "../browser/pages.ts";
import { cloneDatabase } from "../database.ts";
import { freePort } from "../free-port.ts";
import { startTestApp } from "../harness.ts";
import type { TestApp } from "../harness.ts";
import { sendRequest } from "../person.ts";
import { watchAnswers } from "./answers.ts";
import type { Answers } from "./answers.ts";

export const PEOPLE = ["newcomer", "busy", "moderator", "visitor"] as const;
export type PersonName = (typeof PEOPLE)[number];

const LOGINS: Record<Exclude<PersonName, "visitor">, string> = {
  newcomer: "nora",
  busy: "alice",
  moderator: "mona",
};

/** Address of a page that does not exist. */
const NOWHERE = "/nothing-here";

export type World = {
  url: string;
  answers: Answers;
  /** Cookies of signed-in browsers. */
  cookies: Record<PersonName, ReadonlyMap<string, string>>;
  /** Every address of the index of pages. */
  paths: readonly string[];
  /** Whether this person gets a page at the address, not a file, a redirect or a refusal. */
  hasPage(who: PersonName, path: string): Promise<boolean>;
  /** Forgets what was done since the last copy. */
  reset(): Promise<void>;
  close(): Promise<void>;
};

const DRAWN_BY_SERVER = /^\/(?:settings|disputes|admin|auth|oauth|severed_relationships)(?:\/|$)/;

/** Returns the page on which an app asks for access. */
const consentPath = async (server: TestApp): Promise<string> => {
  const redirect_uri = "urn:ietf:wg:oauth:2.0:oob";
  const scope = "read write";
  const json = { client_name: "Owl for phones", redirect_uris: redirect_uri, scopes: scope };
  const { client_id } = (await server.request("POST", "/api/v1/apps", { json })).json;
  const query = new URLSearchParams({ client_id, redirect_uri, scope, response_type: "code" });
  return `/oauth/authorize?${query}`;
};

const pathsOf = async (server: TestApp): Promise<{ paths: string[]; people: World["cookies"] }> => {
  const village = await makeWholeVillage(server);
  await server.person(LOGINS.newcomer);
  await server.person(LOGINS.moderator, { role: "Owner" });
  await server.write`UPDATE users SET role_id = -99 WHERE id = ${village.alice.userId}`;
  const { pagePaths } = await loadBundle();
  const paths = [
    ...Object.values(addresses(village)),
    ...MORE_POSTS.map((name) => `/@bob/${village.ids[name]}`),
    `/@moss`,
    ...(await framedPaths(server, village, pagePaths, DRAWN_BY_SERVER)),
    await consentPath(server),
    ...VISITOR,
  ];
  const people: World["cookies"] = {
    newcomer: new Map(),
    busy: new Map(),
    moderator: new Map(),
    visitor: new Map(),
  };
  for (const [who, login] of Object.entries(LOGINS)) {
    const browser = openBrowser(server);
    await browser.signIn(login);
    people[who as PersonName] = browser.cookies;
  }
  return { paths: [...new Set(paths)], people };
};

export const makeWorld = async (): Promise<World> => {
  const folder = mkdtempSync(join(tmpdir(), "rookery-press-"));
  const [kept, used] = [join(folder, "kept"), join(folder, "used")];
  const port = await freePort();
  const env = { PORT: String(port), LOCAL_DOMAIN: `127.0.0.1:${port}` };
  const template = await cloneDatabase();
  const start = (databaseUrl: string, dataDir: string): Promise<TestApp> =>
    startTestApp({ databaseUrl, checked: false, env: { ...env, DATA_DIR: dataDir } });
  const village = await start(template.url, kept);
  const { paths, people } = await pathsOf(village);
  const { url } = village;
  await village.close();

  const answers = watchAnswers(port);
  let end = async (): Promise<void> => {};
  const begin = async (): Promise<void> => {
    const database = await cloneDatabase(template);
    cpSync(kept, used, { recursive: true });
    const server = await start(database.url, used);
    end = async () => {
      await server.close();
      await database.drop();
      rmSync(used, { recursive: true, force: true });
    };
  };
  await begin();
  return {
    url,
    answers,
    cookies: people,
    paths,
    async hasPage(who, path) {
      const cookie = [...people[who]].map(([name, value]) => `${name}=${value}`).join("; ");
      const headers = { cookie, accept: "text/html" };
      const answer = await sendRequest(new URL(path, url).href, "GET", { headers });
      const isHtml = answer.headers.get("content-type")?.startsWith("text/html") ?? false;
      return isHtml && (answer.status === 200 || answer.status >= 500 || path === NOWHERE);
    },
    async reset() {
      await end();
      await begin();
      answers.take();
    },
    async close() {
      await end();
      await template.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
