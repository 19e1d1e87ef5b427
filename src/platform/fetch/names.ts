// Resolves host names. The system's resolver (`getaddrinfo`) has four threads, which it shares with files and
// passwords, so a few names whose servers do not answer would hold up everything. So names are asked of the name
// servers directly, and the system resolves only names that this machine alone knows.

import { readFileSync } from "node:fs";
import { Resolver, lookup as systemLookup } from "node:dns/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { BoundedCache } from "../caches/bounded.ts";
import type { InMemory } from "../caches/register.ts";
import type { Lookup } from "./connect.ts";

type Address = { address: string; family: number };
/** The answer of a name server: addresses, or why there are none. */
type Answer = { addresses: Address[]; error: Error | null; until: number };

type NamesSettings = {
  /** Bytes of memory for cached answers. */
  maxBytes: number;
  /** Addresses of name servers; the system's by default. */
  servers?: string[];
  hostsFile?: string;
  tries?: Tries;
};

type Tries = { timeout: number; maxTimeout: number; tries: number };

export type Names = { lookup: Lookup; cache: InMemory };

/** Milliseconds of the first try and of later, longer ones. c-ares gives a resolver that is usually quick less time. */
const TRIES: Tries = { timeout: 1000, maxTimeout: 2000, tries: 4 };
/** Milliseconds to wait for an IPv6 address when there is an IPv4 one (RFC 8305 gives it 50 ms). */
const SIX_MS = 300;
/** Names resolved at the same time; more than all requests that may be in progress. */
const MAX_AT_ONCE = 1000;
/** Milliseconds for which an answer is used, also one without addresses, whatever its TTL. */
const KNOWN_MS = 60_000;
const UNKNOWN_MS = 10_000;
const HOSTS_MS = 10_000;

/**
 * Names that the system resolves (RFC 6761, 6762, 8375). Single labels get the search domains of the machine, as in
 * containers.
 */
const OF_THIS_MACHINE = /^[^.]*$|(?:^|\.)(?:localhost|local|internal|home\.arpa)$/;

/** Code of an error that means that no name server runs on this machine; a name's own servers never cause it. */
const WITHOUT_SERVER = "ECONNREFUSED";

const readHosts = (path: string): Set<string> => {
  try {
    const lines = readFileSync(path, "utf8").split("\n");
    return new Set(
      lines.flatMap((line) => line.replace(/#.*/, "").trim().toLowerCase().split(/\s+/).slice(1)),
    );
  } catch {
    return new Set();
  }
};

/** Returns the names in the hosts file, which is read again when it may have changed. */
const hostsOf = (path: string): (() => Set<string>) => {
  let names = new Set<string>();
  let until = 0;
  return () => {
    if (performance.now() < until) return names;
    until = performance.now() + HOSTS_MS;
    names = readHosts(path);
    return names;
  };
};

const bytesOf = ({ addresses }: Answer): number => 150 + 100 * addresses.length;

export const createNames = (settings: NamesSettings): Names => {
  const resolver = new Resolver(settings.tries ?? TRIES);
  if (settings.servers) resolver.setServers(settings.servers);
  const hosts = hostsOf(settings.hostsFile ?? "/etc/hosts");
  const known = new BoundedCache<Answer>({ share: settings.maxBytes, pool: null }, bytesOf);
  const asking = new Map<string, Promise<Answer>>();

  const resolveIpv4 = (name: string) => resolver.resolve4(name, { ttl: true });
  const resolveIpv6 = (name: string) => resolver.resolve6(name, { ttl: true });
  const records = async (name: string): Promise<{ address: string; ttl: number }[]> => {
    const ipv6 = resolveIpv6(name);
    const laterIpv6 = ipv6.catch(() => []);
    const ipv4 = await resolveIpv4(name).catch((error: Error) => error);
    if (ipv4 instanceof Error) {
      // The answer for IPv4 counts, unless there is an IPv6 address.
      const ipv6 = await laterIpv6;
      if (ipv6.length === 0) throw ipv4;
      return ipv6;
    }
    const late = sleep(SIX_MS, [], { ref: false });
    return [...ipv4, ...(await Promise.race([laterIpv6, late]))];
  };

  const ask = async (name: string): Promise<Answer> => {
    try {
      const answers = await records(name);
      const ttl = Math.min(...answers.map((answer) => answer.ttl * 1000), KNOWN_MS);
      const addresses = answers.map(({ address }) => ({
        address,
        family: address.includes(":") ? 6 : 4,
      }));
      return { addresses, error: null, until: performance.now() + ttl };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === WITHOUT_SERVER) {
        const addresses = await systemLookup(name, { all: true });
        return { addresses, error: null, until: 0 };
      }
      return { addresses: [], error: error as Error, until: performance.now() + UNKNOWN_MS };
    }
  };

  /** Requests to one host at the same time share one lookup. */
  const askOnce = (name: string): Promise<Answer> => {
    const present = asking.get(name);
    if (present) return present;
    if (asking.size >= MAX_AT_ONCE) throw new Error("Too many names are being looked up");
    const pending = ask(name)
      .then((answer) => {
        known.set(name, answer);
        return answer;
      })
      .finally(() => asking.delete(name));
    asking.set(name, pending);
    return pending;
  };

  const lookup: Lookup = async (hostname) => {
    const name = hostname.toLowerCase().replace(/\.$/, "");
    if (OF_THIS_MACHINE.test(name) || hosts().has(name)) {
      return systemLookup(name, { all: true });
    }
    const stored = known.get(name);
    const answer = stored && stored.until > performance.now() ? stored : await askOnce(name);
    if (answer.error) throw answer.error;
    return answer.addresses;
  };
  return { lookup, cache: known };
};
