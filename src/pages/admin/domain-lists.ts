// Manages block lists that others maintain: preview, subscription, its end, exceptions, and changes.

import type { Field, FieldValues, Inline, Part, Row } from "../../../web/src/served/part-pages.ts";
import type { App } from "../../platform/app.ts";
import type { Server } from "../../platform/http/server.ts";
import { addDays } from "../../platform/ids/index.ts";
import type { Key, Say } from "../../platform/text/texts.ts";
import { numberText } from "../../platform/text/figures.ts";
import { DOMAIN_SEVERITIES } from "../../domain/base/blocklists/tables.ts";
import {
  addDomainList,
  addException,
  changeDomainList,
  getDomainList,
  listChanges,
  listDomainLists,
  listExceptions,
  MAPPED,
  previewDomainList,
  removeDomainList,
  removeException,
  syncDomainList,
} from "../../domain/staff/domain-lists/lists.ts";
import type { ListInput } from "../../domain/staff/domain-lists/lists.ts";
import type { ListPlan } from "../../domain/staff/domain-lists/plan.ts";
import type { ChangeRow, DomainListRow, Mapped } from "../../domain/staff/domain-lists/tables.ts";
import { text, outside, removal, serverTabs } from "./page-parts.ts";
import { carryOut, drawnWith, onEntry, pageWithForms, staffForm } from "./forms.ts";
import { entered, idOf, sendAdmin } from "./frame.ts";
import type { Show, Staff } from "./frame.ts";
import { LISTS, serverPath, SEVERITY_NAMES, someOf } from "./server-parts.ts";
import { byName, listed } from "../../../texts/lists.ts";

const READ = ["domain_blocks.read"] as const;
const WRITE = ["domain_blocks.write"] as const;
const TRY = `${LISTS}/try`;
const EXCEPTIONS = `${LISTS}/exceptions`;

const MAPPED_NAMES: Record<Mapped, Key> = { ...SEVERITY_NAMES, skip: "network.lists.skip" };
const OF_LIST: Record<(typeof DOMAIN_SEVERITIES)[number], Key> = {
  suspend: "network.lists.of_suspend",
  silence: "network.lists.of_silence",
  noop: "network.lists.of_noop",
};

const NEW = { suspend: "suspend", silence: "silence", noop: "skip", retract: true };

const FIELDS: readonly Field[] = [
  { name: "title", label: "network.lists.name", optional: true, max: 200 },
  {
    beside: DOMAIN_SEVERITIES.toReversed().map((name) => ({
      name,
      label: OF_LIST[name],
      options: MAPPED.map((value) => [value, MAPPED_NAMES[value]] as const),
    })),
  },
  { boxes: [{ name: "retract", label: "network.lists.retract" }] },
];

const inputFrom = (context: Staff): ListInput => {
  const fields = entered(context);
  const severities = Object.fromEntries(
    DOMAIN_SEVERITIES.flatMap((name) => (fields[name] ? [[name, fields[name]]] : [])),
  );
  return { title: fields["title"], severities, retract: fields["retract"] === "1" };
};

const rowOf = (context: Staff, row: DomainListRow): Row => {
  const { t } = context;
  const { id, title, url, fault, severities, retract } = row;
  const path = `${LISTS}/${id}`;
  const read: Inline = row.fetched_at
    ? { say: "network.lists.read", with: { time: row.fetched_at } }
    : t("network.lists.unread");
  const again: Inline = { say: "network.lists.again", with: { time: row.due_at } };
  return {
    title,
    badges: [fault !== null && { badge: "network.lists.fault", kind: "bad" }],
    lines: [
      outside(url),
      fault !== null && { soft: fault, lang: "en" },
      { joined: [t("network.lists.servers", { count: row.entries }), read, again] },
    ],
    acts: [
      { action: `${path}/sync`, label: "network.lists.sync", of: title },
      removal(path, title, "network.lists.unsubscribe"),
    ],
    edit: {
      ...drawnWith(context, `${path}/update`, { title, retract, severities }),
      fields: FIELDS,
      values: { ...severities, title, retract },
      of: id,
    },
  };
};

const SHOWN = 50;

const namesText = (language: string, rows: readonly { domain: string }[]): string =>
  someOf(
    language,
    rows.map(({ domain }) => domain),
    SHOWN,
  );

const planPart = ({ language }: Staff, plan: ListPlan): Part => {
  const changed = plan.change.map(({ planned }) => planned);
  const rows: [Key, number, string][] = [
    ["network.lists.plan.add", plan.add.length, namesText(language, plan.add)],
    ["network.lists.plan.change", plan.change.length, namesText(language, changed)],
    ["network.lists.plan.remove", plan.remove.length, namesText(language, plan.remove)],
    ["network.lists.plan.kept", plan.kept, ""],
    ["network.lists.plan.covered", plan.covered, ""],
    ["network.lists.plan.unchanged", plan.unchanged, ""],
  ];
  const facts = rows.map(([name, count, more]) => {
    const number = { strong: numberText(language, count) };
    return [name, { joined: [number, more] }] as const;
  });
  return { panel: [{ heading: "network.lists.dry_run_title" }, { facts }] };
};

const CHANGES = { added: "good", changed: "mild", removed: "bad" } as const;

const changeText = (t: Say, { change, severity, before }: ChangeRow): string => {
  const name = (value: ChangeRow["severity"]) => (value ? t(SEVERITY_NAMES[value]) : "");
  return change === "changed" ? `${name(before)} → ${name(severity)}` : name(severity ?? before);
};

const CHANGE_DAYS = 7;

const changeParts = async ({ app, actor, t, language }: Staff): Promise<Part[]> => {
  const changes = await listChanges(app, actor, addDays(app.clock.now(), -CHANGE_DAYS));
  return [
    { heading: ["network.lists.changes", { count: CHANGE_DAYS }] },
    {
      rows: changes.slice(0, 200).map((row) => ({
        title: { link: serverPath(row.domain), text: row.domain },
        badges: [{ badge: `network.lists.change.${row.change}`, kind: CHANGES[row.change] }],
        lines: [{ joined: [changeText(t, row), listed(language, row.lists), row.created_at] }],
      })),
      none: "network.lists.no_changes",
    },
  ];
};

const exceptionParts = async ({ app, actor, t }: Staff): Promise<Part[]> => {
  const domains = await listExceptions(app, actor);
  return [
    { heading: "network.lists.exceptions" },
    { text: t("network.lists.exceptions_about"), isSoft: true },
    {
      rows: domains.map((domain) => ({
        title: domain,
        acts: [{ ...removal(EXCEPTIONS, domain), fields: { domain } }],
      })),
    },
    {
      form: {
        action: EXCEPTIONS,
        fields: [{ beside: [text("domain", "network.servers.server", 300)] }],
        submit: "staff.add",
      },
    },
  ];
};

/** Shown again with what was entered where it was tried. */
const subscribeForm = (tried: FieldValues | null): Part => ({
  add: {
    action: LISTS,
    title: "network.lists.subscribe_to",
    fields: [
      text("url", "network.lists.address", 2000, { hint: "network.lists.format" }),
      ...FIELDS,
    ],
    values: tried ?? NEW,
    of: "new",
    open: tried !== null,
    submit: [
      { label: "network.lists.subscribe" },
      { label: "network.dry_run", kind: "plain", to: TRY },
    ],
  },
});

const showWith =
  (plan: ListPlan | null): Show =>
  async (context) => {
    const { t } = context;
    const rows = await listDomainLists(context.app, context.actor);
    const byTitle = byName(context.language, rows, ({ title }) => title);
    return sendAdmin(context, {
      parts: [
        serverTabs(LISTS),
        { text: t("network.lists.about") },
        plan && planPart(context, plan),
        subscribeForm(plan && entered(context)),
        { rows: byTitle.map((row) => rowOf(context, row)), none: "network.lists.none" },
        ...(await changeParts(context)),
        ...(await exceptionParts(context)),
      ],
    });
  };

const show = showWith(null);

/** Shows the page again, with what a subscription would change. */
const showTried = async (context: Staff) => {
  const { app, actor } = context;
  const url = entered(context)["url"];
  return showWith(await previewDomainList(app, actor, { ...inputFrom(context), url }))(context);
};

const listOf = (context: Staff): Promise<DomainListRow> =>
  getDomainList(context.app, context.actor, idOf(context));

const newListFrom = (context: Staff) => ({ ...inputFrom(context), url: entered(context)["url"] });

const domainIn = (context: Staff): string => entered(context)["domain"] ?? "";

const listForms = pageWithForms({ path: LISTS, read: READ, write: WRITE, show }, [
  ["", "network.lists.done.added", carryOut(addDomainList, newListFrom)],
  ["/:id/update", "network.lists.done.saved", onEntry(changeDomainList, inputFrom)],
  ["/:id/sync", "network.lists.done.synced", carryOut(syncDomainList, listOf)],
  ["/:id/delete", "network.lists.done.removed", carryOut(removeDomainList, listOf)],
  ["/exceptions", "network.lists.done.excepted", carryOut(addException, domainIn)],
  ["/exceptions/delete", "network.lists.done.unexcepted", carryOut(removeException, domainIn)],
]);

export const domainListPages = (pages: Server, app: App): void => {
  pages.post(TRY, staffForm(app, WRITE, showTried, show));
  listForms(pages, app);
};
