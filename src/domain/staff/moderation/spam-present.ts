// Presents the entities of our own admin API of rules against spam (docs/design/staff.md).

import { isoTime } from "../../../platform/ids/index.ts";
import type { MatchRow, RuleRow } from "../../base/spam/tables.ts";
import type { DryRun } from "./spam.ts";

export const spamRuleEntity = (row: RuleRow) => ({
  id: row.id,
  name: row.name,
  conditions: row.conditions,
  actions: row.actions,
  enabled: row.enabled,
  hits: Number(row.hits),
  tried_at: row.tried_at && isoTime(row.tried_at),
  created_at: isoTime(row.created_at),
  updated_at: isoTime(row.updated_at),
});

export const spamMatchEntity = (row: MatchRow) => ({
  id: row.id,
  rule_id: row.rule_id,
  account_id: row.account_id,
  status_id: row.status_id,
  state: row.state,
  text: row.text,
  limited: row.limited,
  report_id: row.report_id,
  created_at: isoTime(row.created_at),
});

export const dryRunEntity = ({ samples, ...counts }: DryRun) => ({
  ...counts,
  samples: samples.map(({ id, accountId, text }) => ({
    status_id: id,
    account_id: accountId,
    text,
  })),
});
