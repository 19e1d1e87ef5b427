// Lists auxiliary providers, which find people and posts: those that wait to be confirmed, with the hash of their key
// to compare, and what the others are used for.

import type { Field, Row } from "../../../web/src/served/part-pages.ts";
import type { Key } from "../../platform/text/texts.ts";
import {
  confirmProvider,
  fingerprintOf,
  listProviders,
  removeProvider,
  useProvider,
} from "../../federation/fasp/providers.ts";
import { CAPABILITIES } from "../../federation/fasp/tables.ts";
import type { Capability, ProviderRow } from "../../federation/fasp/tables.ts";
import { outside, removal, serverTabs } from "./page-parts.ts";
import { drawnWith, onEntry, pageWithForms } from "./forms.ts";
import { entered, sendAdmin } from "./frame.ts";
import type { Show, Staff } from "./frame.ts";
import { FASP } from "./server-parts.ts";

const ACTS = ["fasp.write"] as const;

const NAMES: Record<Capability, Key> = {
  data_sharing: "network.fasp.data_sharing",
  account_search: "network.fasp.account_search",
  follow_recommendation: "network.fasp.follow_recommendation",
  trends: "network.fasp.trends",
};

const waiting = ({ id, name }: ProviderRow): Partial<Row> => ({
  badges: [{ badge: "network.fasp.waiting", kind: "mild" }],
  acts: [
    { action: `${FASP}/${id}/confirm`, label: "network.fasp.confirm", of: name },
    removal(`${FASP}/${id}`, name, "network.fasp.refuse"),
  ],
});

const boxes = ({ capabilities }: ProviderRow): Field => ({
  name: "used",
  legend: "network.fasp.use",
  wide: true,
  boxes: capabilities.map(({ id }) => ({ name: id, label: NAMES[id] })),
});

const confirmed = (context: Staff, provider: ProviderRow): Partial<Row> => {
  const { id, name, capabilities } = provider;
  const used = capabilities.filter(({ enabled }) => enabled);
  return {
    badges: used.map((use) => ({ badge: NAMES[use.id], kind: "good" })),
    acts: [removal(`${FASP}/${id}`, name)],
    edit: capabilities.length > 0 && {
      ...drawnWith(context, `${FASP}/${id}/update`, capabilities),
      label: "network.fasp.use",
      fields: [boxes(provider)],
      values: Object.fromEntries(used.map((use) => [use.id, true])),
      of: id,
    },
  };
};

const rowOf = (context: Staff, provider: ProviderRow): Row => {
  const { t } = context;
  const { name, base_url, confirmed_at, privacy_url, sign_in_url } = provider;
  return {
    title: name,
    lines: [
      {
        joined: [
          outside(base_url),
          privacy_url && outside(privacy_url, t("network.fasp.privacy")),
          sign_in_url && outside(sign_in_url, t("network.fasp.sign_in")),
        ],
      },
      { say: "network.fasp.fingerprint", with: { hash: { code: fingerprintOf(provider) } } },
    ],
    ...(confirmed_at ? confirmed(context, provider) : waiting(provider)),
  };
};

const show: Show = async (context) => {
  const rows = (await listProviders(context.app)).map((provider) => rowOf(context, provider));
  return sendAdmin(context, {
    parts: [
      serverTabs(FASP),
      { text: context.t("network.fasp.about") },
      { rows, none: "network.fasp.none" },
    ],
  });
};

const chosen = (context: Staff): Capability[] =>
  CAPABILITIES.filter((id) => entered(context)[id] === "1");

export const faspPages = pageWithForms({ path: FASP, read: ACTS, show }, [
  ["/:id/confirm", "network.fasp.done.confirmed", onEntry(confirmProvider)],
  ["/:id/update", "network.fasp.done.saved", onEntry(useProvider, chosen)],
  ["/:id/delete", "network.fasp.done.removed", onEntry(removeProvider)],
]);
