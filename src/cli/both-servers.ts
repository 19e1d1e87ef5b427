// Asks the server that is to be left and this one, side by side: this one listens on loopback as long as that takes.

import { request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import type { AddressInfo } from "node:net";
import type { App } from "../platform/app.ts";
import { ConfigError } from "../platform/errors.ts";
import type { Answer, Ask } from "../moving/mastodon/answers.ts";
import { startWeb } from "../roles/web.ts";

const LIMIT_MS = 60_000;
/** A home that is being built: what there is of it comes first. */
const BUILDING = 206;
const PAUSE_MS = 200;

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** By the name that both have in the world, as a proxy would ask. */
const headersOf = ({ config: { site } }: App, token: string) => ({
  host: site.webDomain,
  "x-forwarded-proto": site.https ? "https" : "http",
  authorization: `Bearer ${token}`,
  accept: "application/json",
});

const askOnce = (app: App, address: string, path: string, token: string): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const url = new URL(path, address);
    const send = url.protocol === "https:" ? secureRequest : plainRequest;
    const options = { headers: headersOf(app, token), timeout: LIMIT_MS, agent: false };
    const asking = send(url, options, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          body: parse(Buffer.concat(chunks).toString()),
        }),
      );
    });
    asking.on("timeout", () => asking.destroy(new Error("there was no answer in a minute")));
    asking.on("error", reject);
    asking.end();
  });

const asker =
  (app: App, address: string): Ask =>
  async (path, token) => {
    const deadline = Date.now() + LIMIT_MS;
    for (;;) {
      const answer = await askOnce(app, address, path, token).catch((error: Error) => {
        throw new ConfigError(`${new URL(path, address).href} does not answer: ${error.message}.`);
      });
      if (answer.status !== BUILDING || Date.now() > deadline) return answer;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  };

/** `address`: where the other server listens, `http://127.0.0.1:3000`. */
export const withBoth = async <T>(
  app: App,
  address: string,
  work: (both: [there: Ask, here: Ask]) => Promise<T>,
): Promise<T> => {
  if (!/^https?:$/.test(URL.parse(address)?.protocol ?? ""))
    throw new ConfigError(
      `--api must be an address such as http://127.0.0.1:3000, not ${address}.`,
    );
  const server = await startWeb(app, ["web"]);
  try {
    const { port } = server.server.address() as AddressInfo;
    return await work([asker(app, address), asker(app, `http://127.0.0.1:${port}`)]);
  } finally {
    await server.close();
  }
};
