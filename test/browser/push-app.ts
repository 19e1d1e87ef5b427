// A web app with a service worker that shows what is pushed, on an origin of its own.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const WORKER = `
  self.addEventListener("install", () => self.skipWaiting());
  self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
  self.addEventListener("push", (event) => {
    const { title, body, icon, ...data } = event.data.json();
    event.waitUntil(self.registration.showNotification(title, { body, icon, data }));
  });
`;

const FILES: Record<string, [string, string]> = {
  "/": ["text/html", "<!doctype html><title>An app</title>"],
  "/worker.js": ["text/javascript", WORKER],
};

export const startPushApp = async (): Promise<{ url: string; close(): Promise<void> }> => {
  const server = createServer((request, response) => {
    const [type, text] = FILES[request.url ?? ""] ?? ["text/plain", ""];
    response.writeHead(200, { "content-type": type }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => void server.close(() => resolve()));
    },
  };
};
