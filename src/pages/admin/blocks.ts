// Shows what sign-ups are refused by: networks of clients, email providers, single addresses.

import type { Field, FieldValues, Inline, Part } from "../../../web/src/served/part-pages.ts";
import type { Key } from "../../platform/text/texts.ts";
import { canonicalBlocks } from "../../domain/base/blocklists/emails.ts";
import { loadTries, pageOfBlocks } from "../../domain/base/blocklists/lists.ts";
import { IP_SEVERITIES } from "../../domain/base/blocklists/tables.ts";
import type { IpSeverity } from "../../domain/base/blocklists/tables.ts";
import {
  createCanonicalBlock,
  createEmailDomainBlock,
  createIpBlock,
  deleteCanonicalBlock,
  deleteEmailDomainBlock,
  deleteIpBlock,
} from "../../domain/staff/moderation/blocks.ts";
import { text, older, removal } from "./page-parts.ts";
import { carryOut, onEntry, pageWithForms } from "./forms.ts";
import { entered, pageOf, sendAdmin } from "./frame.ts";
import type { Show, Staff } from "./frame.ts";

const IPS = "/admin/blocks";
const PROVIDERS = "/admin/blocks/email_providers";
const ADDRESSES = "/admin/blocks/email_addresses";
const LIMIT = 60;

const TABS: readonly (readonly [string, Key])[] = [
  [IPS, "network.refused.ips"],
  [PROVIDERS, "network.refused.providers"],
  [ADDRESSES, "network.refused.addresses"],
];

const SEVERITIES: Record<IpSeverity, Key> = {
  sign_up_requires_approval: "network.refused.approval",
  sign_up_block: "network.refused.sign_ups",
  no_access: "network.refused.access",
};

const DAY = 86_400;
const DURATIONS: readonly (readonly [number, Key])[] = [
  [DAY, "network.refused.day"],
  [7 * DAY, "network.refused.week"],
  [30 * DAY, "network.refused.month"],
  [365 * DAY, "network.refused.year"],
  [0, "network.refused.for_good"],
];

type List = {
  path: string;
  add: Key;
  about?: readonly Part[];
  fields: readonly Field[];
  values?: FieldValues;
  none: Key;
  rows: { id: string; name: string; about: Inline }[];
};

type Load = (context: Staff) => Promise<List>;

const showList =
  (load: Load): Show =>
  async (context) => {
    const { path, add: title, about = [], fields, values, none, rows } = await load(context);
    return sendAdmin(context, {
      parts: [
        { tabs: TABS, title: "staff.section.blocked_sign_ups", shown: path },
        ...about,
        { add: { action: path, title, fields, values } },
        {
          rows: rows.map(({ id, name, about }) => ({
            title: name,
            lines: [about],
            acts: [removal(`${path}/${id}`, name)],
          })),
          none,
        },
        older(rows, LIMIT),
      ],
    });
  };

const loadIps: Load = async (context) => {
  const { t } = context;
  const rows = await pageOfBlocks(context.app, "ip_blocks", pageOf(context, LIMIT));
  const severities = IP_SEVERITIES.map((value) => [value, SEVERITIES[value]] as const);
  const durations = DURATIONS.map(([seconds, label]) => [String(seconds), label] as const);
  return {
    path: IPS,
    add: "network.refused.add_ip",
    fields: [
      text("ip", "network.refused.network", 60, { hint: "network.refused.network_hint" }),
      {
        pair: [
          { name: "severity", label: "network.refused.what", options: severities },
          { name: "duration", label: "network.refused.how_long", options: durations },
        ],
      },
      { name: "comment", label: "network.server.reason_staff", optional: true, max: 1000 },
    ],
    values: { severity: "sign_up_block", duration: 30 * DAY },
    none: "network.refused.no_address",
    rows: rows.map(({ id, ip: name, severity, expires_at: end, comment }) => ({
      id,
      name,
      about: {
        joined: [
          t(SEVERITIES[severity]),
          end
            ? { say: "network.refused.until", with: { time: end } }
            : t("network.refused.for_good"),
          comment,
        ],
      },
    })),
  };
};

const loadProviders: Load = async (context) => {
  const { t } = context;
  const rows = await pageOfBlocks(context.app, "email_domain_blocks", pageOf(context, LIMIT));
  const tries = await loadTries(context.app, rows);
  const total = (id: string) =>
    (tries.get(id) ?? []).reduce((sum, { uses }) => sum + Number(uses), 0);
  return {
    path: PROVIDERS,
    add: "network.refused.add_provider",
    fields: [
      text("domain", "network.refused.domain", 300, { hint: "network.refused.domain_hint" }),
      { boxes: [{ name: "with_approval", label: "network.refused.with_approval" }] },
    ],
    none: "network.refused.no_provider",
    rows: rows.map(({ id, domain: name, allow_with_approval: approval, created_at: at }) => {
      const severity = SEVERITIES[approval ? "sign_up_requires_approval" : "sign_up_block"];
      const count = t("network.refused.tries", { count: total(id) });
      return { id, name, about: { joined: [t(severity), count, at] } };
    }),
  };
};

const loadAddresses: Load = async (context) => {
  const { app, t } = context;
  const { email = "" } = entered(context);
  const rows =
    email && context.request.method === "GET"
      ? await canonicalBlocks(app, email)
      : await pageOfBlocks(app, "canonical_email_blocks", pageOf(context, LIMIT));
  return {
    path: ADDRESSES,
    add: "network.refused.add_address",
    about: [
      { text: t("network.refused.hashes") },
      {
        filters: {
          action: ADDRESSES,
          fields: [text("email", "network.refused.is_blocked", 320, { optional: true })],
          of: "asked",
        },
      },
    ],
    fields: [{ name: "email", label: "network.refused.email", type: "email", max: 320 }],
    none: email ? "network.refused.not_blocked" : "network.refused.no_address",
    rows: rows.map(({ id, canonical_email_hash: hash }) => ({
      id,
      name: `${hash.slice(0, 20)}…`,
      about: t("network.refused.hash"),
    })),
  };
};

const addIp = (context: Staff): Promise<unknown> => {
  const { ip, severity: chosen, comment, duration } = entered(context);
  const severity = IP_SEVERITIES.find((severity) => severity === chosen);
  const seconds = Number(duration ?? 0);
  const input = {
    ip: ip?.trim(),
    severity,
    comment: comment?.trim() ?? "",
    expiresIn: Number.isFinite(seconds) ? seconds : 0,
  };
  return createIpBlock(context.app, context.actor, input, context.request.ip);
};

const providerIn = (context: Staff) => {
  const { domain, with_approval: approval } = entered(context);
  return { domain, withApproval: approval === "1" };
};

const addressIn = (context: Staff) => ({ email: entered(context)["email"] });

const ADDED = "network.refused.done.added";
const REMOVED = "network.refused.done.removed";

export const ipBlockPages = pageWithForms(
  { path: IPS, read: ["ip_blocks.read"], write: ["ip_blocks.write"], show: showList(loadIps) },
  [
    ["", ADDED, addIp],
    ["/:id/delete", REMOVED, onEntry(deleteIpBlock)],
  ],
);

export const providerBlockPages = pageWithForms(
  {
    path: PROVIDERS,
    read: ["email_domain_blocks.read"],
    write: ["email_domain_blocks.write"],
    show: showList(loadProviders),
  },
  [
    ["", ADDED, carryOut(createEmailDomainBlock, providerIn)],
    ["/:id/delete", REMOVED, onEntry(deleteEmailDomainBlock)],
  ],
);

export const addressBlockPages = pageWithForms(
  {
    path: ADDRESSES,
    read: ["canonical_email_blocks.read"],
    write: ["canonical_email_blocks.write"],
    show: showList(loadAddresses),
  },
  [
    ["", ADDED, carryOut(createCanonicalBlock, addressIn)],
    ["/:id/delete", REMOVED, onEntry(deleteCanonicalBlock)],
  ],
);
