// Shows one server: what is known of it, whether deliveries arrive, what limits it, and what the staff can do about it.

import type { App } from "../../platform/app.ts";
import type { Server } from "../../platform/http/server.ts";
import { html } from "../../platform/text/html.ts";
import type { Html, HtmlValue } from "../../platform/text/html.ts";
import type { Key } from "../../platform/text/texts.ts";
import { domainBlocksAmong, findAllow } from "../../domain/base/blocklists/lists.ts";
import type { DomainBlockRow } from "../../domain/base/blocklists/tables.ts";
import { may } from "../../domain/base/roles/acts.ts";
import { createDomainAllow, createDomainBlock } from "../../domain/staff/moderation/blocks.ts";
import { purgeMedia } from "../../domain/staff/moderation/servers.ts";
import { peersOf, softwareText } from "../../domain/base/peers/peers.ts";
import { findServer } from "../../domain/base/peers/servers.ts";
import type { ServerRow } from "../../domain/base/peers/servers.ts";
import { whenText } from "../../domain/people/users/pages/when.ts";
import {
  deliveryStateOf,
  resumeDeliveries,
  retryDeliveries,
  standingOf,
  stopDeliveries,
  WAITING_CAP,
} from "../../federation/delivery/by-staff.ts";
import { blockFields, blockInputFrom, NEW_BLOCK } from "./domains.ts";
import { bytesText, numberText } from "../../platform/text/figures.ts";
import { formsOf } from "./forms.ts";
import { button, enteredAt, form, sendAdmin, staffPage } from "./frame.ts";
import type { Show, Staff } from "./frame.ts";
import { addPart, empty } from "./components.ts";
import { KNOWN_CAP, selectKnown } from "./queries.ts";
import { BLOCKS, domainOf, hostOfServer, limitBadge, serverPath, SERVERS } from "./server-parts.ts";
import { standingBadge } from "./servers.ts";

const SERVER = `${SERVERS}/:domain`;

const DONE: Record<string, Key> = {
  retried: "network.server.done.retried",
  stopped: "network.server.done.stopped",
  resumed: "network.server.done.resumed",
  purged: "network.server.done.purged",
  blocked: "network.server.done.blocked",
  allowed: "network.server.done.allowed",
};

const capped = ({ t, language }: Staff, value: number, cap: number): string => {
  const text = numberText(language, value);
  return value >= cap ? t("network.at_least", { count: text }) : text;
};

const facts = (rows: readonly (readonly [string, HtmlValue])[]): Html =>
  html`<dl class="details-list">
    ${rows.map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`;

const knownPart = async (context: Staff, domain: string, server: ServerRow | null) => {
  const { app, t, language, actor } = context;
  const known = await selectKnown(app.sql, domain);
  const peers = await peersOf(app, domain);
  const people = `/admin/accounts?${new URLSearchParams({ origin: "remote", by_domain: domain })}`;
  const count = capped(context, known.accounts, KNOWN_CAP);
  const isLinked = known.accounts > 0 && may(actor, "accounts.read");
  const software = peers.map((peer): [string, HtmlValue] => [
    peer.host === domain
      ? t("network.servers.software")
      : t("network.server.software_of", { host: peer.host }),
    html`${softwareText(peer) || t("network.server.unknown")} (${t("network.server.checked")}
    ${whenText(peer.checked_at, language)})`,
  ]);
  return html`<section class="panel">
    <h2>${t("network.server.known")}</h2>
    ${facts([
      ...software,
      [t("network.servers.accounts"), isLinked ? html`<a href="${people}">${count}</a>` : count],
      [t("network.servers.followed"), capped(context, known.followed, KNOWN_CAP)],
      [t("network.servers.followers"), capped(context, known.followers, KNOWN_CAP)],
      [t("network.server.reports"), capped(context, known.reports, KNOWN_CAP)],
      ...(server ? [mediaFact(context, server)] : []),
    ])}
    ${
      may(actor, "servers.write") &&
      html`<div class="buttons">
        ${button(context, { action: `${serverPath(domain)}/purge_media`, label: t("network.server.purge"), of: domain, kind: "bad" })}
      </div>`
    }
  </section>`;
};

const mediaFact = ({ t, language }: Staff, server: ServerRow): [string, HtmlValue] => [
  t("network.servers.media"),
  html`${bytesText(language, Number(server.media_bytes))}
    <span class="soft"
      >(${t("network.server.counted")} ${whenText(server.counted_at, language)};
      ${server.media_hosts.join(", ")})</span
    >`,
];

const deliveryButtons = (context: Staff, domain: string, isStopped: boolean, waits: boolean) => {
  const { t } = context;
  const path = `${serverPath(domain)}/deliveries`;
  if (isStopped) {
    const label = t("network.server.resume");
    return button(context, { action: `${path}/resume`, label, of: domain });
  }
  return html`${waits && button(context, { action: `${path}/retry`, label: t("network.server.retry"), of: domain })}
  ${button(context, { action: `${path}/stop`, label: t("network.server.stop"), of: domain, kind: "bad" })}`;
};

const deliveryPart = async (context: Staff, domain: string, host: string): Promise<Html> => {
  const { app, t, language, actor } = context;
  const state = await deliveryStateOf(app, host);
  const standing = standingOf(state, app.clock.now());
  const moment = (name: Key, at: Date | null | undefined): [string, HtmlValue][] =>
    at ? [[t(name), whenText(at, language)]] : [];
  return html`<section class="panel">
    <h2>${t("network.servers.deliveries")}</h2>
    ${facts([
      [t("network.server.state"), standingBadge(context, standing)],
      ...(host === domain ? [] : [[t("network.server.host"), host] as const]),
      [t("network.server.waiting"), capped(context, state?.waiting ?? 0, WAITING_CAP)],
      ...moment("network.server.failing_since", state?.failing_since),
      ...moment("network.server.stopped_at", state?.stopped_at),
      ...(standing === "failing" || standing === "gone"
        ? moment("network.server.due_at", state?.due_at)
        : []),
      ...(state?.latency_ms
        ? [[t("network.server.latency"), `${numberText(language, state.latency_ms)} ms`] as const]
        : []),
    ])}
    ${
      may(actor, "servers.write") &&
      html`<div class="buttons">
        ${deliveryButtons(context, domain, standing === "stopped", (state?.waiting ?? 0) > 0)}
      </div>`
    }
  </section>`;
};

const blockItem = (context: Staff, block: DomainBlockRow): Html => {
  const { t, language } = context;
  const query = new URLSearchParams({ q: block.domain });
  const reasons: [string | null, Key][] = [
    [block.public_comment, "network.server.reason"],
    [block.private_comment, "network.server.reason_staff"],
  ];
  return html`<li>
    <div class="what">
      <strong>${block.domain} ${limitBadge(context, block)}</strong>
      ${reasons.map(([text, label]) => text && html`<span>${t(label)}: ${text}</span>`)}
      <span>${whenText(block.created_at, language)}</span>
    </div>
    <a href="${BLOCKS}?${String(query)}">${t("network.server.change")}</a>
  </li>`;
};

const limitPart = async (context: Staff, domain: string): Promise<Html> => {
  const { app, t, language, actor } = context;
  const blocks = await domainBlocksAmong(app.sql, domain);
  const allow = await findAllow(app, domain);
  const path = `${serverPath(domain)}/block`;
  const draft = enteredAt(context, path);
  const isRefused = Object.keys(draft).length > 0;
  const isNew = !blocks.some((row) => row.domain.toLowerCase() === domain);
  return html`<section class="panel">
    <h2>${t("network.server.limits")}</h2>
    ${
      blocks.length === 0
        ? empty(t("network.server.unlimited"))
        : html`<ul class="rows">
            ${blocks.map((block) => blockItem(context, block))}
          </ul>`
    }
    ${allow && html`<p>${t("network.server.allowed")} ${whenText(allow.created_at, language)}</p>`}
    ${
      isNew &&
      may(actor, "domain_blocks.write") &&
      addPart(
        t("network.blocks.add"),
        isRefused,
        form(
          context,
          path,
          html`${blockFields(context, isRefused ? { ...NEW_BLOCK, ...blockInputFrom(context) } : NEW_BLOCK)}
            <button class="button inline">${t("staff.add")}</button>`,
        ),
      )
    }
    ${
      !allow &&
      may(actor, "domain_allows.write") &&
      app.config.access.limitedFederation &&
      button(context, {
        action: `${serverPath(domain)}/allow`,
        label: t("network.allows.allow"),
        of: domain,
      })
    }
  </section>`;
};

const showServer: Show = async (context, problem) => {
  const { app } = context;
  const domain = domainOf(context);
  const server = await findServer(app, domain);
  return sendAdmin(context, {
    title: domain,
    back: SERVERS,
    problem,
    done: DONE,
    body: html`${await deliveryPart(context, domain, server?.host ?? domain)}
    ${await limitPart(context, domain)} ${await knownPart(context, domain, server)}`,
  });
};

export const serverPages = (pages: Server, app: App): void => {
  pages.get(SERVER, staffPage(app, ["servers.read"], showServer));
  const home = (context: Staff) => serverPath(domainOf(context));
  const take = formsOf(pages, app, home, ["servers.write"], showServer);
  const host = (context: Staff) => hostOfServer(app, domainOf(context));
  take(`${SERVER}/deliveries/retry`, "retried", async (context) =>
    retryDeliveries(app, context.actor, await host(context)),
  );
  take(`${SERVER}/deliveries/stop`, "stopped", async (context) =>
    stopDeliveries(app, context.actor, await host(context)),
  );
  take(`${SERVER}/deliveries/resume`, "resumed", async (context) =>
    resumeDeliveries(app, context.actor, await host(context)),
  );
  take(`${SERVER}/purge_media`, "purged", (context) =>
    purgeMedia(app, context.actor, domainOf(context)),
  );
  const block = formsOf(pages, app, home, ["domain_blocks.write"], showServer);
  block(`${SERVER}/block`, "blocked", (context) =>
    createDomainBlock(app, context.actor, domainOf(context), blockInputFrom(context)),
  );
  const allow = formsOf(pages, app, home, ["domain_allows.write"], showServer);
  allow(`${SERVER}/allow`, "allowed", (context) =>
    createDomainAllow(app, context.actor, domainOf(context)),
  );
};
