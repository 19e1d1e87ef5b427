// Loads node:http without what an import statement would load: that reads all its names, including those of browsers'
// sockets, for which Node loads a whole HTTP client of its own (2.5 MB).

import type http from "node:http";

export type IncomingMessage = http.IncomingMessage;
export const { createServer, IncomingMessage, ServerResponse, STATUS_CODES } =
  process.getBuiltinModule("node:http");
