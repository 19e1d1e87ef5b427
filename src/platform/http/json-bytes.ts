// Answers whose JSON was joined from bytes that are kept.

import type { FastifyReply } from "fastify";

/** Sends the bytes as they are; the caller vouches that they are JSON. */
export const sendJsonBytes = (reply: FastifyReply, parts: Buffer | Buffer[]): FastifyReply =>
  reply
    .header("content-type", "application/json; charset=utf-8")
    .send(Array.isArray(parts) ? Buffer.concat(parts) : parts);
