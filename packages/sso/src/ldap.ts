// LDAP: asks a directory whether a name and a password are somebody's, and whether somebody is still there, over
// `ldapts`. Each question has a connection of its own, which is bounded and ends with it.
// https://www.rfc-editor.org/rfc/rfc4511

import { isIP, connect as connectPlainly } from "node:net";
import type { Socket } from "node:net";
import { connect as connectSecurely } from "node:tls";
import type { ConnectionOptions } from "node:tls";
import { Client, Filter, ResultCodeError } from "ldapts";
import { SUBJECTS, identityOf, isClosed, textIn } from "./entries.ts";
import type { Entry, EntryNames } from "./entries.ts";
import { judging } from "./judged.ts";
import { SsoError } from "./port.ts";
import type { Examination, Identity, SignIn } from "./port.ts";

export type LdapSettings = {
  issuer: string;
  host: string;
  port: number;
  security: "simple_tls" | "start_tls" | "plain";
  checksCertificate: boolean;
  /** Certificates that are trusted in place of the well-known ones; null for those. */
  authorities: string | null;
  base: string;
  /** Who searches; null for anybody. */
  reader: { dn: string; password: string } | null;
  /** As Mastodon writes it: `%{uid}` and `%{mail}` are names of attributes, `%{email}` is what was entered. */
  filter: string;
  names: EntryNames;
  /** Which signs of a name are replaced by another one before a handle is proposed. */
  conversion: { is: boolean; search: string; replace: string };
  /** Where groups are searched that name their members; null where entries have `memberOf`. */
  groupBase: string | null;
  /** Whether addresses of the directory count as verified. */
  assumesVerified: boolean;
};

/** A directory that is asked for a password itself, in place of a `Protocol`. */
export type Directory = {
  /** Asks for what a sign-in needs, without signing anybody in. */
  examine(): Promise<Examination>;
  /**
   * Returns whose name and password these are; null for nobody's. `admit` is asked about the subject before the
   * password is tried, so that the directory is spared guesses.
   */
  check(
    login: string,
    password: string,
    admit: (subject: string) => Promise<boolean>,
  ): Promise<SignIn | null>;
  /** Asks again who somebody is; fails with `ended` where they are gone, closed, or not found by the filter. */
  refresh(subject: string): Promise<SignIn>;
};

/** Milliseconds for a question with everything that it needs. */
const DEADLINE_MS = 10_000;
const MAX_BYTES = 1024 * 1024;
const MAX_GROUPS = 500;
/** Questions at a time; further ones are refused, so that a slow directory holds no more. */
const MAX_QUESTIONS = 20;
/** Result codes by which directories refuse a password: not only a wrong one, but a locked or closed entry too. */
const REFUSALS = [19, 32, 48, 49, 50, 53];

type Ask = {
  client: Client;
  asReader(): Promise<void>;
};

const filterFor = ({ filter, names }: LdapSettings, entered: string): string =>
  filter.replaceAll(/%\{(\w+)\}|%<(\w+)>s/g, (whole, first?: string, second?: string) => {
    const name = first ?? second;
    if (name === "uid") return names.username;
    if (name === "mail") return names.email;
    return name === "email" ? entered : whole;
  });

const bytesOf = (hex: string): string => hex.replaceAll(/../g, String.raw`\$&`);

/** Finds a person by what never changes; objectGUID is searched by its bytes. */
const subjectFilter = ({ names }: LdapSettings, subject: string): string => {
  const isHex = /^[\da-f]{32}$/.test(subject);
  const text = Filter.escape(subject);
  const terms = (names.subject === null ? SUBJECTS : [names.subject]).flatMap((name) => {
    if (name.toLowerCase() !== "objectguid") return [`(${name}=${text})`];
    return isHex ? [`(${name}=${bytesOf(subject)})`] : [];
  });
  return `(|${terms.join("")})`;
};

const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message || error.name : String(error)).slice(0, 500);

/** Makes the one connection of a question: after it was cut, `ldapts` would open another, without TLS. */
const clientOf = (settings: LdapSettings, note: (socket: Socket) => void): Client => {
  const { host, port, security } = settings;
  let isUsed = false;
  const once = <T extends Socket>(open: () => T): T => {
    if (isUsed) throw new Error("The directory closed the connection");
    isUsed = true;
    const socket = open();
    note(socket);
    return socket;
  };
  const scheme = security === "simple_tls" ? "ldaps" : "ldap";
  return new Client({
    url: `${scheme}://${isIP(host) === 6 ? `[${host}]` : host}:${port}`,
    timeout: DEADLINE_MS,
    connectTimeout: DEADLINE_MS,
    // Names of entries come from the directory as they are, also those that the strict parser does not know.
    strictDN: false,
    createConnection: () => once(() => connectPlainly(port, host)),
    ...(security === "simple_tls" && {
      createSecureConnection: (() =>
        once(() => connectSecurely({ ...tlsOf(settings), port }))) as never,
    }),
  });
};

const tlsOf = ({ host, checksCertificate, authorities }: LdapSettings): ConnectionOptions => ({
  host,
  ...(isIP(host) === 0 && { servername: host }),
  minVersion: "TLSv1.2",
  rejectUnauthorized: checksCertificate,
  ...(authorities !== null && { ca: authorities }),
});

/** Whether the directory answered, by an error or in a way that cannot be. */
const faultOf = (error: unknown) =>
  error instanceof ResultCodeError && error.code !== 51 && error.code !== 52
    ? "invalid"
    : "unreachable";

const judged = judging(faultOf, reasonOf);

export const ldap = (settings: LdapSettings): Directory => {
  const { base, reader, names, groupBase } = settings;
  let questions = 0;

  const connected = async <T>(work: (ask: Ask) => Promise<T>): Promise<T> => {
    const sockets: Socket[] = [];
    const end = (why: string): void => {
      for (const socket of sockets) socket.destroy(new Error(why));
    };
    const client = clientOf(settings, (socket) => sockets.push(socket));
    const since = performance.now();
    const watch = setInterval(() => {
      if (performance.now() - since > DEADLINE_MS) end("The directory took too long");
      if (sockets.some(({ bytesRead }) => bytesRead > MAX_BYTES)) end("The answer is too long");
    }, 50);
    try {
      if (settings.security === "start_tls") await client.startTLS(tlsOf(settings));
      const asReader = () => client.bind(reader?.dn ?? "", reader?.password ?? "");
      await asReader();
      return await work({ client, asReader });
    } finally {
      clearInterval(watch);
      void client.unbind().catch(() => {});
      for (const socket of sockets) socket.destroySoon();
    }
  };

  /** Connects for one question. */
  const asking = <T>(work: (ask: Ask) => Promise<T>): Promise<T> =>
    judged(async () => {
      if (questions >= MAX_QUESTIONS)
        throw new SsoError("unreachable", "Too many ask the directory at once");
      questions += 1;
      try {
        return await connected(work);
      } finally {
        questions -= 1;
      }
    });

  /** Returns the only entry that fits; null for none, and for several, of which nobody knows whose it is. */
  const find = async ({ client }: Ask, filter: string): Promise<Entry | null> => {
    const { searchEntries } = await client.search(base, {
      filter,
      sizeLimit: 2,
      timeLimit: DEADLINE_MS / 1000,
      attributes: [
        ...(names.subject === null ? SUBJECTS : [names.subject]),
        names.username,
        names.email,
        names.name,
        "memberOf",
        "userAccountControl",
        "nsAccountLock",
        "pwdAccountLockedTime",
      ],
      explicitBufferAttributes: ["objectGUID", "objectguid"],
    });
    const [entry] = searchEntries;
    return searchEntries.length === 1 && entry!.dn !== "" ? entry! : null;
  };

  const groupsOf = async ({ client }: Ask, entry: Entry): Promise<string[]> => {
    if (groupBase === null) return [];
    const dn = Filter.escape(entry.dn);
    const uid = Filter.escape(textIn(entry, names.username) ?? "");
    const { searchEntries } = await client.search(groupBase, {
      filter: `(|(member=${dn})(uniqueMember=${dn})(memberUid=${uid}))`,
      sizeLimit: MAX_GROUPS,
      timeLimit: DEADLINE_MS / 1000,
      attributes: ["1.1"],
    });
    return searchEntries.map(({ dn: group }) => group);
  };

  const signInOf = async (ask: Ask, entry: Entry, identity: Identity): Promise<SignIn> => {
    const more = await groupsOf(ask, entry);
    const groups = [...new Set([...identity.groups, ...more])];
    // There is no token: the subject is what the directory is asked about again.
    const grant = { session: null, idToken: null, refreshToken: identity.subject, isLasting: true };
    return { identity: { ...identity, groups }, grant };
  };

  const known = (entry: Entry): Identity => {
    const identity = identityOf(settings, entry);
    if (!identity)
      throw new SsoError("invalid", `${entry.dn} has no ${names.subject ?? SUBJECTS.join(", ")}`);
    return identity;
  };

  const isPassword = async ({ client }: Ask, dn: string, password: string): Promise<boolean> => {
    try {
      await client.bind(dn, password);
      return true;
    } catch (error) {
      if (error instanceof ResultCodeError && REFUSALS.includes(error.code)) return false;
      throw error;
    }
  };

  return {
    examine: () =>
      asking(async ({ client }) => {
        for (const place of [base, ...(groupBase === null ? [] : [groupBase])])
          await client.search(place, { scope: "base", sizeLimit: 1, attributes: ["1.1"] });
        const endpoints = {
          directory: `${settings.host}:${settings.port} (${settings.security})`,
          people: base,
        };
        return { endpoints, tellsLogout: false, couldLast: false };
      }),

    check: async (login, password, admit) => {
      // A bind without a password succeeds, as nobody (RFC 4513, 5.1.2).
      if (password === "" || login === "") return null;
      return asking(async (ask) => {
        const entry = await find(ask, filterFor(settings, Filter.escape(login)));
        if (!entry) {
          // An unknown name takes as many steps as a wrong password.
          await isPassword(ask, `cn=${crypto.randomUUID()},${base}`, crypto.randomUUID());
          return null;
        }
        const identity = known(entry);
        if (!(await admit(identity.subject))) return null;
        if (!(await isPassword(ask, entry.dn, password)) || isClosed(entry)) return null;
        await ask.asReader();
        return signInOf(ask, entry, identity);
      });
    },

    refresh: (subject) =>
      asking(async (ask) => {
        const present = filterFor(settings, "*");
        const entry = await find(ask, `(&${subjectFilter(settings, subject)}${present})`);
        if (!entry || isClosed(entry))
          throw new SsoError("ended", "The directory has them no more");
        return signInOf(ask, entry, known(entry));
      }),
  };
};
