// Turns errors into responses: `{"error": …}` with the right status, or a page for browsers.

import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../app.ts";
import { isCancelled, isLockTimeout, sqlState } from "../db/index.ts";
import { DiskFull, NotFound, Unprocessable } from "../errors.ts";
import { says } from "../text/texts.ts";
import { faultOf } from "../health/faults.ts";
import { errorTextFor } from "./error-text.ts";
import { innerCaller } from "./inside.ts";
import { bodyOf, headersOf, isKnown, statusOf } from "./http-error.ts";
import type { KnownError } from "./http-error.ts";
import { sendFaultPage, wantsPage } from "./fault-page.ts";
import type { DrawFault, Fault } from "./fault-page.ts";
import { databaseAway, tooLate } from "./overload.ts";
import type { Server } from "./server.ts";

/** Returns the status of an error of the HTTP layer itself (body too large, bad header …). */
const layerStatus = (error: FastifyError): number | null =>
  error.statusCode && error.statusCode >= 400 && error.statusCode < 500 ? error.statusCode : null;

/**
 * SQLSTATEs of values that PostgreSQL cannot store: NUL or a lone surrogate in text or JSON, a number or
 * time out of range, a value too long for an index. Such values only come from the request, so the error is the
 * client's. https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const UNSTORABLE = new Set(["22021", "22P05", "22003", "22007", "22008", "22009", "54000"]);

export const isUnstorable = (error: Error): boolean => {
  const code = sqlState(error) ?? "";
  // 22P02 also comes from a faulty cast in a query of ours, so only the JSON parser's counts here.
  const routine = (error as { routine?: string }).routine ?? "";
  return UNSTORABLE.has(code) || (code === "22P02" && routine.includes("json"));
};

/** SQLSTATE foreign_key_violation: what the request is about was deleted since it was read. */
const DELETED_MEANWHILE = "23503";

/** Translates an error of the database into what a client can do about it. Every error handler uses it. */
export const translated = (
  app: App,
  error: FastifyError | KnownError,
): FastifyError | KnownError => {
  if (sqlState(error) === DELETED_MEANWHILE) return new NotFound();
  if (isLockTimeout(error)) {
    app.log.warn({ err: error }, "a statement waited for a lock for too long");
    return tooLate();
  }
  if (isCancelled(error)) {
    app.log.warn({ err: error }, "a statement took too long");
    return tooLate();
  }
  const fault = faultOf(error);
  if (fault === null) return error;
  app.log.error({ err: error }, "the database or the disk cannot be used");
  return fault === "full" ? new DiskFull() : databaseAway();
};

/** Answers addresses that the router cannot parse, for which it finds no route. */
export const sendAddressFault =
  (app: App, draw?: DrawFault) =>
  (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    const isLong = error.statusCode === 414;
    const status = isLong ? 414 : 400;
    if (wantsPage(request)) return void sendFaultPage(app, request, reply, { status }, draw);
    reply.code(status).header("access-control-allow-origin", "*");
    reply.send({ error: isLong ? "The address is too long" : "The address is malformed" });
  };

export const registerErrors = (server: Server, app: App, draw?: DrawFault): void => {
  const sendFault = (request: FastifyRequest, reply: FastifyReply, fault: Fault) =>
    sendFaultPage(app, request, reply, fault, draw);
  server.setErrorHandler(async (thrown: FastifyError | KnownError, request, reply) => {
    const error = translated(app, thrown);
    if (isKnown(error)) {
      const known = statusOf(error);
      const inner = innerCaller();
      if (inner) inner.error = error;
      reply.headers(headersOf(error));
      reply.header("cache-control", "private, no-store");
      if (wantsPage(request))
        return sendFault(request, reply, { status: known, message: error.message, error });
      const language = request.headers["accept-language"];
      return reply.code(known).send({ ...bodyOf(error), ...errorTextFor(language, error) });
    }
    const status = layerStatus(error);
    if (status && wantsPage(request)) return sendFault(request, reply, { status });
    if (status) return reply.code(status).send({ error: error.message });
    const path = request.url.split("?", 1)[0];
    if (isUnstorable(error)) {
      request.log.warn({ err: error, path }, "a value that the database cannot store");
      const unstorable = new Unprocessable(says("fault.unstorable"));
      if (wantsPage(request)) return sendFault(request, reply, { status: 422, error: unstorable });
      return reply.code(422).send({ error: "Validation failed: a value cannot be stored" });
    }
    request.log.error({ err: error, path }, "request failed");
    if (wantsPage(request)) return sendFault(request, reply, { status: 500 });
    return reply.code(500).send({ error: "Something went wrong on our end" });
  });
  server.setNotFoundHandler(async (request, reply) =>
    wantsPage(request)
      ? sendFault(request, reply, { status: 404 })
      : reply.code(404).send({ error: "Not Found" }),
  );
};
