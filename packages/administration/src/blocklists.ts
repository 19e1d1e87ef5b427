// The commands domain-blocks, email-domain-blocks and ip-blocks: the lists, and their files in Mastodon's format.

import {
  COMMAND_LINE,
  ConfigError,
  DOMAIN_SEVERITIES,
  IP_SEVERITIES,
  allDomainBlocks,
  allEmailDomainBlocks,
  allIpBlocks,
  canonicalBlocks,
  createCanonicalBlock,
  createDomainBlock,
  createEmailDomainBlock,
  createIpBlock,
  deleteCanonicalBlock,
  deleteDomainBlock,
  deleteEmailDomainBlock,
  deleteIpBlock,
  importDomainBlocks,
  readDomain,
  readText,
  withApp,
  writeDomainCsv,
  writeText,
} from "./uses.ts";
import type { IpSeverity } from "./uses.ts";
import { printRows } from "./print.ts";

export const exportDomainBlocks = (path: string | undefined): Promise<void> =>
  withApp(async (app) => {
    const rows = await allDomainBlocks(app);
    writeText(path, writeDomainCsv(rows));
  });

export type ImportOptions = { dryRun?: boolean; json?: boolean; overwrite?: boolean };

/** Adds missing blocks; `overwrite` also changes existing ones that differ. Exits with 1 where a line is no block. */
export const importDomains = (path: string, options: ImportOptions): Promise<void> =>
  withApp(async (app) => {
    const { dryRun = false, overwrite = false } = options;
    const text = await readText(path);
    const result = await importDomainBlocks(app, COMMAND_LINE, text, { dryRun, overwrite });
    if (result.refused.length > 0) process.exitCode = 1;
    if (options.json) {
      const { added, changed, ...rest } = result;
      const counts = { ...rest, added: added.length, changed: changed.length };
      return console.log(JSON.stringify(counts, null, 2));
    }
    for (const { domain, severity } of result.added) console.log(`+ ${domain}\t${severity}`);
    for (const { domain, severity } of result.changed) console.log(`~ ${domain}\t${severity}`);
    for (const line of result.covered) console.log(`= ${line}`);
    for (const line of result.refused) {
      console.log(`! ${line}: not a domain, or an unknown severity`);
    }
    console.log(
      `${dryRun ? "Dry run: " : ""}${result.added.length} ${dryRun ? "would be " : ""}added, ${result.changed.length} changed, ${result.left} left as they are, ${result.unchanged} unchanged`,
    );
  });

type DomainOptions = {
  severity?: string;
  publicComment?: string;
  privateComment?: string;
  rejectMedia?: boolean;
  rejectReports?: boolean;
  obfuscate?: boolean;
};

export const addDomainBlock = (domain: string, options: DomainOptions): Promise<void> =>
  withApp(async (app) => {
    const severity = DOMAIN_SEVERITIES.find(
      (severity) => severity === (options.severity ?? "suspend"),
    );
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
  const row = rows.find((row) => nameOf(row).toLowerCase() === name.toLowerCase());
  if (!row) throw new ConfigError(`There is no block of ${name}.`);
  return row;
};

export const removeDomainBlock = (domain: string): Promise<void> =>
  withApp(async (app) => {
    const row = named(
      await allDomainBlocks(app),
      readDomain(domain) ?? domain,
      (block) => block.domain,
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

/** Exports blocks for the proxy in front, which can refuse requests sooner. */
export const exportIpBlocks = (path: string | undefined, { format }: { format: string }) =>
  withApp(async (app) => {
    const rows = (await allIpBlocks(app)).filter(({ severity }) => severity === "no_access");
    const line = (ip: string) => (format === "nginx" ? `deny ${ip};\n` : `${ip}\n`);
    writeText(path, rows.map(({ ip }) => line(ip)).join(""));
  });

export const findCanonicalBlock = (address: string, { json }: { json?: boolean }) =>
  withApp(async (app) => {
    const [row] = await canonicalBlocks(app, address);
    if (!row) process.exitCode = 1;
    if (json) return console.log(JSON.stringify(row ?? null, null, 2));
    console.log(`${address} is ${row ? "" : "not "}blocked.`);
  });

export const changeCanonicalBlock = (act: "add" | "remove", address: string): Promise<void> =>
  withApp(async (app) => {
    if (act === "add") await createCanonicalBlock(app, COMMAND_LINE, { email: address });
    else {
      const [row] = await canonicalBlocks(app, address);
      if (!row) throw new ConfigError(`There is no block of ${address}.`);
      await deleteCanonicalBlock(app, COMMAND_LINE, row.id);
    }
    console.log("OK");
  });

type IpOptions = { severity: string; comment?: string; duration?: string };

export const addIpBlocks = (networks: string[], options: IpOptions): Promise<void> =>
  withApp(async (app) => {
    const severity = IP_SEVERITIES.find((severity) => severity === options.severity) as
      | IpSeverity
      | undefined;
    if (!severity) throw new ConfigError(`--severity must be one of ${IP_SEVERITIES.join(", ")}.`);
    const expiresIn = Number(options.duration ?? 0);
    if (!Number.isSafeInteger(expiresIn) || expiresIn < 0) {
      throw new ConfigError("--duration must be a number of seconds.");
    }
    for (const ip of networks) {
      const comment = options.comment ?? "";
      await createIpBlock(app, COMMAND_LINE, { ip, severity, comment, expiresIn }, null);
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
