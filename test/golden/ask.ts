// Sends a recorded request to our server.

import { picture } from "../files.ts";
import type { Answer, RequestOptions, TestApp } from "../harness.ts";
import type { Levels } from "./levels.ts";
import type { Exchange } from "./recording.ts";

/** Returns the file that "png" or "text" stands for in the recording. */
const fileOf = async (kind: unknown): Promise<Blob> =>
  kind === "png"
    ? new Blob([new Uint8Array(await picture("png", 64, 48))], { type: "image/png" })
    : new Blob(["text"], { type: "text/plain" });

const multipart = async (body: Record<string, unknown>): Promise<FormData> => {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    if (name === "file") form.set(name, await fileOf(value), `a.${String(value)}`);
    else form.set(name, String(value));
  }
  return form;
};

/** Paths that were requested as JSON, though their default is another type. */
const ASKED_AS_JSON = new Set(["/.well-known/host-meta"]);

const acceptOf = ({ method, path }: Exchange["request"]): string => {
  if (method === "AP") return "application/activity+json";
  return ASKED_AS_JSON.has(path) ? "application/json" : "*/*";
};

export const ask = async (
  server: TestApp,
  levels: Levels,
  { request }: Exchange,
  token: string | null,
): Promise<Answer> => {
  const options: RequestOptions = { token, headers: { accept: acceptOf(request) } };
  const body = request.body && levels.requested(request.body);
  if (body && "file" in body) options.multipart = await multipart(body);
  else if (body) options.json = body;
  const method = request.method === "AP" ? "GET" : request.method;
  return server.request(method, levels.requested(request.path), options);
};
