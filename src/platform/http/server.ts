// The type of the HTTP server that routes are added to (create-server.ts makes it), and the table of its routes, from
// which limits, forms and documents are made: each route declares in its `config` what they need.

import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteOptions,
} from "fastify";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";

declare module "fastify" {
  interface FastifyInstance {
    /** Every route that has been added. */
    routeTable: RouteOptions[];
  }
  interface FastifyContextConfig {
    /** True where pages may send a form to it without scripts (pages/web/session.ts). */
    form?: boolean;
  }
}

/** A fastify instance whose handlers get the types of their schemas. */
export type Server = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;
