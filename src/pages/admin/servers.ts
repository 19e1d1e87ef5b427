// Lists every server with known accounts: its software, how much of it is known, and whether deliveries arrive.

import type {
  BadgeKind,
  BadgePart,
  Column,
  Field,
  Inline,
  Part,
} from "../../../web/src/served/part-pages.ts";
import type { App } from "../../platform/app.ts";
import type { Server } from "../../platform/http/server.ts";
import { cached } from "../../platform/kv/cached.ts";
import type { Key } from "../../platform/text/texts.ts";
import { bytesText, numberText } from "../../platform/text/figures.ts";
import { domainBlocksFor, readDomain } from "../../domain/base/blocklists/domains.ts";
import type { DomainBlockRow } from "../../domain/base/blocklists/tables.ts";
import { softwareText } from "../../domain/base/peers/peers.ts";
import {
  COUNTED_CAP,
  listServers,
  SERVER_ORDERS,
  SERVER_STATES,
  softwareOfServers,
} from "../../domain/base/peers/servers.ts";
import type { ServerFilter, ServerOrder, ServerRow } from "../../domain/base/peers/servers.ts";
import { standingOf } from "../../federation/delivery/by-staff.ts";
import type { DeliveryStanding } from "../../federation/delivery/by-staff.ts";
import { goneSince } from "../../federation/delivery/retention.ts";
import { entered, sendAdmin, staffPage } from "./frame.ts";
import type { Staff } from "./frame.ts";
import { serverTabs } from "./page-parts.ts";
import { limitBadge, serverPath, SERVERS } from "./server-parts.ts";
import { byName } from "../../../texts/lists.ts";

const LIMIT = 50;
/** Choices of software. */
const MAX_SOFTWARE = 40;
const SOFTWARE_SECONDS = 600;

const KINDS: Record<DeliveryStanding, BadgeKind> = {
  working: "good",
  failing: "mild",
  gone: "bad",
  stopped: "bad",
  unknown: "",
};

export const standingBadge = (standing: DeliveryStanding): BadgePart => ({
  badge: `network.servers.state.${standing}`,
  kind: KINDS[standing],
});

const oneOf = <T extends string>(all: readonly T[], text: string | undefined): T | null =>
  all.find((value) => value === text) ?? null;

/** Parses `VALUE DOMAIN` of the last row of the page before. */
const afterOf = (text = ""): ServerFilter["after"] => {
  const [, value, name = ""] = /^(\d{1,18})[ +](\S{1,300})$/.exec(text) ?? [];
  const domain = readDomain(name);
  return value === undefined || domain === null ? null : { value, domain };
};

const filterOf = (context: Staff): ServerFilter => {
  const { sort, name, software, state, after } = entered(context);
  return {
    order: oneOf(SERVER_ORDERS, sort) ?? "accounts",
    name: name?.trim().toLowerCase().slice(0, 300) || null,
    software: software?.trim() || null,
    state: oneOf(SERVER_STATES, state),
    goneSince: goneSince(context.app.clock.now()),
    after: afterOf(after),
  };
};

const addressOf = (context: Staff, change: Record<string, string>): string => {
  const { sort = "", name = "", software = "", state = "" } = entered(context);
  const all = { sort, name, software, state, ...change };
  const query = new URLSearchParams(Object.entries(all).filter(([, value]) => value !== ""));
  return query.size > 0 ? `${SERVERS}?${query}` : SERVERS;
};

const ORDER_NAMES: Record<ServerOrder, Key> = {
  name: "network.servers.server",
  accounts: "network.servers.accounts",
  followed: "network.servers.followed",
  followers: "network.servers.followers",
  media_bytes: "network.servers.media",
};

const counted = (context: Staff, value: number): string => {
  const text = numberText(context.language, value);
  return value >= COUNTED_CAP ? context.t("network.at_least", { count: text }) : text;
};

const cellsOf = (context: Staff, server: ServerRow, block: DomainBlockRow | null): Inline[] => {
  const { language, app } = context;
  const { domain, failing_since: since } = server;
  const standing = standingOf(server.settled_at ? server : null, app.clock.now());
  return [
    [
      { link: serverPath(domain), text: domain },
      block && limitBadge(block),
      { soft: softwareText(server) },
    ],
    counted(context, server.accounts),
    counted(context, server.followed),
    counted(context, server.followers),
    bytesText(language, Number(server.media_bytes)),
    [
      standingBadge(standing),
      since &&
        standing !== "stopped" && {
          soft: { say: "network.servers.since", with: { time: since } },
        },
    ],
  ];
};

const columnsOf = (context: Staff, current: ServerOrder): Column[] => [
  ...(Object.keys(ORDER_NAMES) as ServerOrder[]).map((order): Column => {
    const direction = order === "name" ? "ascending" : "descending";
    return {
      label: ORDER_NAMES[order],
      isNumber: order !== "name",
      sort: {
        href: addressOf(context, { sort: order }),
        direction: order === current ? direction : null,
      },
    };
  }),
  { label: "network.servers.deliveries" },
];

const tablePart = async (
  context: Staff,
  filter: ServerFilter,
  rows: ServerRow[],
): Promise<Part> => {
  const domains = rows.map(({ domain }) => domain);
  const blocks = await domainBlocksFor(context.app, domains);
  return {
    table: {
      kind: "data-table stacked",
      label: "network.servers.known",
      columns: columnsOf(context, filter.order),
      rows: rows.map((server, n) => ({
        id: server.domain,
        cells: cellsOf(context, server, blocks[n]!),
      })),
    },
    none: isFiltered(filter) ? "network.servers.none" : "network.servers.none_yet",
  };
};

/** Returns the software that can be chosen. */
const softwareChoices = async (app: App): Promise<string[]> =>
  cached(app, "servers:software", SOFTWARE_SECONDS, async () =>
    (await softwareOfServers(app, MAX_SOFTWARE)).flatMap(({ software }) => software ?? []),
  );

const filterFields = async (context: Staff): Promise<Field[]> => {
  const { software = "" } = entered(context);
  const names = new Set([...(software ? [software] : []), ...(await softwareChoices(context.app))]);
  const programs = byName(context.language, [...names], (name) => name).map(
    (name) => [name, { plain: name }] as const,
  );
  const all = ["", "network.all"] as const;
  const states = SERVER_STATES.map((state) => [state, `network.servers.state.${state}`] as const);
  // A narrow table has no heads to sort by.
  const orders = SERVER_ORDERS.map((order) => [order, ORDER_NAMES[order]] as const);
  return [
    { name: "name", label: "network.servers.name", optional: true, max: 300 },
    { name: "software", label: "network.servers.software", options: [all, ...programs] },
    { name: "state", label: "network.servers.deliveries", options: [all, ...states] },
    { name: "sort", label: "network.servers.order", options: orders },
  ];
};

const nextLink = (context: Staff, rows: readonly ServerRow[], order: ServerOrder): Part | null => {
  const last = rows.at(-1);
  if (!last || rows.length < LIMIT) return null;
  const after = `${order === "name" ? 0 : last[order]} ${last.domain}`;
  const link = addressOf(context, { after });
  return { links: [{ link, text: context.t("network.next") }], kind: "pager" };
};

const isFiltered = ({ name, software, state, after }: ServerFilter): boolean =>
  [name, software, state, after].some((value) => value !== null);

const showServers = async (context: Staff) => {
  const { app, t } = context;
  const filter = filterOf(context);
  const rows = await listServers(app, filter, LIMIT);
  return sendAdmin(context, {
    parts: [
      serverTabs(SERVERS),
      { text: t("network.servers.about"), isSoft: true },
      { filters: { action: SERVERS, fields: await filterFields(context) } },
      await tablePart(context, filter, rows),
      nextLink(context, rows, filter.order),
    ],
  });
};

export const serverListPages = (pages: Server, app: App): void => {
  pages.get(SERVERS, staffPage(app, ["servers.read"], showServers));
};
