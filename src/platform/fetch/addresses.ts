// Decides which IP addresses outbound requests may connect to: public ones, and private ones that the administrator has
// listed.

import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { ConfigError } from "../errors.ts";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

/** `empty`: the administrator listed none. `listed`: the address is on the list. `allowed`: it is listed or public. */
export type AddressPolicy = {
  empty: boolean;
  listed(address: string): boolean;
  allowed(address: string): boolean;
};

// IANA has assigned only this block for unicast; all others are special or reserved.
const GLOBAL_UNICAST: Range = [ipaddr.IPv6.parse("2000::"), 3];

/** Makes a policy from single addresses and CIDRs; throws ConfigError on anything else. */
export const addressPolicy = (entries: string[]): AddressPolicy => {
  const ranges = entries.map(parseRange);
  const listed = (text: string): boolean => {
    const address = parseAddress(text);
    return address !== null && ranges.some((range) => within(address, range));
  };
  return { empty: ranges.length === 0, listed, allowed: (text) => listed(text) || isPublic(text) };
};

/** Whether an address is globally reachable unicast. This is an allowlist, so that new special ranges are refused. */
export const isPublic = (text: string): boolean => {
  const address = parseAddress(text);
  if (address === null || address.range() !== "unicast") return false;
  return address.kind() === "ipv4" || within(address, GLOBAL_UNICAST);
};

const within = (address: Address, [base, bits]: Range): boolean =>
  address.kind() === base.kind() && address.match(base as never, bits);

/** Checks Node's strict syntax first: ipaddr.js also accepts `0x7f.1`. A zone (`%eth0`) is refused. */
const parseAddress = (text: string): Address | null =>
  isIP(text) === 0 || text.includes("%") ? null : ipaddr.parse(text);

const parseRange = (entry: string): Range => {
  const [text = "", bits, ...rest] = entry.trim().split("/");
  const address = parseAddress(text);
  const width = address?.kind() === "ipv4" ? 32 : 128;
  const length = bits === undefined ? width : /^\d{1,3}$/.test(bits) ? Number(bits) : Infinity;
  if (address === null || length > width || rest.length > 0) {
    throw new ConfigError(`ALLOWED_PRIVATE_ADDRESSES: "${entry}" is not an address or a CIDR.`);
  }
  return [address, length];
};
