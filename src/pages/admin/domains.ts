// Lists other servers: those that are blocked or limited, and those that are allowed.

import type { Field, Part, Row } from "../../../web/src/served/part-pages.ts";
import type { Key } from "../../platform/text/texts.ts";
import { readDomain } from "../../domain/base/blocklists/domains.ts";
import { domainBlocksAmong, getBlock, pageOfBlocks } from "../../domain/base/blocklists/lists.ts";
import { DOMAIN_SEVERITIES } from "../../domain/base/blocklists/tables.ts";
import type { DomainBlockInput, DomainBlockRow } from "../../domain/base/blocklists/tables.ts";
import {
  createDomainAllow,
  createDomainBlock,
  deleteDomainAllow,
  deleteDomainBlock,
  updateDomainBlock,
} from "../../domain/staff/moderation/blocks.ts";
import { carryOut, drawnWith, onEntry, pageWithForms } from "./forms.ts";
import { entered, idOf, pageOf, sendAdmin } from "./frame.ts";
import type { Show, Staff } from "./frame.ts";
import { older, removal, serverTabs } from "./page-parts.ts";
import { ALLOWS, BLOCKS, limitBadge, serverPath } from "./server-parts.ts";

const LIMIT = 60;

const comment = (name: string, label: Key): Field => ({ name, label, optional: true, max: 1000 });

/** What a block does, beside its domain. */
export const BLOCK_FIELDS: readonly Field[] = [
  {
    name: "severity",
    label: "network.blocks.severity",
    options: DOMAIN_SEVERITIES.toReversed().map((value) => [value, `network.blocks.${value}`]),
  },
  {
    boxes: [
      { name: "reject_media", label: "network.blocks.reject_media" },
      { name: "reject_reports", label: "network.blocks.reject_reports" },
      { name: "obfuscate", label: "network.blocks.obfuscate" },
    ],
  },
  comment("public_comment", "network.blocks.public_comment"),
  comment("private_comment", "network.blocks.private_comment"),
];

export const NEW_BLOCK = { severity: "suspend" };

const DOMAIN = { name: "domain", label: "network.servers.server", max: 300 } as const;

const rowOf = (context: Staff, row: DomainBlockRow): Row => {
  const { id, domain } = row;
  return {
    title: { link: serverPath(domain), text: domain },
    badges: [
      limitBadge(row),
      row.reject_media && { badge: "network.blocks.no_media" },
      row.reject_reports && { badge: "network.blocks.no_reports" },
    ],
    lines: [{ joined: [row.public_comment, row.private_comment, row.created_at] }],
    acts: [removal(`${BLOCKS}/${id}`, domain, "network.blocks.lift")],
    edit: {
      ...drawnWith(context, `${BLOCKS}/${id}/update`, row),
      fields: BLOCK_FIELDS,
      values: row,
      of: id,
    },
  };
};

/** Finds the blocks that cover the requested domain, or the page of the list. */
const listParts = async (context: Staff, q: string): Promise<Part[]> => {
  const { app, t } = context;
  const rowsOf = (blocks: DomainBlockRow[]) => blocks.map((row) => rowOf(context, row));
  const { id } = context.request.params as { id?: string };
  // The form of an entry that was refused may be of another page.
  if (id) return [{ rows: rowsOf([await getBlock(app, "domain_blocks", idOf(context))]) }];
  if (q.trim() === "") {
    const blocks = await pageOfBlocks(app, "domain_blocks", pageOf(context, LIMIT));
    return [{ rows: rowsOf(blocks), none: "network.blocks.none" }, older(blocks, LIMIT)];
  }
  const domain = readDomain(q);
  if (domain === null)
    return [{ none: "network.blocks.no_domain" }, { none: "network.blocks.none_there" }];
  return [
    { text: { link: serverPath(domain), text: t("network.blocks.about", { domain }) } },
    { rows: rowsOf(await domainBlocksAmong(app.sql, domain)), none: "network.blocks.none_there" },
  ];
};

const showBlocks: Show = async (context) => {
  const { q = "" } = entered(context);
  return sendAdmin(context, {
    parts: [
      serverTabs(BLOCKS),
      {
        add: {
          action: BLOCKS,
          title: "network.blocks.add",
          fields: [{ ...DOMAIN, hint: "network.blocks.subdomains" }, ...BLOCK_FIELDS],
          values: NEW_BLOCK,
          of: "new",
        },
      },
      {
        filters: {
          action: BLOCKS,
          fields: [{ name: "q", label: "network.blocks.look_up", optional: true, max: 300 }],
        },
      },
      ...(await listParts(context, q)),
    ],
  });
};

export const blockInputFrom = (context: Staff): DomainBlockInput => {
  const fields = entered(context);
  const severity = DOMAIN_SEVERITIES.find((severity) => severity === fields["severity"]);
  return {
    ...(severity && { severity }),
    reject_media: fields["reject_media"] === "1",
    reject_reports: fields["reject_reports"] === "1",
    obfuscate: fields["obfuscate"] === "1",
    public_comment: fields["public_comment"]?.trim() || null,
    private_comment: fields["private_comment"]?.trim() || null,
  };
};

const showAllows: Show = async (context) => {
  const rows = await pageOfBlocks(context.app, "domain_allows", pageOf(context, LIMIT));
  const submit = "network.allows.allow";
  return sendAdmin(context, {
    parts: [
      serverTabs(ALLOWS),
      { text: context.t("network.allows.about") },
      { add: { action: ALLOWS, title: "network.allows.add", fields: [DOMAIN], submit } },
      {
        rows: rows.map(({ id, domain, created_at: at }) => ({
          title: { link: serverPath(domain), text: domain },
          lines: [at],
          acts: [removal(`${ALLOWS}/${id}`, domain)],
        })),
        none: "network.allows.none",
      },
      older(rows, LIMIT),
    ],
  });
};

const domainIn = (context: Staff): string | undefined => entered(context)["domain"];

const addBlock = (context: Staff): Promise<unknown> =>
  createDomainBlock(context.app, context.actor, domainIn(context), blockInputFrom(context));

export const domainBlockPages = pageWithForms(
  {
    path: BLOCKS,
    read: ["domain_blocks.read"],
    write: ["domain_blocks.write"],
    show: showBlocks,
  },
  [
    ["", "network.blocks.done.added", addBlock],
    ["/:id/update", "network.blocks.done.saved", onEntry(updateDomainBlock, blockInputFrom)],
    ["/:id/delete", "network.blocks.done.removed", onEntry(deleteDomainBlock)],
  ],
);

export const domainAllowPages = pageWithForms(
  {
    path: ALLOWS,
    read: ["domain_allows.read"],
    write: ["domain_allows.write"],
    show: showAllows,
  },
  [
    ["", "network.blocks.done.added", carryOut(createDomainAllow, domainIn)],
    ["/:id/delete", "network.blocks.done.removed", onEntry(deleteDomainAllow)],
  ],
);
