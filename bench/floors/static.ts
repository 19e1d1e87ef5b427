// The floor of the reading scenarios: the same bytes from a static fastify route.

import Fastify from "fastify";
import type { AddressInfo } from "node:net";
import { offer } from "./process.ts";

let body = Buffer.alloc(0);
const server = Fastify();
server.get("/", (_request, reply) => {
  reply.type("application/json; charset=utf-8").send(body);
});
await server.listen({ host: "127.0.0.1", port: 0 });

offer({
  port: () => (server.server.address() as AddressInfo).port,
  serve: (base64: string) => void (body = Buffer.from(base64, "base64")),
});
