// Lists providers that people sign in by, with what the staff decided about who comes by each; adds, tries, changes and
// removes them.

import type { Field, FieldValues, Part, Row } from "../../../web/src/served/part-pages.ts";
import { may } from "../../domain/base/roles/acts.ts";
import type { ProviderInput } from "#sso-accounts";
import {
  callbackUrl,
  findProvider,
  isAdded,
  listProviders,
  metadataUrl,
  shownOf,
  signedOutUrl,
} from "../../domain/people/sso/providers.ts";
import { DEFAULT_SETTINGS } from "../../domain/people/sso/tables.ts";
import type { GroupRole, Provider, ProviderSettings } from "../../domain/people/sso/tables.ts";
import type { App } from "../../platform/app.ts";
import { readGroupRole } from "../../platform/config/parse.ts";
import { orNotFound } from "../../platform/errors.ts";
import type { Server } from "../../platform/http/server.ts";
import { carryOut, drawnWith, onEntry, pageWithForms, staffForm } from "./forms.ts";
import { entered, sendAdmin } from "./frame.ts";
import type { Show, Staff } from "./frame.ts";
import { lines, removal, text } from "./page-parts.ts";
import { SETTINGS, SETTINGS_ACTS, sendSettingsPage } from "./settings-frame.ts";

const SIGN_IN = `${SETTINGS}/sign-in`;

const BOXES = ["signs_up", "links_by_email", "assumes_verified", "is_strong", "is_inside"] as const;

const MEMBERS = {
  signs_up: "signsUp",
  links_by_email: "linksByEmail",
  assumes_verified: "assumesVerified",
  is_strong: "isStrong",
  is_inside: "isInside",
} as const satisfies Record<(typeof BOXES)[number], keyof ProviderSettings>;

const optional = { optional: true };

const OTHER_CLAIMS = ["username", "name", "picture", "email", "groups"] as const;

const claim = (name: (typeof OTHER_CLAIMS)[number]) =>
  text(`${name}_claim`, `staff.sso.${name}_claim`, 100, optional);

/** `isNew`: the issuer is entered once, because people are known by it. */
const fieldsOf = (isNew: boolean): Field[] => [
  text("name", "staff.sso.name", 60),
  ...(isNew ? [text("issuer", "staff.sso.issuer", 500, { hint: "staff.sso.issuer_hint" })] : []),
  text("client_id", "staff.sso.client_id", 500),
  {
    ...text("secret", "staff.sso.secret", 1000, { ...optional, autocomplete: "off" }),
    type: "password",
    ...(!isNew && { hint: "staff.sso.secret_hint" }),
  },
  {
    name: "client_auth",
    label: "staff.sso.client_auth",
    options: [
      ["basic", { plain: "client_secret_basic" }],
      ["post", { plain: "client_secret_post" }],
    ],
  },
  text("scope", "staff.sso.scope", 500, { hint: "staff.sso.scope_hint" }),
  {
    legend: "staff.sso.claims",
    name: "claims",
    set: [
      text("subject", "staff.sso.subject", 100, { hint: "staff.sso.subject_hint" }),
      ...OTHER_CLAIMS.map(claim),
    ],
  },
  lines("groups", "staff.sso.groups", 5000, { ...optional, hint: "staff.sso.groups_hint" }),
  lines("roles", "staff.sso.roles", 5000, { ...optional, hint: "staff.sso.roles_hint" }),
  {
    name: "rules",
    legend: "staff.sso.rules",
    wide: true,
    boxes: BOXES.map((name) => ({ name, label: `staff.sso.${name}` as const })),
  },
];

const roleLine = ({ group, role }: GroupRole): string => `${group} = ${role}`;

const valuesOf = (settings: Omit<ProviderSettings, "clientId">): FieldValues => ({
  client_auth: settings.clientAuth,
  scope: settings.scope,
  subject: settings.claims.subject,
  ...Object.fromEntries(OTHER_CLAIMS.map((name) => [`${name}_claim`, settings.claims[name]])),
  groups: settings.groups.join("\n"),
  roles: settings.roles.map(roleLine).join("\n"),
  ...Object.fromEntries(BOXES.map((name) => [name, settings[MEMBERS[name]]])),
});

const linesIn = (value: string | undefined): string[] =>
  (value ?? "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

const inputIn = (context: Staff): ProviderInput => {
  const form = entered(context);
  const written = (name: string): string => form[name]?.trim() ?? "";
  return {
    name: written("name"),
    issuer: written("issuer").replace(/\/\.well-known\/openid-configuration$/, ""),
    secret: written("secret") || null,
    clientId: written("client_id"),
    clientAuth: written("client_auth") === "post" ? "post" : "basic",
    scope: written("scope") || DEFAULT_SETTINGS.scope,
    claims: {
      subject: written("subject"),
      ...(Object.fromEntries(
        OTHER_CLAIMS.map((name) => [
          name,
          written(`${name}_claim`) || DEFAULT_SETTINGS.claims[name],
        ]),
      ) as Record<(typeof OTHER_CLAIMS)[number], string>),
    },
    groups: linesIn(form["groups"]),
    roles: linesIn(form["roles"]).map(readGroupRole),
    ...(Object.fromEntries(BOXES.map((name) => [MEMBERS[name], form[name] === "1"])) as Pick<
      ProviderSettings,
      (typeof MEMBERS)[(typeof BOXES)[number]]
    >),
  };
};

const rowOf = (context: Staff, provider: Provider, since: Date | null): Row => {
  const { id, name, issuer, settings } = provider;
  const path = `${SIGN_IN}/${id}`;
  const metadata = metadataUrl(context.app, provider);
  const isOurs = isAdded(provider) && may(context.actor, "sso.write");
  return {
    title: name,
    badges: [
      !isAdded(provider) && { badge: "staff.sso.environment", kind: "mild" },
      ...BOXES.map((box) => settings[MEMBERS[box]] && ({ badge: `staff.sso.${box}` } as const)),
    ],
    lines: [
      issuer,
      {
        say: "staff.sso.callback",
        with: { address: { copied: callbackUrl(context.app, provider) } },
      },
      metadata === null
        ? { say: "staff.sso.after", with: { address: { copied: signedOutUrl(context.app) } } }
        : { say: "staff.sso.metadata", with: { address: { copied: metadata } } },
      settings.groups.length > 0 && {
        say: "staff.sso.only_groups",
        with: { groups: { listed: settings.groups } },
      },
      settings.roles.length > 0 && {
        say: "staff.sso.roles_by_group",
        with: { roles: { listed: settings.roles.map(roleLine) } },
      },
      since !== null && { say: "staff.sso.scim_since", with: { time: since } },
    ],
    acts: [
      may(context.actor, "sso.write") && {
        action: `${path}/try`,
        label: "staff.sso.try",
        of: name,
      },
      may(context.actor, "sso.write") && {
        action: `${path}/scim`,
        label: since === null ? "staff.sso.scim_make" : "staff.sso.scim_again",
        of: name,
      },
      since !== null &&
        may(context.actor, "sso.write") && {
          action: `${path}/scim/end`,
          label: "staff.sso.scim_end",
          of: name,
        },
      isOurs && removal(path, name),
    ],
    edit: isOurs && {
      ...drawnWith(context, `${path}/update`, shownOf(provider)),
      label: "staff.sso.change",
      fields: fieldsOf(false),
      values: { name, client_id: provider.settings.clientId, ...valuesOf(provider.settings) },
      of: id,
    },
  };
};

const addPart: Part = {
  add: {
    action: SIGN_IN,
    title: "staff.sso.add",
    fields: fieldsOf(true),
    values: valuesOf(DEFAULT_SETTINGS),
  },
};

/** What is done with providers is loaded when it is done. */
const managed = () => import("#sso-accounts");

const show: Show = async (context) => {
  const { app, actor } = context;
  const providers = await listProviders(app);
  const { scimTokenTimes } = await managed();
  const times = await scimTokenTimes(app);
  const rows = providers.map((each) => rowOf(context, each, times.get(each.issuer) ?? null));
  return sendSettingsPage(context, "sign-in", [
    { text: { say: "staff.sso.about" } },
    app.config.sso.only && { notice: { say: "staff.sso.only" } },
    may(actor, "sso.write") && addPart,
    { rows, none: "staff.sso.none" },
  ]);
};

/** Returns the id of the path, which is a word for the provider of the environment. */
const named = ({ request }: Staff): string => (request.params as { id: string }).id;

const tryAgain = async (context: Staff): Promise<void> => {
  const { app } = context;
  await (await managed()).tryProvider(app, orNotFound(await findProvider(app, named(context))));
};

const PAGE = { path: SIGN_IN, read: SETTINGS_ACTS, write: ["sso.write"], show } as const;

const forms = pageWithForms(PAGE, [
  [
    "",
    "staff.sso.done.added",
    carryOut(
      async (app, actor, input) => (await managed()).addProvider(app, actor, input),
      inputIn,
    ),
  ],
  ["/:id/try", "staff.sso.done.tried", tryAgain],
  [
    "/:id/update",
    "staff.sso.done.saved",
    onEntry(
      async (app, actor, id, input: ProviderInput, mark) =>
        (await managed()).changeProvider(app, actor, id, input, mark),
      inputIn,
    ),
  ],
  [
    "/:id/delete",
    "staff.sso.done.removed",
    onEntry(async (app, actor, id) => (await managed()).removeProvider(app, actor, id)),
  ],
  [
    "/:id/scim/end",
    "staff.sso.done.scim_ended",
    async (context) => (await managed()).endScimToken(context.app, context.actor, named(context)),
  ],
]);

/** Shows the token on this page alone, once. */
const showToken = async (context: Staff) => {
  const { app, actor } = context;
  const token = await (await managed()).makeScimToken(app, actor, named(context));
  return sendAdmin(context, {
    title: "staff.sso.scim",
    back: SIGN_IN,
    at: SIGN_IN,
    parts: [
      {
        panel: [
          { text: { say: "staff.sso.scim_text" } },
          { text: { copied: `${app.config.site.origin}/scim/v2` } },
          { text: { copied: token } },
          { below: [[SIGN_IN, "staff.topic.sign-in"]] },
        ],
      },
    ],
  });
};

export const signInSettingPages = (pages: Server, app: App): void => {
  forms(pages, app);
  pages.post(`${SIGN_IN}/:id/scim`, staffForm(app, ["sso.write"], showToken, show));
};
