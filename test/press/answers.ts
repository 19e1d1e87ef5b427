// Records the answers of a server in the same process, so that every browser's requests are seen in the same way.

import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";

export type Answer = { method: string; url: string; status: number; isFile: boolean };

export type Answers = {
  /** Returns the number of requests that wait for their answer. */
  pending(): number;
  take(): Answer[];
};

/** Path of the stream, which stays open. */
const STREAM = "/api/v1/streaming";
const channels = new Map<number, { pending: Set<ServerResponse>; answers: Answer[] }>();

subscribe("http.server.request.start", (message) => {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
  const channel = channels.get(request.socket.localPort ?? 0);
  const url = request.url ?? "";
  if (!channel || url.startsWith(STREAM)) return;
  channel.pending.add(response);
  response.once("close", () => {
    channel.pending.delete(response);
    const isFile = /attachment/.test(String(response.getHeader("content-disposition") ?? ""));
    const status = response.writableFinished ? response.statusCode : 0;
    channel.answers.push({ method: request.method ?? "", url, status, isFile });
  });
});

export const watchAnswers = (port: number): Answers => {
  const channel = { pending: new Set<ServerResponse>(), answers: [] as Answer[] };
  channels.set(port, channel);
  return { pending: () => channel.pending.size, take: () => channel.answers.splice(0) };
};
