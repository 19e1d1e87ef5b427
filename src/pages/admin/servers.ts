// Lists every server with known accounts: its software, how much of it is known, and whether deliveries arrive.

import type { App } from "../../platform/app.ts";
import type { Server } from "../../platform/http/server.ts";
import { cached } from "../../platform/kv/cached.ts";
import { html } from "../../platform/text/html.ts";
import type { Html } from "../../platform/text/html.ts";
import type { Key } from "../../platform/text/texts.ts";
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
import { inputField } from "../../domain/people/users/pages/components.ts";
import { whenText } from "../../domain/people/users/pages/when.ts";
import { standingOf } from "../../federation/delivery/by-staff.ts";
import type { DeliveryStanding } from "../../federation/delivery/by-staff.ts";
import { goneSince } from "../../federation/delivery/retention.ts";
import { entered, sendAdmin, staffPage } from "./frame.ts";
import type { Staff } from "./frame.ts";
import { bytesText, numberText } from "../../platform/text/figures.ts";
import { badge, empty, select } from "./components.ts";
import { limitBadge, SERVERS, serverTabs } from "./server-parts.ts";

const LIMIT = 50;
/** Choices of software. */
const MAX_SOFTWARE = 40;
const SOFTWARE_SECONDS = 600;

const STANDINGS: Record<DeliveryStanding, { text: Key; kind: "" | "mild" | "bad" | "good" }> = {
  working: { text: "network.servers.state.working", kind: "good" },
  failing: { text: "network.servers.state.failing", kind: "mild" },
  gone: { text: "network.servers.state.gone", kind: "bad" },
  stopped: { text: "network.servers.state.stopped", kind: "bad" },
  unknown: { text: "network.servers.state.unknown", kind: "" },
};

export const standingBadge = ({ t }: Staff, standing: DeliveryStanding): Html =>
  badge(t(STANDINGS[standing].text), STANDINGS[standing].kind);

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

const COLUMNS: Record<Exclude<ServerOrder, "name">, Key> = {
  accounts: "network.servers.accounts",
  followed: "network.servers.followed",
  followers: "network.servers.followers",
  media_bytes: "network.servers.media",
};

/** Draws the head of a column, a link that sorts by it. */
const head = (context: Staff, order: ServerOrder, label: Key, current: ServerOrder): Html => {
  const direction = order === "name" ? "ascending" : "descending";
  const isNumber = order !== "name";
  return html`<th
    scope="col"
    class="${isNumber ? "number" : ""}"
    aria-sort="${order === current ? direction : "none"}"
  >
    <a href="${addressOf(context, { sort: order })}">${context.t(label)}</a>
  </th>`;
};

const counted = (context: Staff, value: number): string => {
  const text = numberText(context.language, value);
  return value >= COUNTED_CAP ? context.t("network.at_least", { count: text }) : text;
};

const row = (context: Staff, server: ServerRow, block: DomainBlockRow | null): Html => {
  const { t, language, app } = context;
  const cell = (label: Key, value: string) =>
    html`<td class="number" data-label="${t(label)}">${value}</td>`;
  const standing = standingOf(server.settled_at ? server : null, app.clock.now());
  return html`<tr>
    <th scope="row">
      <a href="${SERVERS}/${encodeURIComponent(server.domain)}">${server.domain}</a>
      ${block && limitBadge(context, block)}
      <span class="soft">${softwareText(server)}</span>
    </th>
    ${cell(COLUMNS.accounts, counted(context, server.accounts))}
    ${cell(COLUMNS.followed, counted(context, server.followed))}
    ${cell(COLUMNS.followers, counted(context, server.followers))}
    ${cell(COLUMNS.media_bytes, bytesText(language, Number(server.media_bytes)))}
    <td data-label="${t("network.servers.deliveries")}">
      ${standingBadge(context, standing)}
      ${
        server.failing_since &&
        standing !== "stopped" &&
        html`<span class="soft"
          >${t("network.servers.since")} ${whenText(server.failing_since, language)}</span
        >`
      }
    </td>
  </tr>`;
};

const table = async (context: Staff, rows: ServerRow[], order: ServerOrder): Promise<Html> => {
  const domains = rows.map(({ domain }) => domain);
  const blocks = await domainBlocksFor(context.app, domains);
  const columns = Object.entries(COLUMNS) as [ServerOrder, Key][];
  return html`<table class="data-table stacked" aria-label="${context.t("network.servers.known")}">
    <thead>
      <tr>
        ${head(context, "name", "network.servers.server", order)}
        ${columns.map(([name, label]) => head(context, name, label, order))}
        <th scope="col">${context.t("network.servers.deliveries")}</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map((server, n) => row(context, server, blocks[n]!))}
    </tbody>
  </table>`;
};

/** Returns the software that can be chosen. */
const softwareChoices = async (app: App): Promise<string[]> =>
  cached(app, "servers:software", SOFTWARE_SECONDS, async () =>
    (await softwareOfServers(app, MAX_SOFTWARE)).flatMap(({ software }) => software ?? []),
  );

const filterForm = async (context: Staff): Promise<Html> => {
  const { t, app } = context;
  const { name = "", software = "", state = "", sort } = entered(context);
  // A narrow table has no heads to sort by.
  const orders = SERVER_ORDERS.map((value) => ({
    value,
    label: t(value === "name" ? "network.servers.server" : COLUMNS[value]),
  }));
  const all = { value: "", label: t("network.all") };
  const states = SERVER_STATES.map((value) => ({ value, label: t(STANDINGS[value].text) }));
  const known = await softwareChoices(app);
  const choices = software && !known.includes(software) ? [software, ...known] : known;
  const programs = choices.map((value) => ({ value, label: value }));
  return html`<form method="get" action="${SERVERS}" role="search">
    <div class="filters">
      ${inputField({ name: "name", label: t("network.servers.name"), value: name, optional: true, maxlength: 300 })}
      ${select("software", t("network.servers.software"), [all, ...programs], software)}
      ${select("state", t("network.servers.deliveries"), [all, ...states], state)}
      ${select("sort", t("network.servers.order"), orders, sort)}
      <button class="button">${t("staff.search")}</button>
    </div>
  </form>`;
};

const moreLink = (context: Staff, rows: readonly ServerRow[], order: ServerOrder) => {
  const last = rows.at(-1);
  if (!last || rows.length < LIMIT) return null;
  const value = order === "name" ? 0 : last[order];
  return html`<p class="pager">
    <a href="${addressOf(context, { after: `${value} ${last.domain}` })}"
      >${context.t("network.next")}</a
    >
  </p>`;
};

const isFiltered = ({ name, software, state, after }: ServerFilter): boolean =>
  [name, software, state, after].some((value) => value !== null);

const showServers = async (context: Staff) => {
  const { app, t } = context;
  const filter = filterOf(context);
  const rows = await listServers(app, filter, LIMIT);
  const nothing = isFiltered(filter) ? "network.servers.none" : "network.servers.none_yet";
  return sendAdmin(context, {
    title: t("network.servers.title"),
    body: html`${serverTabs(context, SERVERS)}
      <p class="soft">${t("network.servers.about")}</p>
      ${await filterForm(context)}
      ${rows.length === 0 ? empty(t(nothing)) : await table(context, rows, filter.order)}
      ${moreLink(context, rows, filter.order)}`,
  });
};

export const serverListPages = (pages: Server, app: App): void => {
  pages.get(SERVERS, staffPage(app, ["servers.read"], showServers));
};
