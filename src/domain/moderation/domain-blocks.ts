// Servers that are limited or blocked: the DomainBlock entity, and which block applies to a host.
// https://docs.joinmastodon.org/entities/DomainBlock/

import { createHash } from "node:crypto";
import type { App } from "../../platform/app.ts";
import { selectBlockFor, selectLimits } from "./queries.ts";
import type { DomainBlockRow } from "./queries.ts";

/** Enough of a name to recognise it, not enough to visit it. */
const obfuscated = (domain: string): string => {
  const visible = Math.max(1, Math.floor(domain.length / 4));
  const hidden = domain.slice(visible, -visible).replace(/[^.]/g, "*");
  return domain.slice(0, visible) + hidden + domain.slice(-visible);
};

const digestOf = (domain: string): string => createHash("sha256").update(domain).digest("hex");

/** The DomainBlock entity; the comment only where reasons are public. */
export const domainBlockEntity = (row: DomainBlockRow, withComment: boolean) => ({
  domain: row.obfuscate ? obfuscated(row.domain) : row.domain,
  digest: digestOf(row.domain),
  severity: row.severity,
  comment: withComment ? row.public_comment : null,
});

export const listDomainBlocks = (app: App): Promise<DomainBlockRow[]> => selectLimits(app.sql);

/** `a.b.example` → itself, `b.example`, `example`: a block applies to subdomains too. */
const domainsAbove = (domain: string): string[] => {
  const parts = domain.split(".");
  return parts.map((_, index) => parts.slice(index).join("."));
};

/** The block that applies to this host, or null. */
export const domainBlockFor = (app: App, domain: string): Promise<DomainBlockRow | null> =>
  selectBlockFor(app.sql, domainsAbove(domain));
