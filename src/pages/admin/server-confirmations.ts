// Questions before a server is blocked, before deliveries to it stop, and before copies of its files are deleted.

import { isOwnDomain } from "../../platform/config/names.ts";
import { numberText } from "../../platform/text/figures.ts";
import { readDomain } from "../../domain/base/blocklists/domains.ts";
import { mediaHostsOf } from "../../domain/staff/moderation/servers.ts";
import { getProvider } from "../../federation/fasp/providers.ts";
import { listRelays } from "../../federation/relays.ts";
import { entered, idOf } from "./frame.ts";
import type { Staff } from "./frame.ts";
import { selectKnown } from "./queries.ts";
import { SETTINGS } from "./settings-frame.ts";
import type { Confirmation } from "./confirmation.ts";
import { BLOCKS, domainOf, FASP, hostOfServer, RELAYS, SERVERS } from "./server-parts.ts";
import { listed } from "../../../texts/lists.ts";

const blocked = async (staff: Staff, domain: string | null): Promise<Confirmation | null> => {
  const { app, t, language } = staff;
  // The command refuses the server's own name.
  if (domain === null || isOwnDomain(app.config.site, domain)) return null;
  if (entered(staff)["severity"] !== "suspend") return null;
  const known = await selectKnown(app.sql, domain);
  const count = (value: number) => numberText(language, value);
  return {
    title: t("network.ask.block", { domain }),
    lines: [
      t("network.ask.block_accounts", { accounts: count(known.accounts) }),
      t("network.ask.block_follows", {
        followed: count(known.followed),
        followers: count(known.followers),
      }),
      t("network.ask.block_undo"),
    ],
    label: t("network.ask.block_label"),
    act: known.followed + known.followers > 0 ? "end_follows" : "block_server",
    name: domain,
  };
};

const stopped = async (staff: Staff): Promise<Confirmation> => {
  const { app, t } = staff;
  const host = await hostOfServer(app, domainOf(staff));
  return {
    title: t("network.ask.stop", { host }),
    lines: [
      t("network.ask.stop_nothing"),
      t("network.ask.stop_waiting"),
      t("network.ask.stop_undo"),
    ],
    label: t("network.server.stop"),
    act: "stop_deliveries",
  };
};

const purged = async (staff: Staff): Promise<Confirmation> => {
  const { app, t, language } = staff;
  const domain = domainOf(staff);
  const hosts = await mediaHostsOf(app, domain);
  return {
    title: t("network.ask.purge", { domain }),
    lines: [
      t("network.ask.purge_hosts", { hosts: listed(language, hosts) }),
      t("network.ask.purge_again"),
    ],
    label: t("network.server.purge"),
    act: "remove",
  };
};

const relayEnded = async ({ app, t, request }: Staff): Promise<Confirmation | null> => {
  const { id } = request.params as { id?: string };
  const relay = (await listRelays(app)).find((relay) => relay.id === id);
  if (!relay) return null;
  return {
    title: t("network.ask.relay"),
    lines: [relay.inbox, t("network.ask.relay_posts")],
    label: t("network.ask.relay_label"),
    act: "remove",
  };
};

const providerEnded = async (staff: Staff): Promise<Confirmation> => {
  const { app, t } = staff;
  const { name, base_url } = await getProvider(app.sql, idOf(staff));
  return {
    title: t("network.ask.fasp", { name }),
    lines: [base_url, t("network.ask.fasp_what")],
    label: t("staff.remove"),
    act: "remove",
  };
};

const signInEnded = async (staff: Staff): Promise<Confirmation> => {
  const { app, t, language } = staff;
  const { peopleOf } = await import("#sso-accounts");
  const { name, issuer, people } = await peopleOf(app, idOf(staff));
  return {
    title: t("staff.sso.ask", { name }),
    lines: [
      issuer,
      t("staff.sso.ask_what", { name }),
      t("staff.sso.ask_people", { count: people, people: numberText(language, people) }),
      ...(app.config.sso.only ? [] : [t("staff.sso.ask_password")]),
    ],
    label: t("staff.remove"),
    act: "remove",
  };
};

export const SERVER_CONFIRMATIONS: Record<string, (staff: Staff) => Promise<Confirmation | null>> =
  {
    [BLOCKS]: (staff) => blocked(staff, readDomain(entered(staff)["domain"] ?? "")),
    [`${SERVERS}/:domain/block`]: (staff) => blocked(staff, domainOf(staff)),
    [`${SERVERS}/:domain/deliveries/stop`]: stopped,
    [`${SERVERS}/:domain/purge_media`]: purged,
    [`${RELAYS}/:id/delete`]: relayEnded,
    [`${FASP}/:id/delete`]: providerEnded,
    [`${SETTINGS}/sign-in/:id/delete`]: signInEnded,
  };
