// Says of what shared caches may keep which version it is, so that they need not fetch it again while it is the same.

import { hash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { innerCaller } from "./inside.ts";

/** Whether the requester has that version (RFC 9110, 13.1.2: weak tags are compared without their mark). */
export const isUnchanged = ({ headers }: FastifyRequest, etag: string): boolean =>
  (headers["if-none-match"] ?? "")
    .split(",")
    .some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag);

/** Whether the requester, who knows times alone, has the version of this time: an earlier one is another, too. */
const isOfTime = ({ headers }: FastifyRequest, reply: FastifyReply): boolean =>
  headers["if-none-match"] === undefined &&
  headers["if-modified-since"] !== undefined &&
  headers["if-modified-since"] === reply.getHeader("last-modified");

/** Pages differ each time, by what scripts they allow; files have tags of their own. */
const isTagged = (reply: FastifyReply): boolean =>
  reply.statusCode === 200 &&
  /\bpublic\b/.test(String(reply.getHeader("cache-control"))) &&
  !reply.hasHeader("etag") &&
  !/^text\/html\b/.test(String(reply.getHeader("content-type")));

/** Tags the answer to a GET or HEAD; returns what is left of its body for the requester. */
export const unlessUnchanged = (
  request: FastifyRequest,
  reply: FastifyReply,
  body: unknown,
): unknown => {
  const isWhole = typeof body === "string" || Buffer.isBuffer(body);
  if (!isWhole || !isTagged(reply) || innerCaller()) return body;
  const etag = `"${hash("sha1", body, "base64url")}"`;
  reply.header("etag", `W/${etag}`);
  if (!isUnchanged(request, etag) && !isOfTime(request, reply)) return body;
  reply.code(304).removeHeader("content-length");
  return "";
};
