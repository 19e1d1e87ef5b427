// Encodes events in their wire formats. Each frame is made once for all sockets that get it.

import type { StreamEvent } from "../timelines/streams.ts";

const framesOf = new WeakMap<StreamEvent, Map<string, Buffer>>();

const once = (event: StreamEvent, key: string, make: () => string): Buffer => {
  const frames = framesOf.get(event) ?? new Map<string, Buffer>();
  framesOf.set(event, frames);
  const frame = frames.get(key) ?? Buffer.from(make());
  frames.set(key, frame);
  return frame;
};

/** Makes `{"stream": [...], "event": "...", "payload": "..."}`; the payload is a string, even if it contains JSON. */
export const socketFrame = (label: string[], event: StreamEvent): Buffer =>
  once(event, JSON.stringify(label), () =>
    JSON.stringify({ stream: label, event: event.event, payload: event.payload }),
  );

/**
 * Makes one event of a text/event-stream; payloads have no line ends (JSON.stringify escapes them). Clients parse the
 * data of every event as JSON, also of one without a payload (filters_changed).
 */
export const sseFrame = (event: StreamEvent): Buffer =>
  once(event, "sse", () => `event: ${event.event}\ndata: ${event.payload ?? "{}"}\n\n`);
