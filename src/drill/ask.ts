// Asks the server of a drill over HTTP, under the name that it has in the world.

import { request } from "node:http";
import type { ThrowAway } from "./throw-away.ts";

export type Reply = { status: number; body: Buffer; json: any };

const LIMIT_MS = 30_000;
/** A home that is being built is 206 until it is complete. */
const BUILDING = 206;
const BUILDING_PAUSE_MS = 100;

const parse = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
};

const askOnce = (
  { app, address }: ThrowAway,
  path: string,
  headers: Record<string, string>,
): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const { webDomain, https } = app.config.site;
    const names = { host: webDomain, "x-forwarded-proto": https ? "https" : "http" };
    const options = { headers: { ...names, ...headers }, timeout: LIMIT_MS, agent: false };
    const asking = request(new URL(path, address), options, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const body = Buffer.concat(chunks);
        resolve({ status: response.statusCode ?? 0, body, json: parse(body) });
      });
    });
    asking.on("timeout", () => asking.destroy(new Error("there was no answer in 30 seconds")));
    asking.on("error", reject);
    asking.end();
  });

type AskOptions = { token?: string; accept?: string };

/** The answer to a GET. */
export const ask = async (
  server: ThrowAway,
  path: string,
  { token, accept }: AskOptions = {},
): Promise<Reply> => {
  const headers = {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(accept !== undefined && { accept }),
  };
  const deadline = Date.now() + LIMIT_MS;
  for (;;) {
    const reply = await askOnce(server, path, headers);
    if (reply.status !== BUILDING || Date.now() > deadline) return reply;
    await new Promise((resolve) => setTimeout(resolve, BUILDING_PAUSE_MS));
  }
};
