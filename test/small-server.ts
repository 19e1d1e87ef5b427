// An HTTP server with only the platform's layer and the routes of a test: real HTTP on loopback, tokens from
// a table, collected log lines.

import { request as httpRequest } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import type { App } from "../src/platform/app.ts";
import { readConfig } from "../src/platform/config/config.ts";
import type { Env } from "../src/platform/config/parse.ts";
import type { Credentials } from "../src/platform/http/credentials.ts";
import { createPulse } from "../src/platform/health/pulse.ts";
import { createServer } from "../src/platform/http/create-server.ts";
import type { Server } from "../src/platform/http/server.ts";
import { memoryCounters, memoryKv } from "../src/platform/kv/memory.ts";
import { createCaches } from "../src/platform/caches/register.ts";
import { createMeters } from "../src/platform/metrics/index.ts";
import { createLogger } from "../src/platform/log/index.ts";

export type SmallAnswer = { status: number; headers: IncomingHttpHeaders; text: string; json: any };

export type SmallRequest = {
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** A value that is sent as JSON. */
  json?: unknown;
  /** Text that is sent unchanged as application/x-www-form-urlencoded. */
  form?: string;
  multipart?: FormData;
};

export type SmallServer = {
  app: App;
  url: string;
  /** All log lines, parsed. */
  lines: Record<string, any>[];
  /** Sends `path` unchanged, even if no client library would. */
  call(method: string, path: string, request?: SmallRequest): Promise<SmallAnswer>;
  close(): Promise<void>;
};

export type SmallOptions = { env?: Env; tokens?: Record<string, Credentials> };

const readJson = (text: string, type: string | undefined): unknown =>
  text !== "" && /json/.test(type ?? "") ? JSON.parse(text) : undefined;

/** Returns the body's bytes and content type, if there is a body. */
const encode = async (request: SmallRequest): Promise<[Buffer | null, string | null]> => {
  if (request.json !== undefined) {
    return [Buffer.from(JSON.stringify(request.json)), "application/json"];
  }
  if (request.form !== undefined) {
    return [Buffer.from(request.form), "application/x-www-form-urlencoded"];
  }
  if (request.multipart) {
    const response = new Response(request.multipart);
    return [Buffer.from(await response.arrayBuffer()), response.headers.get("content-type")];
  }
  return [request.body === undefined ? null : Buffer.from(request.body), null];
};

const send = async (
  port: number,
  method: string,
  path: string,
  input: SmallRequest,
): Promise<SmallAnswer> => {
  const [body, type] = await encode(input);
  const headers: Record<string, string | number> = {
    ...(type && { "content-type": type }),
    ...(body && !input.headers?.["transfer-encoding"] && { "content-length": body.length }),
    ...input.headers,
  };
  const { promise, resolve, reject } = Promise.withResolvers<SmallAnswer>();
  const options = { host: "127.0.0.1", port, method, path, headers, agent: false };
  const outgoing = httpRequest(options, async (response) => {
    try {
      const text = (await response.toArray()).map(String).join("");
      const { headers: got, statusCode: status = 0 } = response;
      resolve({ status, headers: got, text, json: readJson(text, got["content-type"]) });
    } catch (error) {
      reject(error);
    }
  });
  outgoing.on("error", reject);
  outgoing.end(body ?? undefined);
  return promise;
};

/** Starts the server; call `close` in `after`. */
export const startSmallServer = async (
  routes: (server: Server, app: App) => void,
  options: SmallOptions = {},
): Promise<SmallServer> => {
  const lines: Record<string, any>[] = [];
  const log = createLogger(
    { level: "debug", pretty: false },
    { write: (line) => void lines.push(JSON.parse(line)) },
  );
  const config = readConfig({
    LOCAL_DOMAIN: "small.test",
    DEFAULT_LOCALE: process.env["DEFAULT_LOCALE"],
    ...options.env,
  });
  const caches = createCaches(8, {});
  const clock = { now: () => new Date() };
  // The pulse is not started, since there is no database.
  const pulse = createPulse({ sql: null as never, log, ...config.disk });
  const app = {
    config,
    log,
    kv: memoryKv(),
    counters: memoryCounters(() => 100_000),
    caches,
    meters: createMeters(),
    clock,
    pulse,
    process: { id: "small", isAlone: true, takeovers: 0, isStopping: false },
    redis: null,
    replica: null,
    fresh: false,
  } as unknown as App;
  const server = createServer(app, async (token) => options.tokens?.[token] ?? null);
  routes(server, app);
  await server.listen({ host: "127.0.0.1", port: 0 });
  const { port } = server.server.address() as AddressInfo;
  return {
    app,
    url: `http://127.0.0.1:${port}`,
    lines,
    call: (method, path, request = {}) => send(port, method, path, request),
    close: () => server.close(),
  };
};
