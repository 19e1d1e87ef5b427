// Reports how a request that `rookery doctor` sends to the public address of this server arrives: whether a proxy in
// between passes on the client's address, and how. The requests are signed, so that nobody else gets the report.

import { createHmac } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { App } from "../app.ts";
import type { FullConfig } from "../config/config.ts";
import { isSameSecret } from "../seal.ts";

export const PROBE_HEADER = "x-rookery-probe";
const VALID_MS = 60_000;

export type Seen = {
  ip: string;
  protocol: string;
  host: string;
  /** The header X-Forwarded-For as it arrived. */
  forwarded: string | null;
  version: string;
};

const sign = ({ secrets }: FullConfig, time: string): string =>
  createHmac("sha256", secrets.keyBase).update(`probe ${time}`).digest("hex");

export const probeToken = (config: FullConfig, now: Date): string => {
  const time = String(now.getTime());
  return `${time}.${sign(config, time)}`;
};

/** Whether the doctor sent the request. Both clocks are this machine's. */
export const isProbe = ({ config, clock }: App, request: FastifyRequest): boolean => {
  const header = request.headers[PROBE_HEADER];
  const [, time, mac] = /^(\d{1,15})\.([0-9a-f]{64})$/.exec(String(header ?? "")) ?? [];
  if (!time || !mac) return false;
  const isFresh = Math.abs(clock.now().getTime() - Number(time)) < VALID_MS;
  return isFresh && isSameSecret(mac, sign(config, time));
};

export const seenOf = (request: FastifyRequest, version: string): Seen => ({
  ip: request.ip,
  protocol: request.protocol,
  host: request.host,
  forwarded: request.headers["x-forwarded-for"]?.toString() ?? null,
  version,
});
