// Shows one server: what is known of it, whether deliveries arrive, what limits it, and what the staff can do about it.

import type { Words } from "../../../web/src/served/words.ts";
import type { ActButton, Inline, Part, Row } from "../../../web/src/served/part-pages.ts";
import type { App } from "../../platform/app.ts";
import type { Server } from "../../platform/http/server.ts";
import { isOwnDomain } from "../../platform/config/names.ts";
import type { Key } from "../../platform/text/texts.ts";
import { bytesText, numberText } from "../../platform/text/figures.ts";
import { domainBlocksAmong, findAllow } from "../../domain/base/blocklists/lists.ts";
import type { DomainBlockRow } from "../../domain/base/blocklists/tables.ts";
import { may } from "../../domain/base/roles/acts.ts";
import type { Act } from "../../domain/base/roles/acts.ts";
import { createDomainAllow, createDomainBlock } from "../../domain/staff/moderation/blocks.ts";
import { purgeMedia } from "../../domain/staff/moderation/servers.ts";
import { peersOf, softwareText } from "../../domain/base/peers/peers.ts";
import { findServer } from "../../domain/base/peers/servers.ts";
import type { ServerRow } from "../../domain/base/peers/servers.ts";
import {
  deliveryStateOf,
  resumeDeliveries,
  retryDeliveries,
  standingOf,
  stopDeliveries,
  WAITING_CAP,
} from "../../federation/delivery/by-staff.ts";
import { BLOCK_FIELDS, blockInputFrom, NEW_BLOCK } from "./domains.ts";
import { carryOut, formsOf } from "./forms.ts";
import { sendAdmin, staffPage } from "./frame.ts";
import type { Show, Staff } from "./frame.ts";
import { KNOWN_CAP, selectKnown } from "./queries.ts";
import { BLOCKS, domainOf, hostOfServer, limitBadge, serverPath, SERVERS } from "./server-parts.ts";
import { standingBadge } from "./servers.ts";
import { listed } from "../../../texts/lists.ts";

const SERVER = `${SERVERS}/:domain`;

const capped = ({ t, language }: Staff, value: number, cap: number): string => {
  const text = numberText(language, value);
  return value >= cap ? t("network.at_least", { count: text }) : text;
};

type Fact = readonly [Words, Inline];

const knownPart = async (context: Staff, domain: string, server: ServerRow | null) => {
  const { app, t, actor } = context;
  const known = await selectKnown(app.sql, domain);
  const peers = await peersOf(app, domain);
  const link = `/admin/accounts?${new URLSearchParams({ origin: "remote", by_domain: domain })}`;
  const count = capped(context, known.accounts, KNOWN_CAP);
  const isLinked = known.accounts > 0 && may(actor, "accounts.read");
  const software = peers.map(({ host, checked_at: at, ...peer }): Fact => [
    host === domain ? "network.servers.software" : ["network.server.software_of", { host }],
    [
      softwareText(peer) || t("network.server.unknown"),
      { say: "network.server.checked", with: { time: at } },
    ],
  ]);
  return {
    panel: [
      { heading: "network.server.known" },
      {
        facts: [
          ...software,
          ["network.servers.accounts", isLinked ? { link, text: count } : count],
          ["network.servers.followed", capped(context, known.followed, KNOWN_CAP)],
          ["network.servers.followers", capped(context, known.followers, KNOWN_CAP)],
          ["network.server.reports", capped(context, known.reports, KNOWN_CAP)],
          server && mediaFact(context, server),
        ],
      },
      may(actor, "servers.write") && {
        acts: [
          {
            action: `${serverPath(domain)}/purge_media`,
            label: "network.server.purge",
            of: domain,
            kind: "bad",
          },
        ],
      },
    ],
  } satisfies Part;
};

const mediaFact = ({ language }: Staff, server: ServerRow): Fact => {
  const { media_bytes: bytes, counted_at: at, media_hosts: hosts } = server;
  const counted: Inline = {
    say: "network.server.counted",
    values: { hosts: listed(language, hosts) },
    with: { time: at },
  };
  return ["network.servers.media", [bytesText(language, Number(bytes)), { soft: counted }]];
};

const deliveryActs = (domain: string, isStopped: boolean, waits: boolean): ActButton[] => {
  const path = `${serverPath(domain)}/deliveries`;
  const act = (verb: "resume" | "retry" | "stop") =>
    ({ action: `${path}/${verb}`, label: `network.server.${verb}`, of: domain }) as const;
  if (isStopped) return [act("resume")];
  return [...(waits ? [act("retry")] : []), { ...act("stop"), kind: "bad" }];
};

const deliveryPart = async (context: Staff, domain: string, host: string) => {
  const { app, language, actor } = context;
  const state = await deliveryStateOf(app, host);
  const standing = standingOf(state, app.clock.now());
  const moment = (name: Key, at: Date | null | undefined): Fact | null => (at ? [name, at] : null);
  const isDue = standing === "failing" || standing === "gone";
  const latency = state?.latency_ms;
  const waiting = state?.waiting ?? 0;
  return {
    panel: [
      { heading: "network.servers.deliveries" },
      {
        facts: [
          ["network.server.state", standingBadge(standing)],
          host !== domain && ["network.server.host", host],
          ["network.server.waiting", capped(context, waiting, WAITING_CAP)],
          moment("network.server.failing_since", state?.failing_since),
          moment("network.server.stopped_at", state?.stopped_at),
          isDue && moment("network.server.due_at", state?.due_at),
          latency ? ["network.server.latency", `${numberText(language, latency)} ms`] : null,
        ],
      },
      may(actor, "servers.write") && {
        acts: deliveryActs(domain, standing === "stopped", waiting > 0),
      },
    ],
  } satisfies Part;
};

const blockRow = ({ t }: Staff, block: DomainBlockRow): Row => {
  const { domain, public_comment: said, private_comment: kept } = block;
  return {
    title: domain,
    badges: [limitBadge(block)],
    lines: [
      said && t("words.pair", { name: t("network.server.reason"), value: said }),
      kept && t("words.pair", { name: t("network.server.reason_staff"), value: kept }),
      block.created_at,
    ],
    acts: [
      {
        link: `${BLOCKS}?${new URLSearchParams({ q: domain })}`,
        text: t("network.server.change"),
      },
    ],
  };
};

const limitPart = async (context: Staff, domain: string) => {
  const { app, actor } = context;
  const blocks = await domainBlocksAmong(app.sql, domain);
  const allow = await findAllow(app, domain);
  const path = serverPath(domain);
  const isNew = !blocks.some((row) => row.domain.toLowerCase() === domain);
  const mayBlock =
    isNew && may(actor, "domain_blocks.write") && !isOwnDomain(app.config.site, domain);
  const mayAllow = may(actor, "domain_allows.write") && app.config.access.limitedFederation;
  const title = "network.blocks.add";
  return {
    panel: [
      { heading: "network.server.limits" },
      { rows: blocks.map((block) => blockRow(context, block)), none: "network.server.unlimited" },
      allow && { text: { say: "network.server.allowed", with: { time: allow.created_at } } },
      mayBlock && {
        add: { action: `${path}/block`, title, fields: BLOCK_FIELDS, values: NEW_BLOCK },
      },
      !allow &&
        mayAllow && {
          acts: [{ action: `${path}/allow`, label: "network.allows.allow", of: domain }],
        },
    ],
  } satisfies Part;
};

const showServer: Show = async (context) => {
  const { app } = context;
  const domain = domainOf(context);
  const server = await findServer(app, domain);
  return sendAdmin(context, {
    title: { plain: domain },
    back: SERVERS,
    parts: [
      await deliveryPart(context, domain, server?.host ?? domain),
      await limitPart(context, domain),
      await knownPart(context, domain, server),
    ],
  });
};

const hostIn = (context: Staff): Promise<string> => hostOfServer(context.app, domainOf(context));

const block = (context: Staff): Promise<unknown> =>
  createDomainBlock(context.app, context.actor, domainOf(context), blockInputFrom(context));

export const serverPages = (pages: Server, app: App): void => {
  pages.get(SERVER, staffPage(app, ["servers.read"], showServer));
  const forms = (acts: readonly Act[]) =>
    formsOf(pages, app, (context) => serverPath(domainOf(context)), acts, showServer);
  const take = forms(["servers.write"]);
  const deliveries = `${SERVER}/deliveries`;
  take(`${deliveries}/retry`, "network.server.done.retried", carryOut(retryDeliveries, hostIn));
  take(`${deliveries}/stop`, "network.server.done.stopped", carryOut(stopDeliveries, hostIn));
  take(`${deliveries}/resume`, "network.server.done.resumed", carryOut(resumeDeliveries, hostIn));
  take(`${SERVER}/purge_media`, "network.server.done.purged", carryOut(purgeMedia, domainOf));
  forms(["domain_blocks.write"])(`${SERVER}/block`, "network.server.done.blocked", block);
  const allow = carryOut(createDomainAllow, domainOf);
  forms(["domain_allows.write"])(`${SERVER}/allow`, "network.server.done.allowed", allow);
};
