// Lists relays, servers that forward public posts, with the answer of each; adds and ends them.

import type { App } from "../../platform/app.ts";
import type { Server } from "../../platform/http/server.ts";
import { html } from "../../platform/text/html.ts";
import type { Html } from "../../platform/text/html.ts";
import type { Key } from "../../platform/text/texts.ts";
import { inputField } from "../../domain/people/users/pages/components.ts";
import type { RelaySetting } from "../../domain/base/settings/settings.ts";
import { deliveryStatesOf, standingOf } from "../../federation/delivery/by-staff.ts";
import { addRelay, listRelays, removeRelay } from "../../federation/relays.ts";
import { formsOf } from "./forms.ts";
import { button, enteredAt, form, sendAdmin, staffPage } from "./frame.ts";
import type { Show, Staff } from "./frame.ts";
import { addPart, badge, empty } from "./components.ts";
import { RELAYS, serverPath, serverTabs } from "./server-parts.ts";
import { standingBadge } from "./servers.ts";

const ACTS = ["relays.write"] as const;

const DONE: Record<string, Key> = {
  added: "network.relays.done.added",
  removed: "network.relays.done.removed",
};

const STATES: Record<RelaySetting["state"], { text: Key; kind: "mild" | "good" | "bad" }> = {
  pending: { text: "network.relays.pending", kind: "mild" },
  accepted: { text: "network.relays.accepted", kind: "good" },
  rejected: { text: "network.relays.rejected", kind: "bad" },
};

const hostOf = ({ inbox }: RelaySetting): string => new URL(inbox).host;

type States = Awaited<ReturnType<typeof deliveryStatesOf>>;

const item = (context: Staff, relay: RelaySetting, states: States): Html => {
  const { t, app } = context;
  const host = hostOf(relay);
  const { text, kind } = STATES[relay.state];
  const standing = standingOf(states.get(host) ?? null, app.clock.now());
  return html`<li>
    <div class="what">
      <strong>${host} ${badge(t(text), kind)}</strong>
      <span>${relay.inbox} · ${t(`network.relays.style.${relay.style}`)}</span>
      <span
        ><a href="${serverPath(host)}">${t("network.servers.deliveries")}</a>:
        ${standingBadge(context, standing)}</span
      >
    </div>
    <div class="buttons">
      ${button(context, { action: `${RELAYS}/${relay.id}/delete`, label: t("staff.remove"), of: host, kind: "bad" })}
    </div>
  </li>`;
};

const showRelays: Show = async (context, problem) => {
  const { app, t } = context;
  const relays = await listRelays(app);
  const states = await deliveryStatesOf(app, relays.map(hostOf));
  const draft = enteredAt(context, RELAYS);
  return sendAdmin(context, {
    title: t("network.servers.title"),
    problem,
    done: DONE,
    body: html`${serverTabs(context, RELAYS)}
      <p>${t("network.relays.about")}</p>
      ${addPart(
        t("network.relays.add"),
        draft["address"] !== undefined,
        form(
          context,
          RELAYS,
          html`${inputField({ name: "address", label: t("network.relays.address"), value: draft["address"] ?? "", maxlength: 2000, hint: t("network.relays.hint") })}
            <button class="button inline">${t("staff.add")}</button>`,
        ),
      )}
      ${
        relays.length === 0
          ? empty(t("network.relays.none"))
          : html`<ul class="rows">
              ${relays.map((relay) => item(context, relay, states))}
            </ul>`
      }`,
  });
};

const idIn = ({ request }: Staff): string => String((request.params as { id?: string }).id);

export const relayPages = (pages: Server, app: App): void => {
  pages.get(RELAYS, staffPage(app, ACTS, showRelays));
  const take = formsOf(pages, app, RELAYS, ACTS, showRelays);
  take(RELAYS, "added", (context) =>
    addRelay(app, context.actor, enteredAt(context, RELAYS)["address"]?.trim() ?? ""),
  );
  take(`${RELAYS}/:id/delete`, "removed", (context) =>
    removeRelay(app, context.actor, idIn(context)),
  );
};
