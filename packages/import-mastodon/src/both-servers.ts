// Requests the old server and this one side by side; this one listens on loopback meanwhile.

import type { AddressInfo } from "node:net";
import { ConfigError, askByName, reasonOf, startWeb } from "./uses.ts";
import type { App } from "./uses.ts";
import type { Answer, Ask } from "./answers.ts";

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const asker =
  ({ config: { site } }: App, address: string): Ask =>
  async (path, token): Promise<Answer> => {
    const url = new URL(path, address);
    const headers = { authorization: `Bearer ${token}`, accept: "application/json" };
    const { status, body } = await askByName(site, url, headers).catch((error: Error) => {
      throw new ConfigError(`${url.href} does not answer: ${reasonOf(error)}.`);
    });
    return { status, body: parse(body.toString()) };
  };

/** `address` is where the other server is reached. */
export const withBoth = async <T>(
  app: App,
  address: string,
  work: (both: [there: Ask, here: Ask]) => Promise<T>,
): Promise<T> => {
  if (!/^https?:$/.test(URL.parse(address)?.protocol ?? ""))
    throw new ConfigError(
      `--api must be an address such as https://mastodon.example, not ${address}.`,
    );
  const server = await startWeb(app);
  try {
    const { port } = server.server.address() as AddressInfo;
    return await work([asker(app, address), asker(app, `http://127.0.0.1:${port}`)]);
  } finally {
    await server.close();
  }
};
