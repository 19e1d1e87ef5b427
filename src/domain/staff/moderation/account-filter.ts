// Reads filters of lists of accounts with the names of both versions of the API; the pages use those of the second.

import { parseId } from "../../../platform/ids/index.ts";
import { BadRequest } from "../../../platform/errors.ts";
import { readDomain } from "../../base/blocklists/domains.ts";
import { readNetwork } from "../../base/blocklists/ips.ts";
import { STATES } from "./queries-accounts.ts";
import type { AccountFilter, State } from "./queries-accounts.ts";

/** Reads an empty text as no filter. */
const textOf = (text: string | undefined): string | null => text?.trim() || null;

const networkOf = (text: string | null): string | null => {
  if (text === null) return null;
  const network = readNetwork(text);
  if (!network) throw new BadRequest("ip is not an IP address or a network");
  return `${network.address}/${network.prefix}`;
};

const domainOf = (text: string | null): string | null =>
  text === null ? null : (readDomain(text) ?? text.toLowerCase());

type ByText = Partial<Record<"username" | "display_name" | "by_domain" | "email" | "ip", string>>;

const textFilters = (query: ByText) => ({
  username: textOf(query.username)?.replace(/^@/, "") ?? null,
  displayName: textOf(query.display_name),
  domain: domainOf(textOf(query.by_domain)),
  email: textOf(query.email),
  ip: networkOf(textOf(query.ip)),
});

type FirstFilter = ByText & Partial<Record<State | "local" | "remote" | "staff", boolean>>;

export const firstFilter = (query: FirstFilter): AccountFilter => ({
  origin: query.local ? "local" : query.remote ? "remote" : null,
  states: STATES.filter((state) => query[state] === true),
  staff: query.staff ?? false,
  roleIds: null,
  invitedBy: null,
  ...textFilters(query),
});

const oneOf = <T extends string>(
  name: string,
  value: string | null,
  allowed: readonly T[],
): T | null => {
  if (value === null) return null;
  const word = allowed.find((word) => word === value);
  if (!word) throw new BadRequest(`${name} must be one of ${allowed.join(", ")}`);
  return word;
};

type SecondFilter = ByText &
  Partial<Record<"origin" | "status" | "permissions" | "invited_by", string>> & {
    role_ids?: string[];
  };

export const accountFilter = (query: SecondFilter): AccountFilter => {
  const state = oneOf<State>("status", textOf(query.status), STATES);
  return {
    origin: oneOf("origin", textOf(query.origin), ["local", "remote"] as const),
    states: state === null ? [] : [state],
    staff: oneOf("permissions", textOf(query.permissions), ["staff"] as const) !== null,
    roleIds: query.role_ids?.flatMap((id) => parseId(id) ?? []) ?? null,
    invitedBy: textOf(query.invited_by) && (parseId(textOf(query.invited_by)) ?? "0"),
    ...textFilters(query),
  };
};
