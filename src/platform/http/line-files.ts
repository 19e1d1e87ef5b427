// Limits and headers of files of lines (CSV) that are uploaded and downloaded.

import type { FastifyReply } from "fastify";
import { BODY_LIMIT } from "./body.ts";

/** Maximum bytes of a file of lines. */
export const MAX_FILE_BYTES = 4 * 1024 * 1024;

/** The upload limits of a route that takes a file of lines. */
export const LINES_UPLOAD = { body: MAX_FILE_BYTES + BODY_LIMIT, file: MAX_FILE_BYTES };

/** Headers of a download, which is never cached by proxies and never shown as a page. */
export const downloadHeaders = ({ name, type }: { name: string; type: string }) => ({
  "content-type": type,
  "content-disposition": `attachment; filename="${name}"`,
  "cache-control": "private, no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
  "x-content-type-options": "nosniff",
});

export const sendDownload = (
  reply: FastifyReply,
  file: { name: string; type: string; body: unknown },
): FastifyReply => reply.headers(downloadHeaders(file)).send(file.body);

export const sendCsv = (reply: FastifyReply, name: string, body: unknown): FastifyReply =>
  sendDownload(reply, { name, type: "text/csv; charset=utf-8", body });
