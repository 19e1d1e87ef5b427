// Lists relays, servers that forward public posts, with the answer of each; adds and ends them.

import type { Row } from "../../../web/src/served/part-pages.ts";
import type { RelaySetting } from "../../domain/base/settings/settings.ts";
import { deliveryStatesOf, standingOf } from "../../federation/delivery/by-staff.ts";
import { addRelay, listRelays, removeRelay } from "../../federation/relays.ts";
import { text, removal, serverTabs } from "./page-parts.ts";
import { carryOut, pageWithForms } from "./forms.ts";
import { entered, sendAdmin } from "./frame.ts";
import type { Show, Staff } from "./frame.ts";
import { RELAYS, serverPath } from "./server-parts.ts";
import { standingBadge } from "./servers.ts";
import { byName } from "../../../texts/lists.ts";

const ACTS = ["relays.write"] as const;

const STATES = {
  pending: { badge: "network.relays.pending" },
  accepted: { badge: "network.relays.accepted", kind: "good" },
  rejected: { badge: "network.relays.rejected", kind: "bad" },
} as const;

const hostOf = ({ inbox }: RelaySetting): string => new URL(inbox).host;

const showRelays: Show = async (context) => {
  const { app, t, language } = context;
  const relays = await listRelays(app);
  const states = await deliveryStatesOf(app, relays.map(hostOf));
  const rowOf = (relay: RelaySetting): Row => {
    const { id, inbox, style, state } = relay;
    const host = hostOf(relay);
    const standing = standingOf(states.get(host) ?? null, app.clock.now());
    return {
      title: host,
      badges: [STATES[state]],
      lines: [
        { joined: [inbox, t(`network.relays.style.${style}`)] },
        [
          { link: serverPath(host), text: t("network.servers.deliveries") },
          standingBadge(standing),
        ],
      ],
      acts: [removal(`${RELAYS}/${id}`, host)],
    };
  };
  return sendAdmin(context, {
    parts: [
      serverTabs(RELAYS),
      { text: t("network.relays.about") },
      {
        add: {
          action: RELAYS,
          title: "network.relays.add",
          fields: [
            text("address", "network.relays.address", 2000, { hint: "network.relays.hint" }),
          ],
        },
      },
      { rows: byName(language, relays, hostOf).map(rowOf), none: "network.relays.none" },
    ],
  });
};

const addressIn = (context: Staff): string => entered(context)["address"]?.trim() ?? "";

const idIn = ({ request }: Staff): string => String((request.params as { id?: string }).id);

export const relayPages = pageWithForms({ path: RELAYS, read: ACTS, show: showRelays }, [
  ["", "network.relays.done.added", carryOut(addRelay, addressIn)],
  ["/:id/delete", "network.relays.done.removed", carryOut(removeRelay, idIn)],
]);
