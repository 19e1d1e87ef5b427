// Requests a page of a server on this machine over HTTP by its public name, as a proxy would.

import { request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../platform/config/config.ts";

const LIMIT_MS = 60_000;
/** Status of a home feed that is being built; the request is repeated until it is complete. */
const BUILDING = 206;
const BUILDING_PAUSE_MS = 100;

export type NamedReply = { status: number; body: Buffer };

const askOnce = (
  { webDomain, https }: Config["site"],
  url: URL,
  headers: Record<string, string>,
): Promise<NamedReply> =>
  new Promise((resolve, reject) => {
    const send = url.protocol === "https:" ? secureRequest : plainRequest;
    const names = { host: webDomain, "x-forwarded-proto": https ? "https" : "http" };
    const options = { headers: { ...names, ...headers }, timeout: LIMIT_MS, agent: false };
    const asking = send(url, options, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }),
      );
    });
    asking.on("timeout", () => asking.destroy(new Error("there was no answer in a minute")));
    asking.on("error", reject);
    asking.end();
  });

/** Returns the answer to a GET. */
export const askByName = async (
  site: Config["site"],
  url: URL,
  headers: Record<string, string>,
): Promise<NamedReply> => {
  const deadline = Date.now() + LIMIT_MS;
  for (;;) {
    const reply = await askOnce(site, url, headers);
    if (reply.status !== BUILDING || Date.now() > deadline) return reply;
    await sleep(BUILDING_PAUSE_MS);
  }
};
