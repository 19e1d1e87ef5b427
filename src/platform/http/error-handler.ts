// Turns errors into responses: `{"error": …}` with the right status, or a page for browsers.

import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../app.ts";
import { isCancelled, isLockTimeout, sqlState } from "../db/index.ts";
import { DiskFull, NotFound, TooLarge } from "../errors.ts";
import { says } from "../text/texts.ts";
import { faultOf } from "../health/faults.ts";
import { errorTextFor } from "./error-text.ts";
import { innerCaller } from "./inside.ts";
import { HttpError, bodyOf, headersOf, isKnown, statusOf } from "./http-error.ts";
import type { KnownError } from "./http-error.ts";
import { sendFaultPage, wantsPage } from "./fault-page.ts";
import type { DrawFault, Fault } from "./fault-page.ts";
import { databaseAway, pathOf, tooLate } from "./overload.ts";
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

/** Translates an error of the database, or a body that is too large, into what a client can do about it. */
export const translated = (
  app: App,
  error: FastifyError | KnownError,
  path?: string,
): FastifyError | KnownError => {
  if ((error as FastifyError).code === "FST_ERR_CTP_BODY_TOO_LARGE") return new TooLarge();
  if (sqlState(error) === DELETED_MEANWHILE) return new NotFound();
  if (isLockTimeout(error) || isCancelled(error)) {
    app.log.warn({ err: error }, "a statement, or its wait for a lock, took too long");
    return tooLate();
  }
  if (isUnstorable(error)) {
    app.log.warn({ err: error, path }, "a value that the database cannot store");
    const said = says("fault.unstorable");
    return new HttpError(422, "Validation failed: a value cannot be stored", { said });
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
  const send = (reply: FastifyReply, fault: Fault, body: object) =>
    wantsPage(reply.request)
      ? sendFaultPage(app, reply.request, reply, fault, draw)
      : reply.code(fault.status).send(body);
  server.setErrorHandler(async (thrown: FastifyError | KnownError, request, reply) => {
    const path = pathOf(request);
    const error = translated(app, thrown, path);
    if (isKnown(error)) {
      const status = statusOf(error);
      const inner = innerCaller();
      if (inner) inner.error = error;
      reply.headers(headersOf(error));
      reply.header("cache-control", "private, no-store");
      const said = errorTextFor(request.headers["accept-language"], error);
      return send(reply, { status, message: error.message, error }, { ...bodyOf(error), ...said });
    }
    const status = layerStatus(error);
    if (status) return send(reply, { status }, { error: error.message });
    request.log.error({ err: error, path }, "request failed");
    return send(reply, { status: 500 }, { error: "Something went wrong on our end" });
  });
  server.setNotFoundHandler(async (_request, reply) =>
    send(reply, { status: 404 }, { error: "Not Found" }),
  );
};
