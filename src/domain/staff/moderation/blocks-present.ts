// Presents the lists of moderators as JSON entities. https://docs.joinmastodon.org/entities/Admin_DomainBlock/ and so
// on

import { isoDate, isoTime } from "../../../platform/ids/index.ts";
import { digestOf } from "../../base/blocklists/domains.ts";
import type {
  CanonicalBlockRow,
  DomainAllowRow,
  DomainBlockRow,
  EmailDomainBlockRow,
  IpBlockRow,
  TriesRow,
} from "../../base/blocklists/tables.ts";
import { historyDays } from "../../posts/tags/rules.ts";

export const adminDomainBlockEntity = (row: DomainBlockRow) => ({
  id: row.id,
  domain: row.domain,
  digest: digestOf(row.domain),
  created_at: isoTime(row.created_at),
  severity: row.severity,
  reject_media: row.reject_media,
  reject_reports: row.reject_reports,
  private_comment: row.private_comment,
  public_comment: row.public_comment,
  obfuscate: row.obfuscate,
});

export const domainAllowEntity = ({ id, domain, created_at: at }: DomainAllowRow) => ({
  id,
  domain,
  created_at: isoTime(at),
});

export const ipBlockEntity = (row: IpBlockRow) => ({
  id: row.id,
  ip: row.ip,
  severity: row.severity,
  comment: row.comment,
  created_at: isoTime(row.created_at),
  expires_at: row.expires_at && isoTime(row.expires_at),
});

export const emailDomainBlockEntity = (row: EmailDomainBlockRow, tries: TriesRow[], now: Date) => {
  const known = new Map(tries.map((day) => [day.day, day]));
  return {
    id: row.id,
    domain: row.domain,
    created_at: isoTime(row.created_at),
    allow_with_approval: row.allow_with_approval,
    history: historyDays(now).map((day) => {
      const { uses, accounts } = known.get(isoDate(day)) ?? { uses: "0", accounts: "0" };
      return { day: String(day.getTime() / 1000), accounts, uses };
    }),
  };
};

export const canonicalBlockEntity = ({ id, canonical_email_hash }: CanonicalBlockRow) => ({
  id,
  canonical_email_hash,
});
