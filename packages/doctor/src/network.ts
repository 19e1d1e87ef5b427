// Checks of how this server is reached, and of what it reaches: names, certificate, proxy, other servers, clock, mail.

import { connect as connectTls } from "node:tls";
import ipaddr from "ipaddr.js";
import { WebSocket } from "ws";
import {
  INSTANCE_ACTOR_NAME,
  PROBE_HEADER,
  isDomainPublic,
  probeToken,
  reasonOf,
  verifySmtp,
} from "./uses.ts";
import type { App, Config, FormerNames, Seen } from "./uses.ts";
import { fault, ok, skipped, warning } from "./finding.ts";
import type { Check, Finding, Patient } from "./finding.ts";
import { selectPeers } from "./queries.ts";

const hostOf = (domain: string): string => domain.replace(/:\d+$/, "");

const isPublicAddress = (address: string): boolean => ipaddr.process(address).range() === "unicast";

/** Checks where the name of a server leads. */
export const judgeName = async (domain: string, lookup: Patient["lookup"]): Promise<Finding> => {
  const name = hostOf(domain);
  try {
    const addresses = await lookup(name);
    const isWrong = isDomainPublic(domain) && !addresses.some(isPublicAddress);
    return isWrong
      ? warning(
          `${name} leads to ${addresses.join(", ")}, which nobody else can reach.`,
          `Set the A and AAAA records of ${name} to the public addresses of this server.`,
        )
      : ok(`${name} leads to ${addresses.join(", ")}.`);
  } catch (error) {
    return fault(
      `${name} leads nowhere: ${reasonOf(error)}.`,
      `Add A and AAAA records for ${name} with the addresses of this server.`,
    );
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
  if (!https) return skipped("LOCAL_HTTPS=false: there is no TLS.");
  const [, port = "443"] = /:(\d+)$/.exec(webDomain) ?? [];
  try {
    const expiry = await expiryOf(hostOf(webDomain), Number(port));
    const days = Math.floor((expiry.getTime() - app.clock.now().getTime()) / DAY_MS);
    const text = `The certificate of ${webDomain} is good for ${days} more days.`;
    if (days >= EXPIRY_DAYS) return ok(text);
    return warning(text, "See why it is not renewed (certbot renew, or the log of the proxy).");
  } catch (error) {
    return fault(
      `${webDomain} has no TLS that others trust: ${reasonOf(error)}.`,
      "Set up a reverse proxy with a certificate, for example Caddy, or nginx with certbot (see docs/OPERATIONS.md).",
    );
  }
};

/** An address that nobody has (RFC 5737), used to test whether headers of clients are believed. */
const INVENTED = "203.0.113.7";

const askOurselves = async (app: App): Promise<Seen | string> => {
  const url = `${app.config.site.origin}/health`;
  const headers = {
    accept: "application/json",
    "x-forwarded-for": INVENTED,
    [PROBE_HEADER]: probeToken(app.config, app.clock.now()),
  };
  // The address of this server may be private, behind a router.
  const answer = await app.fetch.request(url, { headers, configured: true });
  const seen = answer.status === 200 ? (parse(answer.body) as Partial<Seen> | null) : null;
  return seen?.ip === undefined
    ? `answered ${answer.status}, and is not this server`
    : (seen as Seen);
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
    findings.push(
      fault(
        "The proxy does not say that requests came by https.",
        "Let it send X-Forwarded-Proto: https, and set TRUSTED_PROXY_IP if it runs on another machine.",
      ),
    );
  }
  if (seen.host !== webDomain) {
    findings.push(
      fault(
        `The proxy passes on the host ${seen.host} instead of ${webDomain}.`,
        "Let it pass on the Host header (nginx: proxy_set_header Host $http_host).",
      ),
    );
  }
  // A proxy adds the address that it sees, and does not pass on what the client sent.
  if (https && seen.forwarded === INVENTED) {
    findings.push(
      fault(
        "Clients can choose the address that they are seen with, and so evade limits and blocks.",
        "Let the proxy add the client's address to X-Forwarded-For (nginx: $proxy_add_x_forwarded_for); without a proxy, set TRUSTED_PROXY_IP to an address that nobody has.",
      ),
    );
  }
  if (https && seen.forwarded === null) {
    findings.push(
      warning(
        "The proxy does not say who asks: all clients share one limit.",
        "Let it send X-Forwarded-For.",
      ),
    );
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
  const advice =
    "Let the proxy pass on WebSockets (nginx: proxy_set_header Upgrade $http_upgrade; Connection upgrade).";
  try {
    const status = await streamingStatus(app);
    return status === 401 || status === 101
      ? ok("WebSockets get through.")
      : fault(`A WebSocket is answered with ${status}.`, advice);
  } catch (error) {
    return fault(`WebSockets do not get through: ${reasonOf(error)}.`, advice);
  }
};

const proxy = async ({ app }: Patient): Promise<Finding[]> => {
  const { origin } = app.config.site;
  const advice = `See that the server runs, and that ${origin} leads to it.`;
  let seen: Seen | string;
  try {
    seen = await askOurselves(app);
  } catch (error) {
    return [fault(`${origin} cannot be reached from here: ${reasonOf(error)}.`, advice)];
  }
  if (typeof seen === "string") return [fault(`${origin} ${seen}.`, advice)];
  const findings = judge(seen, app);
  const reached = findings.length > 0 ? findings : [ok(`${origin} leads to this server.`)];
  return [...reached, await streaming(app)];
};

/**
 * Returns advice for where handles have the web server's name: there is nothing to redirect, so the proxy has to pass
 * the path on.
 */
const leadHere = ({ localDomain, webDomain, origin }: App["config"]["site"]): string =>
  localDomain === webDomain
    ? `See that ${origin} leads to this server, with all paths below /.well-known.`
    : `Redirect https://${localDomain}/.well-known/webfinger to ${origin}/.well-known/webfinger.`;

/** Checks WebFinger at LOCAL_DOMAIN, which may be another machine's. */
const webfinger = async ({ app }: Patient): Promise<Finding> => {
  const { localDomain, origin, https } = app.config.site;
  const resource = encodeURIComponent(`acct:${INSTANCE_ACTOR_NAME}@${localDomain}`);
  const path = `/.well-known/webfinger?resource=${resource}`;
  const advice = leadHere(app.config.site);
  const url = `${https ? "https" : "http"}://${localDomain}${path}`;
  try {
    const { status, headers, body } = await app.fetch.request(url, { configured: true });
    const leadsHere = headers["location"]?.startsWith(`${origin}/`);
    return leadsHere || body.includes(`"${origin}/actor"`)
      ? ok("Other servers find the accounts of this one.")
      : fault(`WebFinger at ${localDomain} does not lead here: the answer is ${status}.`, advice);
  } catch (error) {
    return fault(`${localDomain} does not answer WebFinger: ${reasonOf(error)}.`, advice);
  }
};

/** Checks a former domain, where servers that know this one by that name still ask. */
const formerName = async (
  { app }: Patient,
  { origin, webDomain }: FormerNames,
): Promise<Finding> => {
  const resource = encodeURIComponent(`${origin}/actor`);
  const url = `${origin}/.well-known/webfinger?resource=${resource}`;
  const advice = `Let ${webDomain} lead to this server, with the Host as it came; or give it up: rookery move-domain --forget ${webDomain}.`;
  try {
    const { status, body } = await app.fetch.request(url, { configured: true });
    const leadsHere = [origin, app.config.site.origin].some((at) => body.includes(`"${at}/actor"`));
    return leadsHere
      ? ok(`${webDomain}, a former name, leads to this server.`)
      : warning(
          `${webDomain}, a former name, does not lead here: the answer is ${status}.`,
          advice,
        );
  } catch (error) {
    return warning(`${webDomain}, a former name, does not answer: ${reasonOf(error)}.`, advice);
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
  if (seconds.length === 0) return skipped("The clock cannot be compared with another server's.");
  const middle = seconds.toSorted((a, b) => a - b)[Math.floor(seconds.length / 2)]!;
  const off = Math.round(Math.abs(middle));
  if (off <= MAX_SECONDS) return ok("The clock agrees with other servers.");
  return fault(
    `The clock is ${off} seconds ${middle > 0 ? "ahead" : "behind"}.`,
    "Set it by NTP (timedatectl set-ntp true): other servers refuse signatures with a wrong time.",
  );
};

const federation = async (patient: Patient): Promise<Finding[]> => {
  const { app } = patient;
  const peers = await selectPeers(app.sql, ASKED_PEERS);
  const former = app.config.site.former.map((names) => formerName(patient, names));
  const own = [await webfinger(patient), ...(await Promise.all(former))];
  if (peers.recent.length === 0) {
    return [...own, skipped("No other server is known yet that could be asked.")];
  }
  const reached = await Promise.all(peers.recent.map((host) => askPeer(app, host)));
  const failed = reached.filter(({ reason }) => reason !== null);
  const outgoing =
    failed.length === reached.length
      ? fault(
          `No other server can be reached: ${failed[0]!.host}: ${failed[0]!.reason}.`,
          "Let this machine open connections to port 443, and resolve names.",
        )
      : ok(`Other servers can be reached; ${peers.failing} of ${peers.known} do not answer.`);
  return [...own, outgoing, judgeClock(reached)];
};

/** Checks that the configured mail server accepts mails. */
export const judgeMail = async (config: Config): Promise<Finding> => {
  const { server, port } = config.mail;
  if (server === null) {
    return warning(
      "No mail is sent: confirmations are only written to DATA_DIR/mail.",
      "Set SMTP_SERVER, SMTP_LOGIN and SMTP_PASSWORD.",
    );
  }
  try {
    await verifySmtp(config);
    return ok(`${server} takes mails.`);
  } catch (error) {
    return fault(
      `${server}:${port} does not take mails: ${reasonOf(error)}.`,
      "Correct SMTP_SERVER, SMTP_PORT, SMTP_LOGIN, SMTP_PASSWORD and SMTP_TLS.",
    );
  }
};

const mail = ({ app }: Patient): Promise<Finding> => judgeMail(app.config);

export const NETWORK: Check[] = [
  { name: "names", run: names },
  { name: "certificate", run: certificate },
  { name: "proxy", run: proxy },
  { name: "federation", run: federation },
  { name: "mail", run: mail },
];
