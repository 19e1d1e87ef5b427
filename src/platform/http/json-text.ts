// Answers whose JSON was joined from texts that are kept.

import type { FastifyReply } from "fastify";

/** Sends the text as it is; the caller vouches that it is JSON. */
export const sendJsonText = (reply: FastifyReply, text: string): FastifyReply =>
  reply.header("content-type", "application/json; charset=utf-8").send(text);
