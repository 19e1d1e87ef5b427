// rookery domain-blocks, email-domain-blocks, ip-blocks: the lists, and their files as Mastodon writes them.

import { createWriteStream } from "node:fs";
import { allDomainBlocks, allEmailDomainBlocks, allIpBlocks } from "../domain/blocklists/lists.ts";
import { DOMAIN_SEVERITIES, IP_SEVERITIES } from "../domain/blocklists/tables.ts";
import type { DomainBlockInput, DomainBlockRow, IpSeverity } from "../domain/blocklists/tables.ts";
import { readDomain } from "../domain/blocklists/domains.ts";
import {
  createDomainBlock,
  createEmailDomainBlock,
  createIpBlock,
  deleteDomainBlock,
  deleteEmailDomainBlock,
  deleteIpBlock,
  updateDomainBlock,
} from "../domain/moderation/blocks.ts";
import { COMMAND_LINE } from "../domain/roles/permissions.ts";
import type { App } from "../platform/app.ts";
import { ConfigError, Unprocessable } from "../platform/errors.ts";
import { parseCsv, writeCsv } from "../platform/text/csv.ts";
import { printRows } from "./print.ts";
import { readText } from "./read-text.ts";
import { withApp } from "./session.ts";

const HEADER = [
  "#domain",
  "#severity",
  "#reject_media",
  "#reject_reports",
  "#public_comment",
  "#obfuscate",
];

const csvRow = (row: DomainBlockRow): string[] => [
  row.domain,
  row.severity,
  String(row.reject_media),
  String(row.reject_reports),
  row.public_comment ?? "",
  String(row.obfuscate),
];

const write = (path: string | undefined, text: string): void => {
  if (path === undefined || path === "-") return void process.stdout.write(text);
  createWriteStream(path).end(text);
};

export const exportDomainBlocks = (path: string | undefined): Promise<void> =>
  withApp(async (app) => {
    const rows = await allDomainBlocks(app);
    write(path, writeCsv([HEADER, ...rows.map(csvRow)]));
  });

type Planned = { domain: string; input: DomainBlockInput; existing: DomainBlockRow | null };
type Plan = { add: Planned[]; change: Planned[]; same: number; refused: string[] };

const isTrue = (text: string | undefined): boolean => /^(?:true|1|t|yes)$/i.test(text ?? "");

/** By the names of the columns, with or without #; without a header the first column is the domain. */
const columnsOf = (first: string[]): Map<string, number> => {
  const names = first.map((name) => name.trim().replace(/^#/, "").toLowerCase());
  return names.includes("domain")
    ? new Map(names.map((name, index) => [name, index]))
    : new Map([["domain", 0]]);
};

const inputOf = (cells: string[], columns: Map<string, number>): DomainBlockInput | null => {
  const cell = (name: string): string | undefined => {
    const index = columns.get(name);
    return index === undefined ? undefined : cells[index]?.trim();
  };
  const given = cell("severity") || "suspend";
  const severity = DOMAIN_SEVERITIES.find((one) => one === given);
  if (!severity) return null;
  return {
    severity,
    reject_media: isTrue(cell("reject_media")),
    reject_reports: isTrue(cell("reject_reports")),
    public_comment: cell("public_comment") || null,
    obfuscate: isTrue(cell("obfuscate")),
  };
};

const isSame = (row: DomainBlockRow, input: DomainBlockInput): boolean =>
  Object.entries(input).every(([name, value]) => row[name as keyof DomainBlockInput] === value);

const planImport = (text: string, present: DomainBlockRow[]): Plan => {
  const rows = parseCsv(text);
  const columns = columnsOf(rows[0] ?? []);
  const isHeader = (rows[0] ?? []).some((name) => /^#?domain$/i.test(name.trim()));
  const known = new Map(present.map((row) => [row.domain.toLowerCase(), row]));
  const plan: Plan = { add: [], change: [], same: 0, refused: [] };
  for (const cells of isHeader ? rows.slice(1) : rows) {
    const name = cells[columns.get("domain")!] ?? "";
    const domain = readDomain(name);
    const input = inputOf(cells, columns);
    if (!domain || !input) {
      if (name.trim()) plan.refused.push(name.trim());
      continue;
    }
    const existing = known.get(domain) ?? null;
    if (!existing) plan.add.push({ domain, input, existing });
    else if (isSame(existing, input)) plan.same += 1;
    else plan.change.push({ domain, input, existing });
  }
  return plan;
};

/** What is covered by a block that is as strict needs none. */
const addAll = async (app: App, planned: Planned[]): Promise<string[]> => {
  const covered: string[] = [];
  for (const { domain, input } of planned) {
    try {
      await createDomainBlock(app, COMMAND_LINE, domain, input);
    } catch (error) {
      if (!(error instanceof Unprocessable)) throw error;
      covered.push(`${domain}: ${error.message}`);
    }
  }
  return covered;
};

export type ImportOptions = { dryRun?: boolean; json?: boolean; overwrite?: boolean };

/** Adds what is missing; with `overwrite` it also changes what is another there. */
export const importDomainBlocks = (path: string, options: ImportOptions): Promise<void> =>
  withApp(async (app) => {
    const plan = planImport(await readText(path), await allDomainBlocks(app));
    const change = options.overwrite ? plan.change : [];
    const covered = options.dryRun ? [] : await addAll(app, plan.add);
    if (!options.dryRun) {
      for (const { input, existing } of change) {
        await updateDomainBlock(app, COMMAND_LINE, existing!.id, input);
      }
    }
    const result = {
      dry_run: options.dryRun ?? false,
      added: plan.add.length - covered.length,
      changed: change.length,
      left: plan.change.length - change.length,
      unchanged: plan.same,
      covered,
      refused: plan.refused,
    };
    if (options.json) return console.log(JSON.stringify(result, null, 2));
    for (const { domain, input } of plan.add) console.log(`+ ${domain}\t${input.severity}`);
    for (const { domain, input } of change) console.log(`~ ${domain}\t${input.severity}`);
    for (const text of covered) console.log(`= ${text}`);
    for (const text of plan.refused) console.log(`! ${text}: not a domain, or an unknown severity`);
    console.log(
      `${options.dryRun ? "Dry run: " : ""}${result.added} added, ${result.changed} changed, ${result.left} left as they are, ${result.unchanged} unchanged`,
    );
  });

export type DomainOptions = {
  severity?: string;
  publicComment?: string;
  privateComment?: string;
  rejectMedia?: boolean;
  rejectReports?: boolean;
  obfuscate?: boolean;
};

export const addDomainBlock = (domain: string, options: DomainOptions): Promise<void> =>
  withApp(async (app) => {
    const severity = DOMAIN_SEVERITIES.find((one) => one === (options.severity ?? "suspend"));
    if (!severity) {
      throw new ConfigError(`--severity must be one of ${DOMAIN_SEVERITIES.join(", ")}.`);
    }
    await createDomainBlock(app, COMMAND_LINE, domain, {
      severity,
      public_comment: options.publicComment ?? null,
      private_comment: options.privateComment ?? null,
      reject_media: options.rejectMedia ?? false,
      reject_reports: options.rejectReports ?? false,
      obfuscate: options.obfuscate ?? false,
    });
    console.log("OK");
  });

const named = <T extends { id: string }>(
  rows: T[],
  name: string,
  nameOf: (row: T) => string,
): T => {
  const row = rows.find((one) => nameOf(one).toLowerCase() === name.toLowerCase());
  if (!row) throw new ConfigError(`There is no block of ${name}.`);
  return row;
};

export const removeDomainBlock = (domain: string): Promise<void> =>
  withApp(async (app) => {
    const row = named(
      await allDomainBlocks(app),
      readDomain(domain) ?? domain,
      (one) => one.domain,
    );
    await deleteDomainBlock(app, COMMAND_LINE, row.id);
    console.log("OK");
  });

export const listDomainBlocks = ({ json }: { json?: boolean }): Promise<void> =>
  withApp(async (app) =>
    printRows(await allDomainBlocks(app), json, (row) =>
      [row.domain, row.severity, row.public_comment ?? ""].join("\t").trimEnd(),
    ),
  );

export const listEmailDomainBlocks = ({ json }: { json?: boolean }): Promise<void> =>
  withApp(async (app) =>
    printRows(await allEmailDomainBlocks(app), json, (row) =>
      row.allow_with_approval ? `${row.domain}\twith approval` : row.domain,
    ),
  );

export const addEmailDomainBlocks = (
  domains: string[],
  { allowWithApproval = false }: { allowWithApproval?: boolean },
): Promise<void> =>
  withApp(async (app) => {
    for (const domain of domains) {
      await createEmailDomainBlock(app, COMMAND_LINE, { domain, withApproval: allowWithApproval });
    }
    console.log("OK");
  });

export const removeEmailDomainBlocks = (domains: string[]): Promise<void> =>
  withApp(async (app) => {
    const rows = await allEmailDomainBlocks(app);
    for (const domain of domains) {
      const { id } = named(rows, domain, (row) => row.domain);
      await deleteEmailDomainBlock(app, COMMAND_LINE, id);
    }
    console.log("OK");
  });

export const listIpBlocks = ({ json }: { json?: boolean }): Promise<void> =>
  withApp(async (app) =>
    printRows(await allIpBlocks(app), json, (row) => {
      const until = row.expires_at ? `until ${row.expires_at.toISOString()}` : "";
      return [row.ip, row.severity, until, row.comment].join("\t").trimEnd();
    }),
  );

export type IpOptions = { severity: string; comment?: string; duration?: string };

export const addIpBlocks = (networks: string[], options: IpOptions): Promise<void> =>
  withApp(async (app) => {
    const severity = IP_SEVERITIES.find((one) => one === options.severity) as
      | IpSeverity
      | undefined;
    if (!severity) throw new ConfigError(`--severity must be one of ${IP_SEVERITIES.join(", ")}.`);
    const expiresIn = Number(options.duration ?? 0);
    if (!Number.isSafeInteger(expiresIn) || expiresIn < 0) {
      throw new ConfigError("--duration must be a number of seconds.");
    }
    for (const ip of networks) {
      const comment = options.comment ?? "";
      await createIpBlock(app, COMMAND_LINE, { ip, severity, comment, expiresIn });
    }
    console.log("OK");
  });

export const removeIpBlocks = (networks: string[]): Promise<void> =>
  withApp(async (app) => {
    const rows = await allIpBlocks(app);
    for (const network of networks) {
      const full = network.includes("/")
        ? network
        : `${network}/${network.includes(":") ? 128 : 32}`;
      await deleteIpBlock(app, COMMAND_LINE, named(rows, full, (row) => row.ip).id);
    }
    console.log("OK");
  });
