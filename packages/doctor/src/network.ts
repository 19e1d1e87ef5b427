// Checks of how this server is reached, and of what it reaches: names, certificate, proxy, other servers, clock, mail.

import { connect as connectTls } from "node:tls";
import ipaddr from "ipaddr.js";
import { WebSocket } from "ws";
import {
  INSTANCE_ACTOR_NAME,
  PROBE_HEADER,
  examineSource,
  isDomainPublic,
  listSources,
  probeToken,
  reasonOf,
  verifySmtp,
} from "./uses.ts";
import type { App, Config, FormerNames, Key, Seen } from "./uses.ts";
import { fault, ok, skipped, warning } from "./finding.ts";
import type { Check, Finding, Patient } from "./finding.ts";
import { selectOwnerPassword, selectPeers } from "./queries.ts";

const hostOf = (domain: string): string => domain.replace(/:\d+$/, "");

const isPublicAddress = (address: string): boolean => ipaddr.process(address).range() === "unicast";

/** Checks where the name of a server leads. */
export const judgeName = async (domain: string, lookup: Patient["lookup"]): Promise<Finding> => {
  const name = hostOf(domain);
  try {
    const addresses = await lookup(name);
    const values = { domain: name, addresses: addresses.join(", ") };
    return isDomainPublic(domain) && !addresses.some(isPublicAddress)
      ? warning("doctor.names.private", "doctor.advice.names", values)
      : ok("doctor.names.ok", values);
  } catch (error) {
    const values = { domain: name, reason: reasonOf(error) };
    return fault("doctor.names.nowhere", "doctor.advice.names", values);
  }
};

const names = async ({ app, lookup }: Patient): Promise<Finding[]> => {
  const { localDomain, webDomain } = app.config.site;
  const domains = [...new Set([localDomain, webDomain])];
  return Promise.all(domains.map((domain) => judgeName(domain, lookup)));
};

const TLS_MS = 10_000;
const DAY_MS = 24 * 3_600_000;
const EXPIRY_DAYS = 14;

/** Returns when the certificate expires; rejects when it is not trusted. */
const expiryOf = (host: string, port: number): Promise<Date> => {
  const { promise, resolve, reject } = Promise.withResolvers<Date>();
  const socket = connectTls({ host, port, servername: ipaddr.isValid(host) ? "" : host }, () =>
    resolve(new Date(socket.getPeerCertificate().valid_to)),
  );
  socket.setTimeout(TLS_MS, () => reject(new Error("no answer")));
  socket.once("error", reject);
  return promise.finally(() => socket.destroy());
};

const certificate = async ({ app }: Patient): Promise<Finding> => {
  const { https, webDomain } = app.config.site;
  if (!https) return skipped("doctor.certificate.none");
  const [, port = "443"] = /:(\d+)$/.exec(webDomain) ?? [];
  try {
    const expiry = await expiryOf(hostOf(webDomain), Number(port));
    const count = Math.floor((expiry.getTime() - app.clock.now().getTime()) / DAY_MS);
    const values = { domain: webDomain, count };
    return count >= EXPIRY_DAYS
      ? ok("doctor.certificate.good", values)
      : warning("doctor.certificate.good", "doctor.advice.renew", values);
  } catch (error) {
    const values = { domain: webDomain, reason: reasonOf(error) };
    return fault("doctor.certificate.bad", "doctor.advice.tls", values);
  }
};

/** An address that nobody has (RFC 5737), used to test whether headers of clients are believed. */
const INVENTED = "203.0.113.7";

/** Returns what the server saw of a request, or the status where another one answered. */
const askOurselves = async (app: App): Promise<Seen | number> => {
  const url = `${app.config.site.origin}/health`;
  const headers = {
    accept: "application/json",
    "x-forwarded-for": INVENTED,
    [PROBE_HEADER]: probeToken(app.config, app.clock.now()),
  };
  // The address of this server may be private, behind a router.
  const answer = await app.fetch.request(url, { headers, configured: true });
  const seen = answer.status === 200 ? (parse(answer.body) as Partial<Seen> | null) : null;
  return seen?.ip === undefined ? answer.status : (seen as Seen);
};

const parse = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString());
  } catch {
    return null;
  }
};

const judge = (seen: Seen, { config }: App): Finding[] => {
  const { https, webDomain } = config.site;
  const findings: Finding[] = [];
  if (https && seen.protocol !== "https") {
    findings.push(fault("doctor.proxy.not_https", "doctor.advice.not_https"));
  }
  if (seen.host !== webDomain) {
    const values = { host: String(seen.host), domain: webDomain };
    findings.push(fault("doctor.proxy.host", "doctor.advice.host", values));
  }
  // A proxy adds the address that it sees, and does not pass on what the client sent.
  if (https && seen.forwarded === INVENTED) {
    findings.push(fault("doctor.proxy.forged", "doctor.advice.forged"));
  }
  if (https && seen.forwarded === null) {
    findings.push(warning("doctor.proxy.unnamed", "doctor.advice.unnamed"));
  }
  return findings;
};

/** Requests a stream without a token: the server can only refuse it if the proxy passed the upgrade on. */
const streamingStatus = (app: App): Promise<number> => {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const socket = new WebSocket(`${app.config.site.streamingOrigin}/api/v1/streaming/?stream=user`, {
    handshakeTimeout: TLS_MS,
  });
  socket.on("error", reject);
  socket.once("open", () => resolve(101));
  socket.once("unexpected-response", (_request, answer) => {
    resolve(answer.statusCode ?? 0);
    answer.destroy();
  });
  return promise.finally(() => socket.terminate());
};

const streaming = async (app: App): Promise<Finding> => {
  const advice = "doctor.advice.sockets";
  try {
    const status = await streamingStatus(app);
    return status === 401 || status === 101
      ? ok("doctor.proxy.sockets")
      : fault("doctor.proxy.socket_status", advice, { status: String(status) });
  } catch (error) {
    return fault("doctor.proxy.socket_fault", advice, { reason: reasonOf(error) });
  }
};

const proxy = async ({ app }: Patient): Promise<Finding[]> => {
  const address = app.config.site.origin;
  const advice = "doctor.advice.away";
  let seen: Seen | number;
  try {
    seen = await askOurselves(app);
  } catch (error) {
    return [fault("doctor.proxy.away", advice, { address, reason: reasonOf(error) })];
  }
  if (typeof seen === "number")
    return [fault("doctor.proxy.other", advice, { address, status: String(seen) })];
  const findings = judge(seen, app);
  const reached = findings.length > 0 ? findings : [ok("doctor.proxy.ok", { address })];
  return [...reached, await streaming(app)];
};

/**
 * Returns advice for where handles have the web server's name: there is nothing to redirect, so the proxy has to pass
 * the path on.
 */
const leadHere = ({ localDomain, webDomain }: App["config"]["site"]): Key =>
  localDomain === webDomain ? "doctor.advice.lead_here" : "doctor.advice.redirect";

/** Checks WebFinger at LOCAL_DOMAIN, which may be another machine's. */
const webfinger = async ({ app }: Patient): Promise<Finding> => {
  const { localDomain, origin, https } = app.config.site;
  const resource = encodeURIComponent(`acct:${INSTANCE_ACTOR_NAME}@${localDomain}`);
  const path = `/.well-known/webfinger?resource=${resource}`;
  const advice = leadHere(app.config.site);
  const values = { domain: localDomain, address: origin };
  const url = `${https ? "https" : "http"}://${localDomain}${path}`;
  try {
    const { status, headers, body } = await app.fetch.request(url, { configured: true });
    const leadsHere = headers["location"]?.startsWith(`${origin}/`);
    return leadsHere || body.includes(`"${origin}/actor"`)
      ? ok("doctor.federation.ok")
      : fault("doctor.federation.elsewhere", advice, { ...values, status: String(status) });
  } catch (error) {
    return fault("doctor.federation.silent", advice, { ...values, reason: reasonOf(error) });
  }
};

/** Checks a former domain, where servers that know this one by that name still ask. */
const formerName = async (
  { app }: Patient,
  { origin, webDomain }: FormerNames,
): Promise<Finding> => {
  const resource = encodeURIComponent(`${origin}/actor`);
  const url = `${origin}/.well-known/webfinger?resource=${resource}`;
  const advice = "doctor.advice.former";
  const values = { domain: webDomain };
  try {
    const { status, body } = await app.fetch.request(url, { configured: true });
    const leadsHere = [origin, app.config.site.origin].some((at) => body.includes(`"${at}/actor"`));
    if (leadsHere) return ok("doctor.federation.former", values);
    const answered = { ...values, status: String(status) };
    return warning("doctor.federation.former_elsewhere", advice, answered);
  } catch (error) {
    const reason = reasonOf(error);
    return warning("doctor.federation.former_silent", advice, { ...values, reason });
  }
};

const ASKED_PEERS = 3;

type Reached = { host: string; reason: string | null; ahead: number | null };

const askPeer = async (app: App, host: string): Promise<Reached> => {
  try {
    const before = Date.now();
    const { headers } = await app.fetch.request(`https://${host}/.well-known/nodeinfo`);
    const theirs = Date.parse(headers["date"] ?? "");
    const ours = (before + Date.now()) / 2;
    return { host, reason: null, ahead: Number.isNaN(theirs) ? null : (ours - theirs) / 1000 };
  } catch (error) {
    return { host, reason: reasonOf(error), ahead: null };
  }
};

/** Seconds by which the clock may be off: signatures fail at an hour, authenticator codes at half a minute. */
const MAX_SECONDS = 30;

const judgeClock = (reached: Reached[]): Finding => {
  const seconds = reached.flatMap(({ ahead }) => (ahead === null ? [] : [ahead]));
  if (seconds.length === 0) return skipped("doctor.federation.no_clock");
  const middle = seconds.toSorted((a, b) => a - b)[Math.floor(seconds.length / 2)]!;
  const count = Math.round(Math.abs(middle));
  if (count <= MAX_SECONDS) return ok("doctor.federation.clock");
  const key = middle > 0 ? "doctor.federation.ahead" : "doctor.federation.slow";
  return fault(key, "doctor.advice.clock", { count });
};

const federation = async (patient: Patient): Promise<Finding[]> => {
  const { app } = patient;
  const peers = await selectPeers(app.sql, ASKED_PEERS);
  const former = app.config.site.former.map((names) => formerName(patient, names));
  const own = [await webfinger(patient), ...(await Promise.all(former))];
  if (peers.recent.length === 0) {
    return [...own, skipped("doctor.federation.no_peer")];
  }
  const reached = await Promise.all(peers.recent.map((host) => askPeer(app, host)));
  const failed = reached.filter(({ reason }) => reason !== null);
  const { known, failing } = peers;
  const [first] = failed;
  const outgoing =
    first && failed.length === reached.length
      ? fault("doctor.federation.cut_off", "doctor.advice.cut_off", {
          host: first.host,
          reason: first.reason!,
        })
      : ok("doctor.federation.reached", { known, failing });
  return [...own, outgoing, judgeClock(reached)];
};

/** Checks that the configured mail server accepts mails. */
export const judgeMail = async (config: Config): Promise<Finding> => {
  const { server, port } = config.mail;
  if (server === null) {
    return warning("doctor.mail.none", "doctor.advice.no_mail");
  }
  try {
    await verifySmtp(config);
    return ok("doctor.mail.ok", { server });
  } catch (error) {
    const values = { server: `${server}:${port}`, reason: reasonOf(error) };
    return fault("doctor.mail.fault", "doctor.advice.mail", values);
  }
};

const mail = ({ app }: Patient): Promise<Finding> => judgeMail(app.config);

/** Asks each provider that people sign in by, and the directory, and looks whether an owner gets in without one. */
const sso = async ({ app }: Patient): Promise<Finding[]> => {
  const sources = await listSources(app);
  const findings = await Promise.all(
    sources.map(async (source): Promise<Finding> => {
      const { name } = source;
      try {
        await examineSource(app, source);
        return ok("doctor.sso.ok", { name });
      } catch (error) {
        return fault("doctor.sso.fault", "doctor.advice.sso", { name, reason: reasonOf(error) });
      }
    }),
  );
  if (app.config.sso.only && !(await selectOwnerPassword(app.sql)))
    findings.push(fault("doctor.sso.locked", "doctor.advice.locked"));
  return findings.length > 0 ? findings : [skipped("doctor.sso.none")];
};

export const NETWORK: Check[] = [
  { name: "names", run: names },
  { name: "certificate", run: certificate },
  { name: "proxy", run: proxy },
  { name: "federation", run: federation },
  { name: "mail", run: mail },
  { name: "sso", run: sso },
];
