// Sends HTTP requests to the server of a drill.

import type { ThrowAway } from "./throw-away.ts";
import { askByName } from "../uses.ts";

export type Reply = { status: number; body: Buffer; json: any };

const parse = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
};

type AskOptions = { token?: string; accept?: string };

/** Returns the answer to a GET. */
export const ask = async (
  { app, address }: ThrowAway,
  path: string,
  { token, accept }: AskOptions = {},
): Promise<Reply> => {
  const reply = await askByName(app.config.site, new URL(path, address), {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(accept !== undefined && { accept }),
  });
  return { ...reply, json: parse(reply.body) };
};
