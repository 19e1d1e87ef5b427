// Row types of the blocklists slice.

export const DOMAIN_SEVERITIES = ["noop", "silence", "suspend"] as const;
export type DomainSeverity = (typeof DOMAIN_SEVERITIES)[number];

export type DomainBlockRow = {
  id: string;
  domain: string;
  severity: DomainSeverity;
  reject_media: boolean;
  reject_reports: boolean;
  private_comment: string | null;
  public_comment: string | null;
  obfuscate: boolean;
  created_at: Date;
};

export type DomainBlockInput = Partial<Omit<DomainBlockRow, "id" | "domain" | "created_at">>;

export type DomainAllowRow = { id: string; domain: string; created_at: Date };

export const IP_SEVERITIES = ["sign_up_requires_approval", "sign_up_block", "no_access"] as const;
export type IpSeverity = (typeof IP_SEVERITIES)[number];

export type IpBlockRow = {
  id: string;
  /** With its prefix: 192.0.2.0/24. */
  ip: string;
  severity: IpSeverity;
  comment: string;
  expires_at: Date | null;
  created_at: Date;
};

export type EmailDomainBlockRow = {
  id: string;
  domain: string;
  allow_with_approval: boolean;
  created_at: Date;
};

/** Number of sign-ups of a day that a block stopped or held. */
export type TriesRow = { block_id: string; day: string; uses: string; accounts: string };

export type CanonicalBlockRow = { id: string; canonical_email_hash: string };
