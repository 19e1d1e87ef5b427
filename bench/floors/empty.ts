// The floor of start time and memory: node with an empty fastify. It prints its port when it is ready.

import Fastify from "fastify";
import type { AddressInfo } from "node:net";

const server = Fastify();
server.get("/health", () => "OK");
await server.listen({ host: "127.0.0.1", port: 0 });
console.log((server.server.address() as AddressInfo).port);
