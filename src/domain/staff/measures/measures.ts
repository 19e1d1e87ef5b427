// Returns figures by day. https://docs.joinmastodon.org/methods/admin/measures/

import type { App } from "../../../platform/app.ts";
import type { Db } from "../../../platform/db/index.ts";
import { parseId, isoDate, isoTime } from "../../../platform/ids/index.ts";
import { daysOf, periodBefore } from "./period.ts";
import {
  countActive,
  countDomainAccounts,
  countDomainFollowers,
  countDomainFollows,
  countDomainMedia,
  countDomainReports,
  countDomainStatuses,
  countNewUsers,
  countOpenedReports,
  countResolvedReports,
  countTagServers,
  selectStored,
  selectTagDays,
} from "./queries.ts";
import type { DayRow, Period } from "./queries.ts";
import { countMissing } from "./series.ts";
import type { StoredKey } from "./series.ts";

type Rows = PromiseLike<readonly DayRow[]>;

export type Subject = { id?: string | undefined; domain?: string | undefined };

type Measure = {
  /** Kind of subject, where it is not the whole server. */
  about?: "id" | "domain";
  read: (app: App, db: Db, period: Period, subject: string) => Rows;
  /** Returns the total, where it is not the sum of the days. */
  total?: (db: Db, period: Period) => Promise<string>;
};

const storing =
  (key: StoredKey) =>
  async (app: App, db: Db, period: Period): Promise<readonly DayRow[]> => {
    const now = app.clock.now();
    const stored = await selectStored(db, key, period);
    const known = new Set(stored.map(({ day }) => day));
    const missing = daysOf(period).filter((day) => !known.has(isoDate(day)) && day <= now);
    const counted = await countMissing(db, key, { missing, now });
    return [...stored, ...Array.from(counted, ([day, value]) => ({ day, value: String(value) }))];
  };

const plain =
  (count: (db: Db, period: Period) => Rows): Measure["read"] =>
  (_app, db, period) =>
    count(db, period);

const ofDomain = (count: (db: Db, domain: string, period: Period) => Rows): Measure => ({
  about: "domain",
  read: (_app, db, period, domain) => count(db, domain, period),
});

const ofTag = (count: (db: Db, id: string, period: Period) => Rows): Measure => ({
  about: "id",
  read: (_app, db, period, id) => count(db, id, period),
});

const MEASURES: Record<string, Measure> = {
  active_users: {
    read: (_app, db, period) => selectStored(db, "active_users", period),
    total: countActive,
  },
  new_users: { read: plain(countNewUsers) },
  interactions: { read: storing("interactions") },
  posts: { read: storing("posts") },
  media: { read: storing("media") },
  deliveries: { read: (_app, db, period) => selectStored(db, "deliveries", period) },
  failed_deliveries: { read: (_app, db, period) => selectStored(db, "failed_deliveries", period) },
  opened_reports: { read: plain(countOpenedReports) },
  resolved_reports: { read: plain(countResolvedReports) },
  tag_accounts: ofTag((db, id, period) => selectTagDays(db, "accounts", id, period)),
  tag_uses: ofTag((db, id, period) => selectTagDays(db, "uses", id, period)),
  tag_servers: ofTag(countTagServers),
  instance_accounts: ofDomain(countDomainAccounts),
  instance_media_attachments: ofDomain(countDomainMedia),
  instance_reports: ofDomain(countDomainReports),
  instance_statuses: ofDomain(countDomainStatuses),
  instance_follows: ofDomain(countDomainFollows),
  instance_followers: ofDomain(countDomainFollowers),
};

export const MEASURE_SUBJECTS = Object.keys(MEASURES).filter((key) => MEASURES[key]!.about);

const sum = (rows: readonly DayRow[]): string =>
  String(rows.reduce((all, { value }) => all + BigInt(value), 0n));

/** Returns the id of a tag, or a domain; null where it is missing. */
const subjectOf = ({ about }: Measure, subject: Subject | undefined): string | null => {
  if (about === undefined) return "";
  return (about === "id" ? parseId(subject?.id) : subject?.domain?.toLowerCase()) || null;
};

/** Makes the Measure entity; returns null for an unknown key or a missing subject. */
export const measure = async (
  app: App,
  db: Db,
  key: string,
  { period, subject: target }: { period: Period; subject: Subject | undefined },
) => {
  const measure = Object.hasOwn(MEASURES, key) ? MEASURES[key]! : null;
  const subject = measure && subjectOf(measure, target);
  if (!measure || subject === null) return null;
  const rows = await measure.read(app, db, period, subject);
  const before = periodBefore(period);
  const values = new Map(rows.map(({ day, value }) => [day, value]));
  const total = (of: Period, days: readonly DayRow[]) => measure.total?.(db, of) ?? sum(days);
  return {
    key,
    unit: null,
    total: await total(period, rows),
    previous_total: await total(before, await measure.read(app, db, before, subject)),
    data: daysOf(period).map((day) => ({
      date: isoTime(day),
      value: values.get(isoDate(day)) ?? "0",
    })),
  };
};
